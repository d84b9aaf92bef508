-- SPDX-FileCopyrightText: The Plumbline authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What context-mariadb.json says of a database, made for real: mariadb < setup-mariadb.sql
CREATE DATABASE lib CHARACTER SET utf8mb4;
CREATE DATABASE archive CHARACTER SET utf8mb4;
CREATE DATABASE `odd-db` CHARACTER SET utf8mb4;
USE lib;
CREATE TABLE branches (id INT PRIMARY KEY, name VARCHAR(50), parent_id INT);
CREATE TABLE members (id INT PRIMARY KEY, name VARCHAR(60), email VARCHAR(80), branch_id INT, joined DATE, profile JSON);
CREATE TABLE books (id INT PRIMARY KEY, title VARCHAR(80), price DECIMAL(12,2), tags JSON, notes TEXT, FULLTEXT (title, notes), FULLTEXT (title), FULLTEXT (notes));
CREATE TABLE loans (id INT PRIMARY KEY, member_id INT, book_id INT, lent_at DATETIME, returned_at DATETIME, fee DECIMAL(12,2), KEY by_member (member_id));
CREATE TABLE archive.loans LIKE loans;
CREATE TABLE `책` (`제목` VARCHAR(50));
CREATE TABLE places (id INT PRIMARY KEY, g POINT);
CREATE TABLE `2026_plan` (v INT);
CREATE TABLE `odd-db`.`t.1` (v INT);
CREATE TABLE visits (at DATETIME DEFAULT NOW(), what INT);
INSERT INTO branches VALUES (1, 'Main', NULL), (2, 'North', 1);
INSERT INTO members VALUES (1, 'Ada', 'ada@example.org', 1, '2023-01-15', '{"lang": "en", "age": 36}'), (2, '민준', NULL, 2, '2024-02-29', '{"lang": "ko"}');
INSERT INTO books VALUES (1, 'Tides', 12.50, '["sea"]', 'old'), (2, 'Looms', 30, '[]', NULL);
INSERT INTO loans VALUES (1, 1, 1, '2024-01-05 10:00:00', '2024-01-20 10:00:00', 0.50), (2, 2, 2, '2024-03-01 09:00:00', NULL, 0);
DELIMITER //
CREATE FUNCTION record_visit(n INT) RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO visits (what) VALUES (n); RETURN n; END//
CREATE FUNCTION `lower`(s TEXT) RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO visits (what) VALUES (1); RETURN 1; END//
CREATE FUNCTION `sleep`(n INT) RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO visits (what) VALUES (n); RETURN n; END//
CREATE FUNCTION `now`() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO visits (what) VALUES (2); RETURN 2; END//
CREATE FUNCTION `trunc`(n INT) RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO visits (what) VALUES (n); RETURN n; END//
DELIMITER ;
CREATE VIEW loan_totals AS SELECT member_id, sum(fee) AS total FROM loans GROUP BY member_id;
CREATE VIEW bad_view AS SELECT 1 AS id, lib.record_visit(1) AS x;
