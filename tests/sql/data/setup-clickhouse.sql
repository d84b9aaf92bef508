-- SPDX-FileCopyrightText: The Plumbline authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What context-clickhouse.json says of a database, made for real. A statement a line.
CREATE DATABASE lib;
CREATE DATABASE archive;
CREATE TABLE lib.branches (id Int32, name String, parent_id Nullable(Int32)) ENGINE = MergeTree ORDER BY id;
CREATE TABLE lib.members (id Int32, name String, email Nullable(String), branch_id Int32, joined Date, profile String, tags Array(String), attrs Nested (key String, value String)) ENGINE = MergeTree ORDER BY id;
CREATE TABLE lib.books (id Int32, title String, price Decimal(12, 2), tags Array(String), notes Nullable(String)) ENGINE = MergeTree ORDER BY id;
CREATE TABLE lib.loans (id Int32, member_id Int32, book_id Int32, lent_at DateTime, returned_at Nullable(DateTime), fee Decimal(12, 2)) ENGINE = MergeTree ORDER BY (id, intHash32(id)) SAMPLE BY intHash32(id);
CREATE TABLE archive.loans AS lib.loans ENGINE = MergeTree ORDER BY id;
CREATE TABLE lib.`책` (`제목` String) ENGINE = MergeTree ORDER BY `제목`;
INSERT INTO lib.branches VALUES (1, 'Main', NULL), (2, 'North', 1);
INSERT INTO lib.members VALUES (1, 'Ada', 'ada@example.org', 1, '2023-01-15', '{"lang": "en"}', ['a'], ['k'], ['v']), (2, '민준', NULL, 2, '2024-02-29', '{"lang": "ko"}', [], [], []);
INSERT INTO lib.books VALUES (1, 'Tides', 12.50, ['sea'], 'old'), (2, 'Looms', 30, [], NULL);
INSERT INTO lib.loans VALUES (1, 1, 1, '2024-01-05 10:00:00', '2024-01-20 10:00:00', 0.50), (2, 2, 2, '2024-03-01 09:00:00', NULL, 0);
CREATE VIEW lib.loan_totals AS SELECT member_id, sum(fee) AS total FROM lib.loans GROUP BY member_id;
CREATE VIEW lib.bad_view AS SELECT sleep(1) AS x;
