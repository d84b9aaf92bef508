-- SPDX-FileCopyrightText: The Plumbline authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What context-sqlite.json says of a database, made for real: sqlite3 lib.db < setup-sqlite.sql
CREATE TABLE branches (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER);
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, email TEXT, branch_id INTEGER, joined TEXT, profile TEXT);
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, price NUMERIC, tags TEXT, notes TEXT);
CREATE TABLE loans (id INTEGER PRIMARY KEY, member_id INTEGER, book_id INTEGER, lent_at TEXT, returned_at TEXT, fee NUMERIC);
CREATE INDEX loans_member ON loans (member_id);
CREATE TABLE "책" ("제목" TEXT);
CREATE VIRTUAL TABLE search USING fts5 (title, body);
CREATE VIEW loan_totals AS SELECT member_id, sum(fee) AS total FROM main.loans GROUP BY member_id;
CREATE VIEW bad_view AS SELECT load_extension('x') AS x;
INSERT INTO branches VALUES (1, 'Main', NULL), (2, 'North', 1);
INSERT INTO members VALUES (1, 'Ada', 'ada@example.org', 1, '2023-01-15', '{"lang": "en", "age": 36}'), (2, '민준', NULL, 2, '2024-02-29', '{"lang": "ko"}');
INSERT INTO books VALUES (1, 'Tides', 12.50, '["sea"]', 'old'), (2, 'Looms', 30, '[]', NULL);
INSERT INTO loans VALUES (1, 1, 1, '2024-01-05 10:00:00', '2024-01-20 10:00:00', 0.50), (2, 2, 2, '2024-03-01 09:00:00', NULL, 0);
