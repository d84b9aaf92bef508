-- SPDX-FileCopyrightText: The Plumbline authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What context-postgres.json says of a database, made for real: psql -d lib -f setup-postgres.sql
CREATE SCHEMA lib;
CREATE SCHEMA archive;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = lib, public', current_database()); END $$;
SET search_path = lib, public;

CREATE EXTENSION pg_trgm SCHEMA public;
CREATE EXTENSION dblink SCHEMA public;
CREATE EXTENSION tablefunc SCHEMA public;

CREATE TABLE lib.branches (id int PRIMARY KEY, name text, parent_id int);
CREATE TABLE lib.members (id int PRIMARY KEY, name text, email text, branch_id int, joined date, profile jsonb);
CREATE TABLE lib.books (id int PRIMARY KEY, title text, price numeric(12,2), tags text[], notes text);
CREATE TABLE lib.loans (id int PRIMARY KEY, member_id int, book_id int, lent_at timestamptz, returned_at timestamptz, fee numeric(12,2));
CREATE TABLE archive.loans (LIKE lib.loans);
CREATE TABLE public."책" ("제목" text);
CREATE TABLE public."Mixed ""x""" ("a.b" int);
CREATE TABLE lib.visits (at timestamptz DEFAULT now(), what int);
INSERT INTO lib.branches VALUES (1, 'Main', NULL), (2, 'North', 1);
INSERT INTO lib.members VALUES (1, 'Ada', 'ada@example.org', 1, '2023-01-15', '{"lang": "en", "age": 36}'), (2, '민준', NULL, 2, '2024-02-29', '{"lang": "ko"}');
INSERT INTO lib.books VALUES (1, 'Tides', 12.50, '{sea,science}', 'old'), (2, 'Looms', 30, '{}', NULL);
INSERT INTO lib.loans VALUES (1, 1, 1, '2024-01-05 10:00+00', '2024-01-20 10:00+00', 0.50), (2, 2, 2, '2024-03-01 09:00+00', NULL, 0);

CREATE FUNCTION lib.record_visit(n int) RETURNS int LANGUAGE plpgsql AS $$BEGIN INSERT INTO lib.visits (what) VALUES (n); RETURN n; END$$;
CREATE FUNCTION lib.record_visit(m lib.members) RETURNS int LANGUAGE sql AS 'SELECT lib.record_visit(m.id)';
CREATE FUNCTION lib.close(l lib.loans) RETURNS int LANGUAGE sql AS 'SELECT lib.record_visit(l.id)';
CREATE FUNCTION public.round(t text) RETURNS int LANGUAGE sql AS 'SELECT lib.record_visit(length(t))';
CREATE FUNCTION lib.same_visit(a text, b text) RETURNS boolean LANGUAGE sql AS 'SELECT lib.record_visit(1) > 0';
CREATE OPERATOR lib.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = lib.same_visit);
CREATE TYPE lib.token AS (v int);
CREATE FUNCTION lib.to_token(n int) RETURNS lib.token LANGUAGE sql AS 'SELECT ROW(lib.record_visit(n))::lib.token';
CREATE CAST (int AS lib.token) WITH FUNCTION lib.to_token(int);
CREATE DOMAIN lib.checked AS int CHECK (lib.record_visit(VALUE) > 0);

CREATE VIEW lib.loan_totals AS SELECT member_id, sum(fee) AS total FROM lib.loans GROUP BY member_id;
CREATE VIEW lib.bad_view AS SELECT 1 AS id, lib.record_visit(1) AS x;
CREATE VIEW lib.worse_view AS SELECT bad_view.x::text AS x FROM lib.bad_view UNION ALL SELECT pg_sleep(1)::text;
CREATE TABLE lib.policed (id int);
ALTER TABLE lib.policed ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON lib.policed FOR SELECT USING (lib.record_visit(id) > 0);
CREATE TABLE lib.napping (id int);
ALTER TABLE lib.napping ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON lib.napping FOR SELECT USING (pg_sleep(0.1) IS NOT NULL);

CREATE SEQUENCE lib.seq;
CREATE PROCEDURE lib.p() LANGUAGE sql AS 'DELETE FROM lib.visits';
CREATE FUNCTION lib.add_visit(state bigint, n int) RETURNS bigint LANGUAGE sql AS 'SELECT state + lib.record_visit(n)';
CREATE AGGREGATE lib.sum_visits(int) (SFUNC = lib.add_visit, STYPE = bigint, INITCOND = '0');
CREATE TYPE lib.colour AS ENUM ('red', 'green');
CREATE DOMAIN lib.positive AS int CHECK (VALUE > 0 AND abs(VALUE) < 100000);
CREATE DOMAIN lib.sleepy AS int CHECK (pg_sleep(0.1) IS NOT NULL);
CREATE TYPE lib.pair AS (a int, b int);
CREATE TYPE lib.holder AS (c lib.checked, d int);
CREATE TYPE lib.outer_holder AS (h lib.holder[]);
CREATE TABLE lib.pairs (id int, d lib.pair);
INSERT INTO lib.pairs VALUES (1, (1, 2));
CREATE FUNCTION lib.initcap(n lib.positive) RETURNS int LANGUAGE sql AS 'SELECT lib.record_visit(n)';
