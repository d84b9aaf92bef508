-- SPDX-FileCopyrightText: The Plumbline authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The demo database "crm": service contracts of a made-up trading house with business customers.
-- A customer here is one who signed a contract, billed or not. See sales.sql for how values come.

PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
BEGIN;

CREATE TEMP TABLE firm (k INTEGER PRIMARY KEY, nm TEXT);
INSERT INTO firm (nm) VALUES ('Müller'), ('Hansen'), ('Großmann'), ('Köhler'), ('Lefèvre'), ('Moreau'), ('Nowak'), ('Kowalski'),
  ('한빛'), ('대성'), ('서울'), ('Smith'), ('Walker'), ('O''Brien'), ('de Vries'), ('Jansen'), ('García'), ('Ruiz'), ('Vogt'), ('Becker');
CREATE TEMP TABLE trade (k INTEGER PRIMARY KEY, nm TEXT, industry TEXT);
INSERT INTO trade (nm, industry) VALUES ('Bau GmbH', 'CON'), ('Logistics Ltd.', 'LOG'), ('Metall AG', 'MFG'), ('Hotels', 'HOS'),
  ('전자', 'MFG'), ('Software GmbH', 'IT'), ('Apotheke', 'HEA'), ('Garden & Co.', 'RET'), ('Schule', 'EDU'), ('상사', 'RET'), ('Klinik', 'HEA');
CREATE TEMP TABLE place (k INTEGER PRIMARY KEY, city TEXT, country TEXT);
INSERT INTO place (city, country) VALUES ('Hamburg', 'DE'), ('Berlin', 'DE'), ('München', 'DE'), ('Köln', 'DE'), ('Wien', 'AT'),
  ('Zürich', 'CH'), ('Paris', 'FR'), ('Lyon', 'FR'), ('Kraków', 'PL'), ('서울', 'KR'), ('부산', 'KR'), ('London', 'GB'), ('Rotterdam', 'NL');

CREATE TABLE INDUSTRY (
  INDUSTRY_CODE VARCHAR(3) PRIMARY KEY, -- industry code
  INDUSTRY_NAME VARCHAR(40) NOT NULL -- industry
);
INSERT INTO INDUSTRY VALUES ('CON', 'Construction'), ('LOG', 'Logistics'), ('MFG', 'Manufacturing'), ('HOS', 'Hospitality'),
  ('IT', 'Information technology'), ('HEA', 'Health care'), ('RET', 'Retail'), ('EDU', 'Education');

CREATE TABLE CONTRACT_STATUS (
  STATUS_CODE CHAR(1) PRIMARY KEY, -- contract status code
  STATUS_NAME VARCHAR(30) NOT NULL -- contract status
);
INSERT INTO CONTRACT_STATUS VALUES ('D', 'Draft'), ('A', 'Active'), ('S', 'Suspended'), ('T', 'Terminated'), ('E', 'Expired');

CREATE TABLE SERVICE_PLAN (
  -- Plans that contracts are made on
  PLAN_CODE VARCHAR(6) PRIMARY KEY, -- plan code
  PLAN_NAME VARCHAR(40) NOT NULL, -- plan name
  LIST_FEE DECIMAL(8,2) NOT NULL, -- monthly list fee in euros
  RESPONSE_HOURS INTEGER -- hours until an answer is due
);
INSERT INTO SERVICE_PLAN VALUES ('BASIC', 'Basic service', 49, 48), ('PLUS', 'Service plus', 119.5, 24),
  ('PREM', 'Premium service', 289.9, 8), ('FLEET', 'Fleet service', 512.25, 4);

CREATE TABLE ACCOUNT_MANAGER (
  MANAGER_ID INTEGER PRIMARY KEY, -- account manager number
  MANAGER_NAME VARCHAR(60) NOT NULL, -- account manager
  EMP_NO VARCHAR(6) -- employee number in the sales system
);
INSERT INTO ACCOUNT_MANAGER VALUES (1, 'Sabine Vogt', 'E00012'), (2, 'Étienne Moreau', 'E00044'), (3, '김서연', 'E00101'),
  (4, 'Grace Walker', 'E00130'), (5, 'Paweł Nowak', 'E00207'), (6, 'Jürgen Becker', 'E00255');

CREATE TABLE CUSTOMER (
  -- Contracted customers: business customers that signed a service contract, billed yet or not
  CUSTOMER_ID INTEGER PRIMARY KEY, -- customer number of the CRM
  CUSTOMER_NAME VARCHAR(80) NOT NULL, -- company name
  SALES_CUST_NO VARCHAR(7), -- customer number in the sales system, CUST_MST
  INDUSTRY_CODE VARCHAR(3) REFERENCES INDUSTRY (INDUSTRY_CODE), -- industry
  SIZE_CODE CHAR(1), -- size: S=small, M=medium, L=large
  CITY VARCHAR(30), -- city
  COUNTRY_CODE CHAR(2), -- country
  MANAGER_ID INTEGER REFERENCES ACCOUNT_MANAGER (MANAGER_ID), -- account manager
  SIGNED_DATE DATE NOT NULL, -- first contract signed on
  REMARK VARCHAR(200) -- remark
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1400),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO CUSTOMER
SELECT 20000 + i, f.nm || ' ' || t.nm, CASE WHEN a % 3 > 0 THEN printf('C%06d', 1 + b % 6000) END, t.industry,
       CASE WHEN b % 10 < 5 THEN 'S' WHEN b % 10 < 8 THEN 'M' WHEN b % 10 < 9 THEN 'L' END, p.city, p.country, 1 + b % 6,
       date('2019-03-01', (i * 2 - a % 2) || ' days'),
       CASE WHEN a % 71 = 0 THEN 'active again soon?' WHEN a % 61 = 0 THEN 'Kündigung angekündigt' END
FROM h JOIN firm AS f ON f.k = 1 + a % 20 JOIN trade AS t ON t.k = 1 + b % 11 JOIN place AS p ON p.k = 1 + (a + b) % 13;

CREATE TABLE CONTRACT (
  -- Service contracts
  CONTRACT_NO VARCHAR(9) PRIMARY KEY, -- contract number
  CUSTOMER_ID INTEGER NOT NULL REFERENCES CUSTOMER (CUSTOMER_ID), -- contracted customer
  PLAN_CODE VARCHAR(6) NOT NULL REFERENCES SERVICE_PLAN (PLAN_CODE), -- plan
  STATUS_CODE CHAR(1) NOT NULL REFERENCES CONTRACT_STATUS (STATUS_CODE), -- contract status
  START_DATE DATE NOT NULL, -- contract start date
  END_DATE DATE, -- contract end date, empty while it runs without one
  MONTHLY_FEE DECIMAL(8,2) NOT NULL, -- monthly fee agreed in euros
  NOTICE_MONTHS INTEGER, -- months of notice
  REMARK VARCHAR(200) -- remark
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2150),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b,
             CASE WHEN i <= 1400 THEN i ELSE 1 + ((i * 3571 + 29) * i + 350377) % 1000003 % 1400 END AS c FROM n),
d AS (SELECT h.*, date(u.SIGNED_DATE, (CASE WHEN i <= 1400 THEN 10 ELSE 20 + b % min(400, CAST(julianday('2026-11-29') - julianday(u.SIGNED_DATE) AS INTEGER) - 20) END) || ' days') AS sd FROM h JOIN CUSTOMER AS u ON u.CUSTOMER_ID = 20000 + c)
INSERT INTO CONTRACT
SELECT printf('K%07d', 500 + i), 20000 + c, PLAN_CODE,
       CASE WHEN sd > '2026-11-20' THEN 'D' WHEN a % 100 < 61 THEN 'A' WHEN a % 100 < 65 THEN 'S' WHEN a % 100 < 84 THEN 'T' ELSE 'E' END,
       sd, CASE WHEN sd <= '2026-11-20' AND a % 100 >= 65 THEN min(date(sd, (365 + b % 700) || ' days'), '2026-11-27') END,
       round(LIST_FEE * (85 + b % 21) / 100, 2), CASE b % 3 WHEN 0 THEN 1 WHEN 1 THEN 3 END,
       CASE WHEN a % 67 = 0 THEN 'active until paid' WHEN b % 53 = 0 THEN '연장 협의 중' END
FROM d JOIN SERVICE_PLAN AS p ON p.rowid = CASE WHEN b % 10 < 4 THEN 1 WHEN b % 10 < 7 THEN 2 WHEN b % 10 < 9 THEN 3 ELSE 4 END;

CREATE TABLE CONTRACT_BAK_20260630 AS SELECT CONTRACT_NO, CUSTOMER_ID, PLAN_CODE, CASE WHEN STATUS_CODE IN ('T', 'E') AND END_DATE > '2026-06-30' THEN 'A' ELSE STATUS_CODE END AS STATUS_CODE,
  START_DATE, CASE WHEN END_DATE <= '2026-06-30' THEN END_DATE END AS END_DATE, MONTHLY_FEE, NOTICE_MONTHS, REMARK FROM CONTRACT WHERE START_DATE <= '2026-06-30';

CREATE TABLE CONTACT (
  -- People at customers
  CONTACT_ID INTEGER PRIMARY KEY, -- contact number
  CUSTOMER_ID INTEGER NOT NULL REFERENCES CUSTOMER (CUSTOMER_ID), -- customer
  CONTACT_NAME VARCHAR(60), -- name
  POSITION VARCHAR(40), -- position in the company
  EMAIL VARCHAR(80), -- e-mail address
  PHONE VARCHAR(20) -- telephone number
);
INSERT INTO CONTACT (CUSTOMER_ID, CONTACT_NAME, POSITION, EMAIL, PHONE)
SELECT CUSTOMER_ID, f.nm || ', ' || v.column2, v.column3, 'k' || CUSTOMER_ID || v.column1 || '@example.org', CASE WHEN c.rowid % 4 > 0 THEN '+49 40 ' || (100000 + c.rowid * 37 % 900000) END
FROM CUSTOMER AS c, (VALUES (1, 'Anna', 'Purchasing'), (2, 'Tomasz', 'Technician'), (3, '지훈', NULL)) AS v JOIN firm AS f ON f.k = 1 + (c.rowid * v.column1) % 20
WHERE c.rowid % v.column1 = 0;

CREATE TABLE OPPORTUNITY (
  -- Chances to sell a contract
  OPP_ID INTEGER PRIMARY KEY, -- opportunity number
  CUSTOMER_ID INTEGER, -- customer, empty for a new company
  COMPANY_NAME VARCHAR(80), -- company name
  STAGE CHAR(1) NOT NULL, -- stage: 1=contacted, 2=offer sent, 3=negotiation, 8=lost, 9=won
  EXPECTED_FEE DECIMAL(8,2), -- monthly fee hoped for
  CREATED_DATE DATE NOT NULL, -- created on
  CLOSED_DATE DATE -- lost or won on
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3200),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO OPPORTUNITY
SELECT i, CASE WHEN a % 2 = 0 THEN 20001 + b % 1400 END, f.nm || ' ' || t.nm,
       CASE WHEN i > 2900 THEN 1 + a % 3 WHEN a % 100 < 34 THEN '9' WHEN a % 100 < 92 THEN '8' ELSE '3' END, round(40 + b % 60000 / 100.0, 2),
       date('2022-01-03', (i * 1790 / 3200) || ' days'), CASE WHEN i <= 2900 AND a % 100 < 92 THEN date('2022-01-03', (i * 1790 / 3200 + 10 + b % 80) || ' days') END
FROM h JOIN firm AS f ON f.k = 1 + a % 20 JOIN trade AS t ON t.k = 1 + b % 11;

CREATE TABLE TICKET (
  -- Service requests of contracted customers
  TICKET_NO INTEGER PRIMARY KEY, -- ticket number
  CONTRACT_NO VARCHAR(9) NOT NULL, -- contract number
  OPENED_AT DATETIME NOT NULL, -- opened at
  CLOSED_AT DATETIME, -- closed at, empty while open
  PRIORITY CHAR(1), -- priority: 1=high, 2=normal, 3=low
  STATUS_CODE CHAR(1) NOT NULL, -- ticket status: O=open, W=waiting for the customer, C=closed
  SUBJECT VARCHAR(100) -- subject
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n),
s AS (SELECT *, CASE WHEN i > 11800 THEN CASE WHEN a % 10 < 5 THEN 'O' WHEN a % 10 < 7 THEN 'W' ELSE 'C' END WHEN a % 400 = 0 THEN 'O' ELSE 'C' END AS st FROM h)
INSERT INTO TICKET
SELECT i, printf('K%07d', 501 + b % 2150), datetime('2025-01-02 07:00:00', (i * 83) || ' minutes'),
       CASE WHEN st = 'C' THEN min(datetime('2025-01-02 07:00:00', (i * 83 + 30 + a % 9000) || ' minutes'), '2026-11-29 21:00:00') END,
       CASE WHEN a % 10 < 2 THEN '1' WHEN a % 10 < 8 THEN '2' WHEN a % 10 < 9 THEN '3' END, st,
       CASE b % 5 WHEN 0 THEN 'Lamp broken' WHEN 1 THEN 'Rechnung fehlt' WHEN 2 THEN 'contract still open?' WHEN 3 THEN '점검 요청' ELSE 'Delivery date' END FROM s;

CREATE TABLE ACTIVITY (
  ACTIVITY_ID INTEGER PRIMARY KEY, -- activity number
  CUSTOMER_ID INTEGER NOT NULL, -- customer
  MANAGER_ID INTEGER, -- account manager
  KIND_CODE VARCHAR(2), -- VI=visit, CA=call, EM=e-mail
  ACTIVITY_DATE DATE, -- day
  SUMMARY VARCHAR(200) -- what was said
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15000)
INSERT INTO ACTIVITY
SELECT i, 20001 + ((i * 7919 + 13) * i + 104729) % 1000003 % 1400, 1 + i % 6, CASE i % 5 WHEN 0 THEN 'VI' WHEN 1 THEN 'EM' ELSE 'CA' END,
       date('2024-06-01', (i * 911 / 15000) || ' days'), CASE i % 17 WHEN 0 THEN 'wants to terminate' WHEN 5 THEN 'zufrieden' END FROM n;

CREATE TABLE TMP_CUSTOMER AS SELECT * FROM CUSTOMER WHERE COUNTRY_CODE = 'DE' AND SIGNED_DATE < '2024-01-01';

COMMIT;
