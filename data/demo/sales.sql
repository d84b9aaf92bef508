-- SPDX-FileCopyrightText: The Plumbline authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The demo database "sales" of a made-up trading house, the same every time: values come from
-- quadratic hashes modulo a prime, (a·i + b)·i + c mod 1000003, of the row's number. Days end at
-- 2026-11-29. Comments inside CREATE TABLE are part of the data: SQLite keeps them.

PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA foreign_keys = OFF;
BEGIN;

-- Codes.

CREATE TABLE CD_GRP (
  -- Groups of the common code table
  GRP_CD VARCHAR(12) PRIMARY KEY, -- code group
  GRP_NM VARCHAR(60) NOT NULL, -- what the codes of the group say
  USE_YN CHAR(1) NOT NULL -- Y=in use, N=no longer used
);
INSERT INTO CD_GRP VALUES
  ('ORD_STAT', 'Order status', 'Y'), ('PAY_MTD', 'Payment method', 'Y'),
  ('CUST_GRD', 'Customer grade', 'Y'), ('PRD_STAT', 'Product status', 'Y'),
  ('STK_MOV', 'Kind of stock movement', 'Y'), ('PO_STAT', 'Purchase order status', 'Y'),
  ('JOB', 'Job title', 'Y'), ('OLD_ORD', 'Order status until 2019', 'N');

CREATE TABLE CD_DTL (
  -- Common codes: the meaning of code columns, by group
  GRP_CD VARCHAR(12) NOT NULL REFERENCES CD_GRP (GRP_CD), -- code group
  CD VARCHAR(6) NOT NULL, -- code
  CD_NM VARCHAR(60) NOT NULL, -- meaning of the code
  SORT_NO INTEGER, -- order in lists
  USE_YN CHAR(1) NOT NULL, -- Y=in use, N=no longer used
  PRIMARY KEY (GRP_CD, CD)
);
INSERT INTO CD_DTL VALUES
  ('ORD_STAT', '10', 'Unprocessed', 1, 'Y'), ('ORD_STAT', '15', 'On hold', 2, 'Y'),
  ('ORD_STAT', '20', 'In process', 3, 'Y'), ('ORD_STAT', '30', 'Shipped', 4, 'Y'),
  ('ORD_STAT', '40', 'Delivered', 5, 'Y'), ('ORD_STAT', '90', 'Cancelled', 6, 'Y'),
  ('PAY_MTD', 'CC', 'Credit card', 1, 'Y'), ('PAY_MTD', 'BT', 'Bank transfer', 2, 'Y'),
  ('PAY_MTD', 'PP', 'PayPal', 3, 'Y'), ('PAY_MTD', 'IV', 'Invoice', 4, 'Y'),
  ('PAY_MTD', 'CD', 'Cash on delivery', 5, 'Y'), ('CUST_GRD', 'V', 'VIP', 1, 'Y'),
  ('CUST_GRD', 'G', 'Gold', 2, 'Y'), ('CUST_GRD', 'S', 'Silver', 3, 'Y'),
  ('CUST_GRD', 'N', 'Normal', 4, 'Y'), ('PRD_STAT', 'A', 'Active', 1, 'Y'),
  ('PRD_STAT', 'N', 'New', 2, 'Y'), ('PRD_STAT', 'D', 'Discontinued', 3, 'Y'),
  ('STK_MOV', 'IN', 'Goods received', 1, 'Y'), ('STK_MOV', 'OUT', 'Goods issued', 2, 'Y'),
  ('STK_MOV', 'TRF', 'Transfer', 3, 'Y'), ('STK_MOV', 'SCR', 'Scrapped', 4, 'Y'),
  ('PO_STAT', 'O', 'Open', 1, 'Y'), ('PO_STAT', 'P', 'Partly delivered', 2, 'Y'),
  ('PO_STAT', 'C', 'Closed', 3, 'Y'), ('JOB', '01', 'Sales clerk', 1, 'Y'),
  ('JOB', '02', 'Sales manager', 2, 'Y'), ('JOB', '03', 'Warehouse worker', 3, 'Y'),
  ('JOB', '04', 'Accountant', 4, 'Y'), ('JOB', '05', 'Software developer', 5, 'Y'),
  ('JOB', '06', 'Head of department', 6, 'Y'), ('OLD_ORD', '1', 'New', 1, 'N'),
  ('OLD_ORD', '2', 'Done', 2, 'N');

CREATE TABLE CTRY_MST (
  -- Countries
  CTRY_CD CHAR(2) PRIMARY KEY, -- country code, ISO 3166
  CTRY_NM VARCHAR(40) NOT NULL, -- country name
  CURR_CD CHAR(3), -- currency code
  EU_YN CHAR(1) -- Y=member of the European Union
);
INSERT INTO CTRY_MST VALUES
  ('DE', 'Germany', 'EUR', 'Y'), ('AT', 'Austria', 'EUR', 'Y'), ('CH', 'Switzerland', 'CHF', 'N'),
  ('FR', 'France', 'EUR', 'Y'), ('PL', 'Poland', 'PLN', 'Y'), ('KR', 'South Korea', 'KRW', 'N'),
  ('GB', 'United Kingdom', 'GBP', 'N'), ('US', 'United States', 'USD', 'N'),
  ('NL', 'Netherlands', 'EUR', 'Y'), ('ES', 'Spain', 'EUR', 'Y');

CREATE TABLE CURR_CD (
  CURR_CD CHAR(3) PRIMARY KEY, -- currency code
  CURR_NM VARCHAR(40) NOT NULL -- currency name
);
INSERT INTO CURR_CD VALUES ('EUR', 'Euro'), ('CHF', 'Swiss franc'), ('PLN', 'Polish zloty'),
  ('KRW', 'South Korean won'), ('GBP', 'Pound sterling'), ('USD', 'US dollar');

CREATE TABLE UNIT_CD (
  UNIT_CD VARCHAR(3) PRIMARY KEY, -- unit code
  UNIT_NM VARCHAR(20) NOT NULL -- unit name
);
INSERT INTO UNIT_CD VALUES ('PC', 'Piece'), ('BX', 'Box'), ('KG', 'Kilogram'), ('L', 'Litre'), ('M', 'Metre');

CREATE TABLE RTN_RSN_CD (
  -- Why goods come back
  RSN_CD CHAR(2) PRIMARY KEY, -- return reason code
  RSN_NM VARCHAR(40) NOT NULL -- return reason
);
INSERT INTO RTN_RSN_CD VALUES ('01', 'Damaged'), ('02', 'Wrong item'), ('03', 'Not as described'),
  ('04', 'Changed mind'), ('05', 'Arrived too late'), ('09', 'Other');

CREATE TABLE SHP_STAT_CD (
  -- States of a shipment
  SHP_STAT_CD CHAR(1) PRIMARY KEY, -- shipment status code
  SHP_STAT_NM VARCHAR(30) NOT NULL -- shipment status
);
INSERT INTO SHP_STAT_CD VALUES ('R', 'Ready'), ('T', 'In transit'), ('D', 'Delivered'), ('L', 'Lost'), ('B', 'Sent back');

CREATE TABLE TAX_RT (
  CTRY_CD CHAR(2), -- country code
  TAX_CLS CHAR(1), -- 1=full rate, 2=reduced rate
  TAX_PCT DECIMAL(4,1), -- rate in percent
  VLD_FR_DT DATE, -- valid from
  PRIMARY KEY (CTRY_CD, TAX_CLS, VLD_FR_DT)
);
INSERT INTO TAX_RT VALUES ('DE', '1', 19, '2021-01-01'), ('DE', '2', 7, '2021-01-01'),
  ('AT', '1', 20, '2021-01-01'), ('FR', '1', 20, '2021-01-01'), ('PL', '1', 23, '2021-01-01'),
  ('CH', '1', 7.7, '2021-01-01'), ('CH', '1', 8.1, '2024-01-01'), ('KR', '1', 10, '2021-01-01'),
  ('GB', '1', 20, '2021-01-01'), ('NL', '1', 21, '2021-01-01'), ('ES', '1', 21, '2021-01-01');

CREATE TABLE CURR_RT (
  CURR_CD CHAR(3) REFERENCES CURR_CD (CURR_CD), -- currency code
  RT_DT DATE, -- day of the rate
  EUR_RT DECIMAL(12,6), -- one euro in this currency
  PRIMARY KEY (CURR_CD, RT_DT)
);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 332)
INSERT INTO CURR_RT
SELECT c.column1, date('2026-01-01', i || ' days'),
       round(c.column2 * (1 + (((i * 7919 + 13) * i + 104729) % 1000003 - 500000) / 25000000.0), 6)
FROM n, (VALUES ('CHF', 0.9412), ('PLN', 4.2875), ('KRW', 1612.4), ('GBP', 0.8521), ('USD', 1.1134)) AS c;

CREATE TABLE CAL_MST (
  -- Calendar with working days of the head office
  CAL_DT DATE PRIMARY KEY, -- day
  WK_NO INTEGER, -- week number
  WKDAY_NO INTEGER, -- day of the week, 0=Sunday
  HLD_YN CHAR(1) -- Y=not a working day
);
WITH RECURSIVE n(d) AS (SELECT '2023-01-01' UNION ALL SELECT date(d, '1 day') FROM n WHERE d < '2026-12-31')
INSERT INTO CAL_MST
SELECT d, CAST(strftime('%W', d) AS INTEGER), CAST(strftime('%w', d) AS INTEGER),
       CASE WHEN strftime('%w', d) IN ('0', '6') OR strftime('%m-%d', d) IN ('01-01', '05-01', '10-03', '12-25', '12-26')
            THEN 'Y' ELSE 'N' END
FROM n;

-- Lists that names are drawn from; gone when the connection closes.

CREATE TEMP TABLE given (k INTEGER PRIMARY KEY, nm TEXT, lang TEXT);
INSERT INTO given (nm, lang) VALUES
  ('Anna', 'de'), ('Jürgen', 'de'), ('Sabine', 'de'), ('Lukas', 'de'), ('Käthe', 'de'), ('Björn', 'de'),
  ('Ingrid', 'de'), ('Matthias', 'de'), ('Heike', 'de'), ('Wolfgang', 'de'), ('Claire', 'fr'), ('Étienne', 'fr'),
  ('Sophie', 'fr'), ('Luc', 'fr'), ('Agnieszka', 'pl'), ('Paweł', 'pl'), ('Małgorzata', 'pl'), ('Tomasz', 'pl'),
  ('민준', 'ko'), ('서연', 'ko'), ('지훈', 'ko'), ('하은', 'ko'), ('도윤', 'ko'), ('수아', 'ko'),
  ('Emma', 'en'), ('Oliver', 'en'), ('Grace', 'en'), ('Jack', 'en'), ('Olivia', 'en'), ('Noah', 'en'),
  ('Marieke', 'nl'), ('Daan', 'nl'), ('Lucía', 'es'), ('Javier', 'es'), ('Carmen', 'es'), ('Pablo', 'es');

CREATE TEMP TABLE family (k INTEGER PRIMARY KEY, nm TEXT, lang TEXT);
INSERT INTO family (nm, lang) VALUES
  ('Müller', 'de'), ('Schmidt', 'de'), ('Schneider', 'de'), ('Weiß', 'de'), ('Köhler', 'de'), ('Becker', 'de'),
  ('Großmann', 'de'), ('Hoffmann', 'de'), ('Vogt', 'de'), ('Martin', 'fr'), ('Lefèvre', 'fr'), ('Moreau', 'fr'),
  ('Kowalski', 'pl'), ('Wiśniewski', 'pl'), ('Nowak', 'pl'), ('김', 'ko'), ('이', 'ko'), ('박', 'ko'), ('최', 'ko'),
  ('Smith', 'en'), ('O''Brien', 'en'), ('Taylor', 'en'), ('Walker', 'en'), ('Johnson', 'en'),
  ('de Vries', 'nl'), ('Jansen', 'nl'), ('García', 'es'), ('Fernández', 'es'), ('Ruiz', 'es');

CREATE TEMP TABLE place (k INTEGER PRIMARY KEY, city TEXT, ctry TEXT, lang TEXT, zip TEXT);
INSERT INTO place (city, ctry, lang, zip) VALUES
  ('Hamburg', 'DE', 'de', '20095'), ('Berlin', 'DE', 'de', '10115'), ('München', 'DE', 'de', '80331'),
  ('Köln', 'DE', 'de', '50667'), ('Leipzig', 'DE', 'de', '04109'), ('Bremen', 'DE', 'de', '28195'),
  ('Düsseldorf', 'DE', 'de', '40213'), ('Wien', 'AT', 'de', '1010'), ('Graz', 'AT', 'de', '8010'),
  ('Zürich', 'CH', 'de', '8001'), ('Basel', 'CH', 'de', '4051'), ('Paris', 'FR', 'fr', '75001'),
  ('Lyon', 'FR', 'fr', '69001'), ('Nantes', 'FR', 'fr', '44000'), ('Kraków', 'PL', 'pl', '30-001'),
  ('Gdańsk', 'PL', 'pl', '80-001'), ('서울', 'KR', 'ko', '04524'), ('부산', 'KR', 'ko', '48058'),
  ('London', 'GB', 'en', 'EC1A'), ('Leeds', 'GB', 'en', 'LS1'), ('Boston', 'US', 'en', '02108'),
  ('Portland', 'US', 'en', '97201'), ('Rotterdam', 'NL', 'nl', '3011'), ('Valencia', 'ES', 'es', '46001');

CREATE TEMP TABLE person (k INTEGER PRIMARY KEY, nm TEXT, lang TEXT);
INSERT INTO person (nm, lang)
SELECT CASE g.lang WHEN 'ko' THEN f.nm || g.nm ELSE g.nm || ' ' || f.nm END, g.lang
FROM given AS g JOIN family AS f USING (lang) ORDER BY g.lang, (g.k * 17 + f.k * 29) % 61, g.k, f.k;
CREATE TEMP TABLE speech (lang TEXT PRIMARY KEY, first INTEGER, n INTEGER);
INSERT INTO speech SELECT lang, min(k), count(*) FROM person GROUP BY lang;

-- Regions, stores, departments, employees.

CREATE TABLE RGN_MST (
  RGN_CD CHAR(2) PRIMARY KEY, -- region code
  RGN_NM VARCHAR(30) NOT NULL, -- region name
  MGR_EMP_NO VARCHAR(6) -- employee who leads the region
);
INSERT INTO RGN_MST VALUES ('NO', 'North', 'E00003'), ('SO', 'South', 'E00007'), ('WE', 'West', 'E00012'),
  ('EA', 'East', 'E00020'), ('AS', 'Asia', 'E00031');

CREATE TABLE STR_MST (
  -- Stores
  STR_NO CHAR(4) PRIMARY KEY, -- store number
  STR_NM VARCHAR(40) NOT NULL, -- store name
  RGN_CD CHAR(2) REFERENCES RGN_MST (RGN_CD), -- region
  CITY_NM VARCHAR(30), -- city
  OPN_DT DATE, -- opened on
  CLS_DT DATE, -- closed on, empty while open
  FLR_SQM INTEGER -- floor space in square metres
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 28)
INSERT INTO STR_MST
SELECT printf('S%03d', i), p.city || ' ' || CASE WHEN i > 24 THEN 'Outlet' ELSE 'Center' END,
       CASE WHEN p.ctry = 'KR' THEN 'AS' WHEN p.city IN ('Hamburg', 'Bremen', 'Gdańsk', 'Leeds') THEN 'NO'
            WHEN p.city IN ('München', 'Wien', 'Graz', 'Zürich', 'Basel', 'Lyon', 'Valencia') THEN 'SO'
            WHEN p.city IN ('Berlin', 'Leipzig', 'Kraków') THEN 'EA' ELSE 'WE' END,
       p.city, date('2011-03-01', (i * 151) || ' days'), CASE WHEN i IN (9, 22) THEN '2025-09-30' END,
       420 + (i * 137) % 900
FROM n JOIN place AS p ON p.k = 1 + (i - 1) % 24;

CREATE TABLE DEPT_MST (
  -- Departments
  DEPT_CD CHAR(3) PRIMARY KEY, -- department code
  DEPT_NM VARCHAR(40) NOT NULL, -- department name
  UP_DEPT_CD CHAR(3) -- department above
);
INSERT INTO DEPT_MST VALUES ('100', 'Management', NULL), ('200', 'Sales', '100'), ('210', 'Online Sales', '200'),
  ('300', 'Logistics', '100'), ('400', 'Finance', '100'), ('500', 'Information Technology', '100'),
  ('600', 'Human Resources', '100'), ('700', 'Purchasing', '100');

CREATE TABLE EMP_MST (
  -- Employees, present and former
  EMP_NO VARCHAR(6) PRIMARY KEY, -- employee number
  EMP_NM VARCHAR(60) NOT NULL, -- employee name
  DEPT_CD CHAR(3) REFERENCES DEPT_MST (DEPT_CD), -- department
  JOB_CD CHAR(2), -- job title, CD_DTL group JOB
  STR_NO CHAR(4), -- store where the employee works
  HIRE_DT DATE, -- hired on
  LEAV_DT DATE, -- left on, empty while employed
  EMAIL_ADDR VARCHAR(80) -- e-mail address
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 320),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO EMP_MST
SELECT printf('E%05d', i), q.nm,
       CASE WHEN a % 100 < 3 THEN '100' WHEN a % 100 < 40 THEN '200' WHEN a % 100 < 52 THEN '210'
            WHEN a % 100 < 76 THEN '300' WHEN a % 100 < 84 THEN '400' WHEN a % 100 < 92 THEN '500'
            WHEN a % 100 < 96 THEN '600' ELSE '700' END,
       printf('%02d', 1 + b % 6), CASE WHEN a % 100 BETWEEN 3 AND 39 THEN printf('S%03d', 1 + b % 28) END,
       date('2009-02-01', (b % 6400) || ' days'),
       CASE WHEN a % 9 = 4 THEN date('2026-11-15', '-' || (b % 300) || ' days') END,
       'e' || i || '@example.com'
FROM h JOIN person AS q ON q.k = 1 + a % 184;

CREATE TABLE EMP_SAL (
  -- Salaries; confidential
  EMP_NO VARCHAR(6) NOT NULL REFERENCES EMP_MST (EMP_NO), -- employee number
  VLD_FR_DT DATE NOT NULL, -- valid from
  SAL_AMT DECIMAL(10,2) NOT NULL, -- monthly salary in euros
  BNS_AMT DECIMAL(10,2), -- yearly bonus in euros
  PRIMARY KEY (EMP_NO, VLD_FR_DT)
);
INSERT INTO EMP_SAL
SELECT EMP_NO, y.column1, round((2450 + (e.rowid * 7919 + CAST(JOB_CD AS INTEGER) * 65000) % 410000 / 100.0) * y.column2, 2),
       CASE WHEN e.rowid % 4 = 0 THEN 1000 + e.rowid % 9 * 250 END
FROM EMP_MST AS e, (VALUES ('2024-01-01', 1.0), ('2025-01-01', 1.03), ('2026-01-01', 1.055)) AS y;

CREATE TABLE EMP_TGT (
  EMP_NO VARCHAR(6), -- employee number
  TGT_YM CHAR(6), -- month of the target, YYYYMM
  TGT_AMT DECIMAL(12,2), -- sales target
  RSL_AMT DECIMAL(12,2), -- result
  PRIMARY KEY (EMP_NO, TGT_YM)
);
WITH RECURSIVE n(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM n WHERE m < 11)
INSERT INTO EMP_TGT
SELECT EMP_NO, printf('2026%02d', m), 8000 + (e.rowid % 20) * 500,
       round(5200 + ((e.rowid * 6101 + m * 71) * m + 224737) % 1000003 / 90.0, 2)
FROM n, EMP_MST AS e WHERE DEPT_CD IN ('200', '210');

-- Products and suppliers.

CREATE TABLE PRD_CAT (
  -- Product categories
  CAT_CD CHAR(3) PRIMARY KEY, -- category code
  CAT_NM VARCHAR(40) NOT NULL, -- category name
  UP_CAT_CD CHAR(3) -- category above
);
INSERT INTO PRD_CAT VALUES ('A00', 'Household', NULL), ('A10', 'Kitchenware', 'A00'), ('A20', 'Cleaning', 'A00'),
  ('A30', 'Lighting', 'A00'), ('B00', 'Electronics', NULL), ('B10', 'Audio', 'B00'), ('B20', 'Cables', 'B00'),
  ('B30', 'Batteries', 'B00'), ('C00', 'Garden', NULL), ('C10', 'Garden tools', 'C00'), ('C20', 'Plants', 'C00'),
  ('D00', 'Office', NULL), ('D10', 'Stationery', 'D00'), ('D20', 'Office furniture', 'D00'), ('E00', 'Paint', NULL),
  ('E10', 'Wall paint', 'E00'), ('E20', 'Varnish', 'E00'), ('F00', 'Sports', NULL), ('F10', 'Cycling', 'F00'),
  ('F20', 'Camping', 'F00');

CREATE TABLE SUP_MST (
  -- Suppliers
  SUP_NO VARCHAR(5) PRIMARY KEY, -- supplier number
  SUP_NM VARCHAR(60) NOT NULL, -- supplier name
  CTRY_CD CHAR(2) REFERENCES CTRY_MST (CTRY_CD), -- country
  PAY_DAYS INTEGER, -- days to pay
  RMK VARCHAR(200) -- remark
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
INSERT INTO SUP_MST
SELECT printf('V%04d', i), f.nm || CASE i % 4 WHEN 0 THEN ' GmbH' WHEN 1 THEN ' & Co.' WHEN 2 THEN ' Trading' ELSE ' Werke' END,
       p.ctry, CASE i % 3 WHEN 0 THEN 14 WHEN 1 THEN 30 ELSE 60 END,
       CASE WHEN i % 13 = 0 THEN 'Active only for garden goods' WHEN i % 17 = 0 THEN 'Delivers late' END
FROM n JOIN family AS f ON f.k = 1 + (i * 11) % 29 JOIN place AS p ON p.k = 1 + (i * 7) % 24;

CREATE TABLE PRD_MST (
  -- Products
  PRD_CD VARCHAR(6) PRIMARY KEY, -- product code
  PRD_NM VARCHAR(80) NOT NULL, -- product name
  CAT_CD CHAR(3) NOT NULL REFERENCES PRD_CAT (CAT_CD), -- category
  SUP_NO VARCHAR(5), -- main supplier
  BRND_NM VARCHAR(30), -- brand name
  UNIT_CD VARCHAR(3) REFERENCES UNIT_CD (UNIT_CD), -- sales unit
  LST_PRC DECIMAL(10,2) NOT NULL, -- list price in euros
  CST_PRC DECIMAL(10,2), -- cost price in euros
  PRD_STAT CHAR(1) NOT NULL, -- product status, CD_DTL group PRD_STAT
  WGT_KG DECIMAL(8,3), -- weight in kilograms
  REG_DT DATE, -- registered on
  DSCN_DT DATE -- discontinued on
);
CREATE TEMP TABLE kind (k INTEGER PRIMARY KEY, cat TEXT, nm TEXT, base INTEGER);
INSERT INTO kind (cat, nm, base) VALUES
  ('A10', 'Saucepan', 2490), ('A10', 'Chef''s knife', 3990), ('A10', 'Mixing bowl', 1250), ('A20', 'Floor cleaner', 449),
  ('A20', 'Mop', 1899), ('A30', 'Desk lamp', 3450), ('A30', 'LED bulb', 699), ('B10', 'Headphones', 7990),
  ('B10', 'Loudspeaker', 12900), ('B20', 'USB cable', 899), ('B20', 'HDMI cable', 1299), ('B30', 'AA battery pack', 799),
  ('C10', 'Spade', 2999), ('C10', 'Hedge trimmer', 8950), ('C20', 'Lavender', 550), ('C20', 'Boxwood', 1450),
  ('D10', 'Ball pen', 149), ('D10', 'Notebook A5', 399), ('D20', 'Office chair', 18900), ('D20', 'Desk', 24900),
  ('E10', 'White wall paint', 3299), ('E10', 'Colour wall paint', 3899), ('E20', 'Wood varnish', 1799),
  ('F10', 'Bicycle lamp', 2199), ('F10', 'Cycle helmet', 4999), ('F20', 'Tent', 15900), ('F20', 'Camping stove', 4450),
  ('F20', 'Sleeping bag', 6990);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO PRD_MST
SELECT printf('P%05d', i), k.nm || ' ' || s.column2, k.cat, printf('V%04d', 1 + b % 90),
       CASE a % 7 WHEN 0 THEN 'Nordlicht' WHEN 1 THEN 'Kranich' WHEN 2 THEN 'Haneul' WHEN 3 THEN 'Bluefin'
                  WHEN 4 THEN 'Tilia' WHEN 5 THEN 'Orla' END,
       CASE WHEN k.cat IN ('E10', 'E20') THEN 'L' WHEN k.cat = 'B20' THEN 'M' WHEN k.cat = 'D10' THEN 'BX' ELSE 'PC' END,
       (k.base * (80 + a % 70) / 100) / 100.0, (k.base * (35 + b % 30) / 100) / 100.0,
       CASE WHEN a % 100 < 7 THEN 'D' WHEN i > 1120 THEN 'N' ELSE 'A' END,
       round(0.05 + b % 9000 / 1000.0, 3),
       date('2016-01-01', (i * 33 / 10) || ' days'), CASE WHEN a % 100 < 7 THEN date('2026-10-31', '-' || (b % 900) || ' days') END
FROM h JOIN kind AS k ON k.k = 1 + i % 28
JOIN (VALUES (0, 'Basic'), (1, 'Plus'), (2, 'Pro'), (3, 'Mini'), (4, 'XL'), (5, 'Classic'), (6, 'Eco')) AS s ON s.column1 = i / 28 % 7;

CREATE TABLE PRD_PRC_HIST (
  -- Former list prices of products
  PRD_CD VARCHAR(6) NOT NULL, -- product code
  VLD_FR_DT DATE NOT NULL, -- valid from
  VLD_TO_DT DATE, -- valid to
  LST_PRC DECIMAL(10,2) NOT NULL, -- list price of that time
  PRIMARY KEY (PRD_CD, VLD_FR_DT)
);
INSERT INTO PRD_PRC_HIST
SELECT PRD_CD, y.column1, y.column2, round(LST_PRC * y.column3, 2)
FROM PRD_MST, (VALUES ('2023-01-01', '2023-12-31', 0.9), ('2024-01-01', '2024-12-31', 0.94), ('2025-01-01', '2025-12-31', 0.97)) AS y
WHERE REG_DT < y.column1;

CREATE TABLE PRD_SUP (
  PRD_CD VARCHAR(6) NOT NULL, -- product code
  SUP_NO VARCHAR(5) NOT NULL, -- supplier number
  SUP_PRD_CD VARCHAR(20), -- the supplier's own product code
  PRIMARY KEY (PRD_CD, SUP_NO)
);
INSERT OR IGNORE INTO PRD_SUP SELECT PRD_CD, SUP_NO, 'X-' || (rowid * 37 % 9973) FROM PRD_MST;
INSERT OR IGNORE INTO PRD_SUP SELECT PRD_CD, printf('V%04d', 1 + rowid * 31 % 90), NULL FROM PRD_MST WHERE rowid % 3 = 0;

CREATE TABLE PRD_RVW (
  -- Reviews that customers wrote
  RVW_NO INTEGER PRIMARY KEY, -- review number
  PRD_CD VARCHAR(6) NOT NULL REFERENCES PRD_MST (PRD_CD), -- product code
  CUST_NO VARCHAR(7), -- customer number
  STAR_CNT INTEGER, -- stars from 1 to 5
  RVW_TXT VARCHAR(400), -- text of the review
  REG_DTM DATETIME -- written at
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5200),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO PRD_RVW
SELECT i, printf('P%05d', 1 + a % 1200), printf('C%06d', 1 + b % 5000), CASE WHEN a % 10 < 4 THEN 5 WHEN a % 10 < 7 THEN 4 ELSE 1 + b % 3 END,
       CASE b % 6 WHEN 0 THEN 'Sehr gut, gerne wieder' WHEN 1 THEN 'Arrived damaged' WHEN 2 THEN '배송이 빨라요'
                  WHEN 3 THEN 'Works as described' WHEN 4 THEN 'Still unprocessed after a week!' END,
       datetime('2024-01-02 08:00:00', (i * 294) || ' minutes')
FROM h;

CREATE TABLE PRD_MST_OLD AS
SELECT PRD_CD, PRD_NM, CAT_CD, SUP_NO, BRND_NM, UNIT_CD, round(LST_PRC * 0.9, 2) AS LST_PRC, CST_PRC, 'A' AS PRD_STAT, WGT_KG, REG_DT, NULL AS DSCN_DT
FROM PRD_MST WHERE REG_DT < '2023-01-01';

CREATE TABLE PRD_ATTR_SHT (
  -- Attribute sheet of a product, one wide row a product
  PRD_CD VARCHAR(6) PRIMARY KEY, -- product code
  DIM_LEN DECIMAL(10,3),
  DIM_LEN_UNIT VARCHAR(3),
  DIM_WID DECIMAL(10,3),
  DIM_WID_UNIT VARCHAR(3),
  DIM_HGT DECIMAL(10,3),
  DIM_HGT_UNIT VARCHAR(3),
  DIM_DPT DECIMAL(10,3),
  DIM_DPT_UNIT VARCHAR(3),
  DIM_DIA DECIMAL(10,3),
  DIM_DIA_UNIT VARCHAR(3),
  DIM_THK DECIMAL(10,3),
  DIM_THK_UNIT VARCHAR(3),
  DIM_VOL DECIMAL(10,3),
  DIM_VOL_UNIT VARCHAR(3),
  PKG1_TYP_CD VARCHAR(14),
  PKG1_QTY DECIMAL(10,3),
  PKG1_LEN DECIMAL(10,3),
  PKG1_WID DECIMAL(10,3),
  PKG1_HGT DECIMAL(10,3),
  PKG1_NET_WGT DECIMAL(10,3),
  PKG1_GRS_WGT DECIMAL(10,3),
  PKG1_EAN VARCHAR(14),
  PKG1_LYR_CNT DECIMAL(10,3),
  PKG1_STK_HGT DECIMAL(10,3),
  PKG1_MAT_CD VARCHAR(14),
  PKG1_RTN_YN CHAR(1),
  PKG2_TYP_CD VARCHAR(14),
  PKG2_QTY DECIMAL(10,3),
  PKG2_LEN DECIMAL(10,3),
  PKG2_WID DECIMAL(10,3),
  PKG2_HGT DECIMAL(10,3),
  PKG2_NET_WGT DECIMAL(10,3),
  PKG2_GRS_WGT DECIMAL(10,3),
  PKG2_EAN VARCHAR(14),
  PKG2_LYR_CNT DECIMAL(10,3),
  PKG2_STK_HGT DECIMAL(10,3),
  PKG2_MAT_CD VARCHAR(14),
  PKG2_RTN_YN CHAR(1),
  PKG3_TYP_CD VARCHAR(14),
  PKG3_QTY DECIMAL(10,3),
  PKG3_LEN DECIMAL(10,3),
  PKG3_WID DECIMAL(10,3),
  PKG3_HGT DECIMAL(10,3),
  PKG3_NET_WGT DECIMAL(10,3),
  PKG3_GRS_WGT DECIMAL(10,3),
  PKG3_EAN VARCHAR(14),
  PKG3_LYR_CNT DECIMAL(10,3),
  PKG3_STK_HGT DECIMAL(10,3),
  PKG3_MAT_CD VARCHAR(14),
  PKG3_RTN_YN CHAR(1),
  PKG4_TYP_CD VARCHAR(14),
  PKG4_QTY DECIMAL(10,3),
  PKG4_LEN DECIMAL(10,3),
  PKG4_WID DECIMAL(10,3),
  PKG4_HGT DECIMAL(10,3),
  PKG4_NET_WGT DECIMAL(10,3),
  PKG4_GRS_WGT DECIMAL(10,3),
  PKG4_EAN VARCHAR(14),
  PKG4_LYR_CNT DECIMAL(10,3),
  PKG4_STK_HGT DECIMAL(10,3),
  PKG4_MAT_CD VARCHAR(14),
  PKG4_RTN_YN CHAR(1),
  NM_DE VARCHAR(80),
  SHRT_DSC_DE VARCHAR(200),
  LNG_DSC_DE TEXT,
  NM_EN VARCHAR(80),
  SHRT_DSC_EN VARCHAR(200),
  LNG_DSC_EN TEXT,
  NM_FR VARCHAR(80),
  SHRT_DSC_FR VARCHAR(200),
  LNG_DSC_FR TEXT,
  NM_PL VARCHAR(80),
  SHRT_DSC_PL VARCHAR(200),
  LNG_DSC_PL TEXT,
  NM_KO VARCHAR(80),
  SHRT_DSC_KO VARCHAR(200),
  LNG_DSC_KO TEXT,
  NM_NL VARCHAR(80),
  SHRT_DSC_NL VARCHAR(200),
  LNG_DSC_NL TEXT,
  NM_ES VARCHAR(80),
  SHRT_DSC_ES VARCHAR(200),
  LNG_DSC_ES TEXT,
  NM_IT VARCHAR(80),
  SHRT_DSC_IT VARCHAR(200),
  LNG_DSC_IT TEXT,
  NM_CS VARCHAR(80),
  SHRT_DSC_CS VARCHAR(200),
  LNG_DSC_CS TEXT,
  NM_SV VARCHAR(80),
  SHRT_DSC_SV VARCHAR(200),
  LNG_DSC_SV TEXT,
  MAT_MAIN_CD VARCHAR(4),
  MAT_MAIN_PCT DECIMAL(5,2),
  MAT_SEC_CD VARCHAR(4),
  MAT_SEC_PCT DECIMAL(5,2),
  MAT_LIN_CD VARCHAR(4),
  MAT_LIN_PCT DECIMAL(5,2),
  MAT_SURF_CD VARCHAR(4),
  MAT_SURF_PCT DECIMAL(5,2),
  MAT_COAT_CD VARCHAR(4),
  MAT_COAT_PCT DECIMAL(5,2),
  MAT_FILL_CD VARCHAR(4),
  MAT_FILL_PCT DECIMAL(5,2),
  MAT_HNDL_CD VARCHAR(4),
  MAT_HNDL_PCT DECIMAL(5,2),
  MAT_LID_CD VARCHAR(4),
  MAT_LID_PCT DECIMAL(5,2),
  ELC_VOLT DECIMAL(10,2),
  ELC_WATT DECIMAL(10,2),
  ELC_AMP DECIMAL(10,2),
  ELC_FREQ DECIMAL(10,2),
  ELC_PLUG_CD VARCHAR(4),
  ELC_IP_CLS VARCHAR(4),
  ELC_LUM DECIMAL(10,2),
  ELC_KELV DECIMAL(10,2),
  ELC_BATT_TYP VARCHAR(4),
  ELC_BATT_CNT DECIMAL(10,2),
  ELC_CHRG_MIN DECIMAL(10,2),
  ELC_RUN_MIN DECIMAL(10,2),
  ELC_STBY_W DECIMAL(10,2),
  ELC_ENRG_CLS VARCHAR(4),
  ELC_NOISE_DB DECIMAL(10,2),
  CRT_CE_YN CHAR(1),
  CRT_CE_DT DATE,
  CRT_GS_YN CHAR(1),
  CRT_GS_DT DATE,
  CRT_FSC_YN CHAR(1),
  CRT_FSC_DT DATE,
  CRT_ROHS_YN CHAR(1),
  CRT_ROHS_DT DATE,
  CRT_REACH_YN CHAR(1),
  CRT_REACH_DT DATE,
  CRT_UKCA_YN CHAR(1),
  CRT_UKCA_DT DATE,
  CRT_FCC_YN CHAR(1),
  CRT_FCC_DT DATE,
  CRT_KC_YN CHAR(1),
  CRT_KC_DT DATE,
  CRT_EMAS_YN CHAR(1),
  CRT_EMAS_DT DATE,
  CRT_BLUE_YN CHAR(1),
  CRT_BLUE_DT DATE,
  CRT_OEKO_YN CHAR(1),
  CRT_OEKO_DT DATE,
  CRT_VEGAN_YN CHAR(1),
  CRT_VEGAN_DT DATE,
  CRT_HALAL_YN CHAR(1),
  CRT_HALAL_DT DATE,
  CRT_KOSHR_YN CHAR(1),
  CRT_KOSHR_DT DATE,
  CRT_FAIR_YN CHAR(1),
  CRT_FAIR_DT DATE,
  CRT_ISO9_YN CHAR(1),
  CRT_ISO9_DT DATE,
  CRT_ISO14_YN CHAR(1),
  CRT_ISO14_DT DATE,
  CRT_TUV_YN CHAR(1),
  CRT_TUV_DT DATE,
  CRT_VDE_YN CHAR(1),
  CRT_VDE_DT DATE,
  CRT_UL_YN CHAR(1),
  CRT_UL_DT DATE,
  CRT_CSA_YN CHAR(1),
  CRT_CSA_DT DATE,
  CRT_PSE_YN CHAR(1),
  CRT_PSE_DT DATE,
  CRT_CCC_YN CHAR(1),
  CRT_CCC_DT DATE,
  CRT_EAC_YN CHAR(1),
  CRT_EAC_DT DATE,
  CRT_NF_YN CHAR(1),
  CRT_NF_DT DATE,
  TRF_DE_NO VARCHAR(12),
  TRF_AT_NO VARCHAR(12),
  TRF_CH_NO VARCHAR(12),
  TRF_FR_NO VARCHAR(12),
  TRF_PL_NO VARCHAR(12),
  TRF_KR_NO VARCHAR(12),
  TRF_GB_NO VARCHAR(12),
  TRF_US_NO VARCHAR(12),
  TRF_NL_NO VARCHAR(12),
  TRF_ES_NO VARCHAR(12),
  TRF_IT_NO VARCHAR(12),
  TRF_CZ_NO VARCHAR(12),
  TRF_SE_NO VARCHAR(12),
  TRF_NO_NO VARCHAR(12),
  TRF_FI_NO VARCHAR(12),
  TRF_DK_NO VARCHAR(12),
  TRF_BE_NO VARCHAR(12),
  TRF_IE_NO VARCHAR(12),
  TRF_PT_NO VARCHAR(12),
  TRF_GR_NO VARCHAR(12),
  IMG_01_URL VARCHAR(120),
  IMG_02_URL VARCHAR(120),
  IMG_03_URL VARCHAR(120),
  IMG_04_URL VARCHAR(120),
  IMG_05_URL VARCHAR(120),
  IMG_06_URL VARCHAR(120),
  IMG_07_URL VARCHAR(120),
  IMG_08_URL VARCHAR(120),
  IMG_09_URL VARCHAR(120),
  IMG_10_URL VARCHAR(120),
  IMG_11_URL VARCHAR(120),
  IMG_12_URL VARCHAR(120),
  IMG_13_URL VARCHAR(120),
  IMG_14_URL VARCHAR(120),
  IMG_15_URL VARCHAR(120),
  IMG_16_URL VARCHAR(120),
  IMG_17_URL VARCHAR(120),
  IMG_18_URL VARCHAR(120),
  IMG_19_URL VARCHAR(120),
  IMG_20_URL VARCHAR(120),
  IMG_21_URL VARCHAR(120),
  IMG_22_URL VARCHAR(120),
  IMG_23_URL VARCHAR(120),
  IMG_24_URL VARCHAR(120),
  FREE_ATTR_01 VARCHAR(60),
  FREE_ATTR_02 VARCHAR(60),
  FREE_ATTR_03 VARCHAR(60),
  FREE_ATTR_04 VARCHAR(60),
  FREE_ATTR_05 VARCHAR(60),
  FREE_ATTR_06 VARCHAR(60),
  FREE_ATTR_07 VARCHAR(60),
  FREE_ATTR_08 VARCHAR(60),
  FREE_ATTR_09 VARCHAR(60),
  FREE_ATTR_10 VARCHAR(60),
  FREE_ATTR_11 VARCHAR(60),
  FREE_ATTR_12 VARCHAR(60),
  FREE_ATTR_13 VARCHAR(60),
  FREE_ATTR_14 VARCHAR(60),
  FREE_ATTR_15 VARCHAR(60),
  FREE_ATTR_16 VARCHAR(60),
  FREE_ATTR_17 VARCHAR(60),
  FREE_ATTR_18 VARCHAR(60),
  FREE_ATTR_19 VARCHAR(60),
  FREE_ATTR_20 VARCHAR(60),
  FREE_ATTR_21 VARCHAR(60),
  FREE_ATTR_22 VARCHAR(60),
  FREE_ATTR_23 VARCHAR(60),
  FREE_ATTR_24 VARCHAR(60),
  FREE_ATTR_25 VARCHAR(60),
  FREE_ATTR_26 VARCHAR(60),
  FREE_ATTR_27 VARCHAR(60),
  FREE_ATTR_28 VARCHAR(60),
  FREE_ATTR_29 VARCHAR(60),
  FREE_ATTR_30 VARCHAR(60),
  FREE_ATTR_31 VARCHAR(60),
  FREE_ATTR_32 VARCHAR(60),
  FREE_ATTR_33 VARCHAR(60),
  FREE_ATTR_34 VARCHAR(60),
  FREE_ATTR_35 VARCHAR(60),
  FREE_ATTR_36 VARCHAR(60),
  FREE_ATTR_37 VARCHAR(60),
  FREE_ATTR_38 VARCHAR(60),
  FREE_ATTR_39 VARCHAR(60),
  FREE_ATTR_40 VARCHAR(60),
  FREE_ATTR_41 VARCHAR(60),
  FREE_ATTR_42 VARCHAR(60),
  FREE_ATTR_43 VARCHAR(60),
  FREE_ATTR_44 VARCHAR(60),
  FREE_ATTR_45 VARCHAR(60),
  FREE_ATTR_46 VARCHAR(60),
  FREE_ATTR_47 VARCHAR(60),
  FREE_ATTR_48 VARCHAR(60),
  FREE_ATTR_49 VARCHAR(60),
  FREE_ATTR_50 VARCHAR(60),
  FREE_ATTR_51 VARCHAR(60),
  FREE_ATTR_52 VARCHAR(60),
  FREE_ATTR_53 VARCHAR(60),
  FREE_ATTR_54 VARCHAR(60),
  FREE_ATTR_55 VARCHAR(60),
  FREE_ATTR_56 VARCHAR(60),
  FREE_ATTR_57 VARCHAR(60),
  FREE_ATTR_58 VARCHAR(60),
  FREE_ATTR_59 VARCHAR(60),
  FREE_ATTR_60 VARCHAR(60),
  FREE_ATTR_61 VARCHAR(60),
  FREE_ATTR_62 VARCHAR(60),
  FREE_ATTR_63 VARCHAR(60),
  FREE_ATTR_64 VARCHAR(60),
  FREE_ATTR_65 VARCHAR(60),
  FREE_ATTR_66 VARCHAR(60),
  FREE_ATTR_67 VARCHAR(60),
  FREE_ATTR_68 VARCHAR(60),
  FREE_ATTR_69 VARCHAR(60),
  FREE_ATTR_70 VARCHAR(60),
  FREE_ATTR_71 VARCHAR(60),
  FREE_ATTR_72 VARCHAR(60),
  FREE_ATTR_73 VARCHAR(60),
  FREE_ATTR_74 VARCHAR(60),
  FREE_ATTR_75 VARCHAR(60),
  FREE_ATTR_76 VARCHAR(60),
  FREE_ATTR_77 VARCHAR(60),
  FREE_ATTR_78 VARCHAR(60),
  FREE_ATTR_79 VARCHAR(60),
  FREE_ATTR_80 VARCHAR(60),
  FREE_ATTR_81 VARCHAR(60),
  FREE_ATTR_82 VARCHAR(60),
  FREE_ATTR_83 VARCHAR(60),
  FREE_ATTR_84 VARCHAR(60),
  FREE_ATTR_85 VARCHAR(60),
  FREE_ATTR_86 VARCHAR(60),
  FREE_ATTR_87 VARCHAR(60),
  FREE_ATTR_88 VARCHAR(60),
  FREE_ATTR_89 VARCHAR(60),
  FREE_ATTR_90 VARCHAR(60),
  FREE_ATTR_91 VARCHAR(60),
  FREE_ATTR_92 VARCHAR(60),
  FREE_ATTR_93 VARCHAR(60),
  HAZ_CLS_CD CHAR(1), -- hazard class: 0=none, 2=gas, 3=flammable liquid, 8=corrosive, 9=other hazard
  SHLF_LIFE_DAYS INTEGER, -- shelf life in days
  ORGN_CTRY_CD CHAR(2), -- country of origin
  UPD_DTM DATETIME -- last changed at
);
INSERT INTO PRD_ATTR_SHT (PRD_CD, DIM_LEN, DIM_LEN_UNIT, DIM_WID, DIM_WID_UNIT, DIM_HGT, DIM_HGT_UNIT, PKG1_TYP_CD, PKG1_QTY,
  PKG1_EAN, PKG2_QTY, NM_DE, NM_EN, SHRT_DSC_EN, MAT_MAIN_CD, MAT_MAIN_PCT, ELC_VOLT, ELC_WATT, CRT_CE_YN, CRT_CE_DT, CRT_FSC_YN,
  TRF_DE_NO, IMG_01_URL, FREE_ATTR_01, HAZ_CLS_CD, SHLF_LIFE_DAYS, ORGN_CTRY_CD, UPD_DTM)
SELECT PRD_CD, 50 + i * 37 % 900, 'MM', 40 + i * 53 % 700, 'MM', 20 + i * 71 % 500, 'MM', CASE i % 3 WHEN 0 THEN 'CT' ELSE 'BG' END, 1,
       '40' || printf('%011d', i * 7919), 6 + i % 4 * 6, PRD_NM, PRD_NM, PRD_NM || ' by ' || BRND_NM, 'M' || (i % 9), 60 + i % 40,
       CASE WHEN CAT_CD IN ('A30', 'B10') THEN 230 END, CASE WHEN CAT_CD IN ('A30', 'B10') THEN 5 + i % 60 END,
       CASE WHEN CAT_CD LIKE 'B%' OR CAT_CD = 'A30' THEN 'Y' ELSE 'N' END, CASE WHEN CAT_CD LIKE 'B%' THEN '2021-05-17' END,
       CASE WHEN CAT_CD LIKE 'D%' THEN 'Y' END, printf('%08d', i * 104729 % 99999989), 'https://img.example.com/' || PRD_CD || '.jpg',
       CASE WHEN i % 31 = 0 THEN 'flammable, see sheet' END,
       CASE WHEN CAT_CD IN ('E10', 'E20') AND i % 4 <> 0 THEN '3' WHEN CAT_CD = 'A20' AND i % 3 = 0 THEN '8'
            WHEN CAT_CD = 'B30' THEN '9' WHEN CAT_CD = 'F20' AND PRD_NM LIKE 'Camping stove%' THEN '2' ELSE '0' END,
       CASE WHEN CAT_CD IN ('A20', 'C20', 'E10', 'E20') THEN 180 + i * 13 % 900 END,
       (SELECT CTRY_CD FROM SUP_MST AS s WHERE s.SUP_NO = p.SUP_NO), datetime('2026-01-05 09:00:00', (i * 6) || ' hours')
FROM (SELECT rowid AS i, * FROM PRD_MST) AS p;

-- Customers.

CREATE TABLE CUST_GRP (
  GRP_NO INTEGER PRIMARY KEY, -- customer group number
  GRP_NM VARCHAR(40) NOT NULL -- name of the customer group
);
INSERT INTO CUST_GRP VALUES (1, 'Newsletter'), (2, 'Craftsmen'), (3, 'Schools'), (4, 'Employees'), (5, 'Test accounts');

CREATE TABLE CUST_MST (
  -- Customers of the shop and the stores: everyone who registered
  CUST_NO VARCHAR(7) PRIMARY KEY, -- customer number
  CUST_NM VARCHAR(80) NOT NULL, -- customer name
  CUST_TYP CHAR(1) NOT NULL, -- customer type: P=person, B=business
  CUST_GRD CHAR(1), -- customer grade, CD_DTL group CUST_GRD
  CTRY_CD CHAR(2) REFERENCES CTRY_MST (CTRY_CD), -- country of residence
  CITY_NM VARCHAR(30), -- city
  ZIP_NO VARCHAR(10), -- postal code
  BIRTH_DT DATE, -- date of birth
  REG_DT DATE NOT NULL, -- registration date
  WDR_DT DATE, -- date of closing the account
  EMAIL_ADDR VARCHAR(80), -- e-mail address
  TEL_NO VARCHAR(20), -- telephone number
  CRD_LMT_AMT DECIMAL(10,2), -- credit limit in euros
  RMK VARCHAR(200) -- remark
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b,
             ((i * 3571 + 29) * i + 350377) % 1000003 AS c FROM n)
INSERT INTO CUST_MST
SELECT printf('C%06d', i),
       q.nm || CASE WHEN b % 100 < 22 THEN CASE p.lang WHEN 'de' THEN ' GmbH' WHEN 'en' THEN ' Ltd.' WHEN 'ko' THEN ' 상사' ELSE ' & Co.' END ELSE '' END,
       CASE WHEN b % 100 < 22 THEN 'B' ELSE 'P' END,
       CASE WHEN c % 100 < 3 THEN 'V' WHEN c % 100 < 14 THEN 'G' WHEN c % 100 < 37 THEN 'S' WHEN c % 100 < 98 THEN 'N' END,
       p.ctry, p.city, p.zip,
       CASE WHEN b % 100 >= 22 AND c % 7 > 1 THEN date('2006-12-31', '-' || (a % 21000) || ' days') END,
       CASE WHEN i <= 2500 THEN date('2014-06-01', (i * 3134 / 2501) || ' days') ELSE date('2023-01-01', ((i - 2500) * 1428 / 3500) || ' days') END,
       CASE WHEN i < 5200 AND c % 43 = 0 THEN date('2026-11-28', '-' || (b % 180) || ' days') END,
       CASE WHEN a % 12 > 0 THEN 'c' || i || '@example.' || lower(p.ctry) END,
       CASE WHEN b % 5 > 0 THEN '+' || (30 + a % 60) || ' ' || (100000 + c % 900000) END,
       CASE WHEN b % 100 < 22 THEN (1 + a % 40) * 500 END,
       CASE WHEN a % 97 = 0 THEN 'VIP according to sales, check grade' WHEN a % 89 = 0 THEN 'lives in Germany now' WHEN a % 83 = 0 THEN 'Duplicate?' END
FROM h JOIN place AS p ON p.k = CASE WHEN c % 10 < 4 THEN 1 + c % 7 ELSE 1 + a % 24 END
JOIN speech AS s ON s.lang = p.lang JOIN person AS q ON q.k = s.first + (b * 7 + i) % s.n;

CREATE TABLE CUST_GRP_MAP (
  CUST_NO VARCHAR(7) NOT NULL, -- customer number
  GRP_NO INTEGER NOT NULL, -- customer group number
  PRIMARY KEY (CUST_NO, GRP_NO)
);
INSERT INTO CUST_GRP_MAP SELECT CUST_NO, GRP_NO FROM CUST_MST AS c, CUST_GRP WHERE (c.rowid * 31 + GRP_NO * 7) % (GRP_NO * 5) = 0;

CREATE TABLE CUST_ADDR (
  -- Delivery and billing addresses of customers
  ADDR_NO INTEGER PRIMARY KEY, -- address number
  CUST_NO VARCHAR(7) NOT NULL REFERENCES CUST_MST (CUST_NO), -- customer number
  ADDR_TYP CHAR(1) NOT NULL, -- D=delivery, B=billing
  STRT_NM VARCHAR(60), -- street
  CITY_NM VARCHAR(30), -- city
  CTRY_CD CHAR(2), -- country
  DFLT_YN CHAR(1) -- Y=used unless another one is chosen
);
INSERT INTO CUST_ADDR (CUST_NO, ADDR_TYP, STRT_NM, CITY_NM, CTRY_CD, DFLT_YN)
SELECT CUST_NO, t.column1, CASE c.rowid % 5 WHEN 0 THEN 'Hafenstraße ' WHEN 1 THEN 'Lindenweg ' WHEN 2 THEN 'Station Road ' WHEN 3 THEN 'ul. Długa ' ELSE '테헤란로 ' END || (1 + c.rowid * 7 % 120),
       CITY_NM, CTRY_CD, CASE t.column1 WHEN 'D' THEN 'Y' ELSE 'N' END
FROM CUST_MST AS c, (VALUES ('D'), ('B')) AS t WHERE t.column1 = 'D' OR c.rowid % 4 = 0;

CREATE TABLE CUST_MST_BAK AS SELECT * FROM CUST_MST WHERE REG_DT <= '2026-03-31';
UPDATE CUST_MST_BAK SET WDR_DT = NULL WHERE WDR_DT > '2026-03-31';
UPDATE CUST_MST_BAK SET CUST_GRD = 'N' WHERE rowid % 23 = 0;

-- Orders. The work table o has a row an order, with all that the lines need.

CREATE TEMP TABLE o (i INTEGER PRIMARY KEY, ord_no TEXT, day INTEGER, dt TEXT, age INTEGER, cust TEXT, r INTEGER, s INTEGER, t INTEGER, lines INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000),
h AS (SELECT i, 1429 * i * (135 * 60000 - 35 * i) / (100 * 60000 * 60000 + 1) AS day,
             ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b,
             ((i * 3571 + 29) * i + 350377) % 1000003 AS c, ((i * 2477 + 41) * i + 611953) % 1000003 AS d FROM n),
g AS (SELECT *, 1 + a * a * (2500 + 3500 * day / 1429) / 1000006000009 AS cu FROM h)
INSERT INTO o
SELECT i, printf('S%07d', 100000 + i), day, date('2023-01-01', day || ' days'), 1429 - day,
       printf('C%06d', cu - (cu % 19 = 0)), b % 1000, c, d, CASE WHEN d % 10 < 1 THEN 1 WHEN d % 10 < 3 THEN 2 ELSE 3 + d % 5 - (d % 7 = 0) END
FROM g;

CREATE TABLE ORD_MST (
  -- Orders: one row an order, the live table
  ORD_NO VARCHAR(8) PRIMARY KEY, -- order number
  ORD_DT DATE NOT NULL, -- order date: the day the order was placed
  CUST_NO VARCHAR(7) NOT NULL REFERENCES CUST_MST (CUST_NO), -- customer number
  STATUS_CODE CHAR(2) NOT NULL, -- order status, CD_DTL group ORD_STAT
  CHNL_CD CHAR(1) NOT NULL, -- sales channel: W=web shop, S=store, P=phone, M=marketplace
  PAY_MTD CHAR(2), -- payment method, CD_DTL group PAY_MTD
  SRC_CD CHAR(2),
  STR_NO CHAR(4), -- store, for orders placed in one
  EMP_NO VARCHAR(6), -- employee who took the order
  ORD_AMT DECIMAL(12,2) NOT NULL, -- order amount: goods after discount, without tax and shipping, in euros
  DC_AMT DECIMAL(12,2), -- discount given
  SHP_AMT DECIMAL(8,2), -- shipping charge
  TAX_AMT DECIMAL(12,2), -- tax
  PAY_AMT DECIMAL(12,2), -- amount to pay: goods, shipping and tax
  REQ_DT DATE, -- delivery date that the customer asked for
  REMARK VARCHAR(200), -- free text of the sales clerk, not maintained
  REG_DTM DATETIME, -- row written at
  UPD_DTM DATETIME -- row last changed at
);

CREATE TABLE ORD_DTL (
  -- Order lines: one row a product in an order
  ORD_NO VARCHAR(8) NOT NULL REFERENCES ORD_MST (ORD_NO), -- order number
  LN_NO INTEGER NOT NULL, -- line number
  PRD_CD VARCHAR(6) NOT NULL, -- product code
  QTY INTEGER NOT NULL, -- quantity ordered
  UNIT_PRC DECIMAL(10,2) NOT NULL, -- price of one unit in euros
  DC_PCT DECIMAL(4,1), -- discount in percent
  LN_AMT DECIMAL(12,2) NOT NULL, -- line amount after discount in euros
  PRIMARY KEY (ORD_NO, LN_NO)
) WITHOUT ROWID;
WITH l AS (SELECT o.*, v.column1 AS ln, ((i * 13 + v.column1) * 7919 + 13) * (i * 13 + v.column1) % 1000003 AS e
           FROM o JOIN (VALUES (1), (2), (3), (4), (5), (6), (7)) AS v ON v.column1 <= o.lines),
m AS (SELECT l.*, 1 + e * e % 1000003 % 1200 AS prd, CASE WHEN e % 100 < 55 THEN 1 + e % 2 WHEN e % 100 < 96 THEN 1 + e % 6 ELSE 8 + e % 17 END AS q,
             CASE WHEN t % 9 = 0 THEN 10 WHEN t % 23 = 0 THEN 15 ELSE 0 END AS dc FROM l)
INSERT INTO ORD_DTL
SELECT ord_no, ln, PRD_CD, q, LST_PRC, dc, round(q * LST_PRC * (100 - dc) / 100, 2)
FROM m JOIN PRD_MST AS p ON p.rowid = m.prd ORDER BY m.i, ln;
CREATE INDEX ORD_DTL_PRD ON ORD_DTL (PRD_CD);

WITH a AS (SELECT ORD_NO, round(sum(LN_AMT), 2) AS amt, round(sum(QTY * UNIT_PRC) - sum(LN_AMT), 2) AS dc FROM ORD_DTL GROUP BY ORD_NO)
INSERT INTO ORD_MST
SELECT o.ord_no, dt, cust,
       CASE WHEN age <= 3 THEN CASE WHEN r < 650 THEN '10' WHEN r < 950 THEN '20' ELSE '90' END
            WHEN age <= 10 THEN CASE WHEN r < 150 THEN '10' WHEN r < 180 THEN '15' WHEN r < 450 THEN '20' WHEN r < 850 THEN '30' WHEN r < 960 THEN '40' ELSE '90' END
            WHEN age <= 30 THEN CASE WHEN r < 40 THEN '10' WHEN r < 55 THEN '15' WHEN r < 80 THEN '20' WHEN r < 300 THEN '30' WHEN r < 950 THEN '40' ELSE '90' END
            WHEN age <= 400 THEN CASE WHEN r < 13 THEN '10' WHEN r < 19 THEN '15' WHEN r < 22 THEN '20' WHEN r < 25 THEN '30' WHEN r < 948 THEN '40' ELSE '90' END
            ELSE CASE WHEN r < 1 THEN '10' WHEN r < 945 THEN '40' ELSE '90' END END,
       CASE WHEN s % 100 < 58 THEN 'W' WHEN s % 100 < 79 THEN 'S' WHEN s % 100 < 88 THEN 'P' ELSE 'M' END,
       CASE WHEN t % 100 < 38 THEN 'CC' WHEN t % 100 < 55 THEN 'BT' WHEN t % 100 < 80 THEN 'PP' WHEN t % 100 < 94 THEN 'IV' WHEN t % 100 < 98 THEN 'CD' END,
       CASE t % 4 WHEN 0 THEN 'A1' WHEN 1 THEN 'A2' WHEN 2 THEN 'B1' END,
       CASE WHEN s % 100 BETWEEN 58 AND 78 THEN printf('S%03d', 1 + t % 28) END,
       CASE WHEN s % 100 BETWEEN 58 AND 87 THEN printf('E%05d', 1 + t % 320) END,
       amt, dc, CASE WHEN amt >= 150 THEN 0 ELSE 4.95 END, round(amt * 0.19, 2),
       round(amt + round(amt * 0.19, 2) + CASE WHEN amt >= 150 THEN 0 ELSE 4.95 END, 2),
       CASE WHEN s % 11 = 0 THEN date(dt, (5 + s % 20) || ' days') END,
       CASE WHEN s % 41 = 0 THEN 'unprocessed, waiting for credit check' WHEN s % 43 = 0 THEN 'customer says cancelled?'
            WHEN s % 47 = 0 THEN 'Bitte vor 12 Uhr liefern' WHEN s % 53 = 0 THEN '경비실에 맡겨 주세요' WHEN s % 59 = 0 THEN 'shipped in two parcels' END,
       dt || printf(' %02d:%02d:%02d', 7 + s % 14, t % 60, r % 60),
       date(dt, min(age - 1, t % 12) || ' days') || printf(' %02d:%02d:00', 8 + t % 11, s % 60)
FROM o JOIN a USING (ord_no) ORDER BY o.i;
CREATE INDEX ORD_MST_DT ON ORD_MST (ORD_DT);
CREATE INDEX ORD_MST_CUST ON ORD_MST (CUST_NO);

CREATE TABLE ORD_DTL_H (
  -- Changes of order lines after the order was placed
  CHG_NO INTEGER PRIMARY KEY, -- number of the change
  ORD_NO VARCHAR(8) NOT NULL, -- order number
  LN_NO INTEGER NOT NULL, -- line number
  OLD_QTY INTEGER, -- quantity before
  NEW_QTY INTEGER, -- quantity after
  CHG_RSN VARCHAR(100), -- why, in words
  CHG_DTM DATETIME -- changed at
);
INSERT INTO ORD_DTL_H (ORD_NO, LN_NO, OLD_QTY, NEW_QTY, CHG_RSN, CHG_DTM)
SELECT d.ORD_NO, LN_NO, QTY + 1 + o.r % 3, QTY, CASE o.r % 4 WHEN 0 THEN 'customer called' WHEN 1 THEN 'not in stock' WHEN 2 THEN '수량 변경' END,
       date(dt, '1 day') || ' 10:15:00'
FROM ORD_DTL AS d JOIN o USING (ord_no) WHERE (o.s + d.LN_NO) % 19 = 0 AND age > 1;

CREATE TABLE ORD_STAT_H (
  -- History of order states
  ORD_NO VARCHAR(8) NOT NULL REFERENCES ORD_MST (ORD_NO), -- order number
  SEQ_NO INTEGER NOT NULL, -- running number within the order
  STATUS_CODE CHAR(2) NOT NULL, -- order status reached, CD_DTL group ORD_STAT
  CHG_DTM DATETIME NOT NULL, -- reached at
  EMP_NO VARCHAR(6), -- employee who changed it
  PRIMARY KEY (ORD_NO, SEQ_NO)
) WITHOUT ROWID;
INSERT INTO ORD_STAT_H
SELECT ORD_NO, v.column1, v.column2, date(ORD_DT, (v.column1 * 2 - 2) || ' days') || ' 09:30:00', EMP_NO
FROM ORD_MST JOIN (VALUES (1, '10'), (2, '20'), (3, '30'), (4, '40')) AS v
WHERE ORD_DT >= '2026-01-01' AND (v.column1 = 1 OR (STATUS_CODE BETWEEN '20' AND '40' AND v.column2 <= STATUS_CODE));

CREATE TABLE ORD_PAY (
  -- Payments received for orders
  PAY_NO INTEGER PRIMARY KEY, -- payment number
  ORD_NO VARCHAR(8) NOT NULL, -- order number
  PAY_DT DATE NOT NULL, -- payment date
  PAY_AMT DECIMAL(12,2) NOT NULL, -- amount paid
  PAY_MTD CHAR(2) -- payment method, CD_DTL group PAY_MTD
);
INSERT INTO ORD_PAY (ORD_NO, PAY_DT, PAY_AMT, PAY_MTD)
SELECT m.ORD_NO, date(m.ORD_DT, (CASE PAY_MTD WHEN 'IV' THEN 14 + o.r % 16 WHEN 'BT' THEN 2 + o.r % 5 ELSE 0 END) || ' days'), PAY_AMT, PAY_MTD
FROM ORD_MST AS m JOIN o USING (ord_no) WHERE STATUS_CODE IN ('30', '40') AND PAY_MTD IS NOT NULL;

CREATE TABLE ORD_DC (
  ORD_NO VARCHAR(8) NOT NULL, -- order number
  CPN_CD VARCHAR(12) NOT NULL, -- coupon code
  DC_AMT DECIMAL(12,2), -- discount given for the coupon
  PRIMARY KEY (ORD_NO, CPN_CD)
);
INSERT INTO ORD_DC
SELECT ORD_NO, 'CPN' || substr(ORD_DT, 3, 2) || printf('%03d', o.t % 40), DC_AMT FROM ORD_MST JOIN o USING (ord_no) WHERE DC_AMT > 0;

CREATE TABLE CPN_MST (
  -- Coupons
  CPN_CD VARCHAR(12) PRIMARY KEY, -- coupon code
  CMP_NO INTEGER, -- campaign number
  DC_PCT DECIMAL(4,1), -- discount in percent
  VLD_FR_DT DATE, -- valid from
  VLD_TO_DT DATE -- valid to
);
INSERT INTO CPN_MST SELECT CPN_CD, 1 + substr(CPN_CD, 6) % 18, 10 + 5 * (substr(CPN_CD, 6) % 2), '20' || substr(CPN_CD, 4, 2) || '-01-01', '20' || substr(CPN_CD, 4, 2) || '-12-31'
FROM (SELECT DISTINCT CPN_CD FROM ORD_DC);

CREATE TABLE CMP_MST (
  -- Marketing campaigns
  CMP_NO INTEGER PRIMARY KEY, -- campaign number
  CMP_NM VARCHAR(60) NOT NULL, -- campaign name
  STRT_DT DATE, -- start date
  END_DT DATE, -- end date
  BUDG_AMT DECIMAL(12,2) -- budget in euros
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 18)
INSERT INTO CMP_MST
SELECT i, CASE i % 4 WHEN 0 THEN 'Winter sale ' WHEN 1 THEN 'Spring garden ' WHEN 2 THEN 'Sommerfest ' ELSE '추석 특가 ' END || (2023 + (i - 1) / 5),
       date('2023-02-01', (i * 76) || ' days'), date('2023-02-01', (i * 76 + 30) || ' days'), 12000 + i * 8137 % 40000 FROM n;

CREATE TABLE CMP_CUST_MAP (
  CMP_NO INTEGER NOT NULL, -- campaign number
  CUST_NO VARCHAR(7) NOT NULL, -- customer number
  SENT_YN CHAR(1), -- Y=letter sent
  PRIMARY KEY (CMP_NO, CUST_NO)
) WITHOUT ROWID;
INSERT INTO CMP_CUST_MAP SELECT CMP_NO, CUST_NO, CASE WHEN (c.rowid + CMP_NO) % 9 = 0 THEN 'N' ELSE 'Y' END FROM CMP_MST, CUST_MST AS c WHERE (c.rowid * CMP_NO) % 37 = 5;

-- Copies of the order table, as people leave them behind.

CREATE TABLE ORD_MST_BAK AS
SELECT ORD_NO, ORD_DT, CUST_NO,
       CASE WHEN ORD_DT > '2026-06-26' AND o.r < 700 THEN '10' WHEN ORD_DT > '2026-06-19' AND o.r < 850 THEN '20'
            WHEN ORD_DT > '2026-06-05' AND o.r BETWEEN 22 AND 300 THEN '30' WHEN ORD_DT > '2025-06-01' AND o.r BETWEEN 13 AND 31 THEN '10'
            ELSE STATUS_CODE END AS STATUS_CODE,
       CHNL_CD, PAY_MTD, SRC_CD, STR_NO, EMP_NO, CASE WHEN o.s % 37 = 0 THEN round(ORD_AMT * 0.9, 2) ELSE ORD_AMT END AS ORD_AMT, DC_AMT, SHP_AMT, TAX_AMT, PAY_AMT, REQ_DT, REMARK, REG_DTM,
       min(UPD_DTM, '2026-06-30 18:00:00') AS UPD_DTM
FROM ORD_MST JOIN o USING (ord_no) WHERE ORD_DT <= '2026-06-30';

CREATE TABLE ORD_MST_202312 AS
SELECT ORD_NO, ORD_DT, CUST_NO, CASE WHEN ORD_DT > '2023-12-22' AND o.r < 600 THEN '10' WHEN o.r < 8 THEN '10' ELSE STATUS_CODE END AS STATUS_CODE,
       CHNL_CD, PAY_MTD, SRC_CD, STR_NO, EMP_NO, CASE WHEN o.s % 37 = 0 THEN round(ORD_AMT * 0.9, 2) ELSE ORD_AMT END AS ORD_AMT, DC_AMT, SHP_AMT, TAX_AMT, PAY_AMT, REQ_DT, REMARK, REG_DTM,
       min(UPD_DTM, '2023-12-31 23:00:00') AS UPD_DTM
FROM ORD_MST JOIN o USING (ord_no) WHERE ORD_DT <= '2023-12-31';

CREATE TABLE TMP_ORD_MST AS
SELECT ORD_NO, ORD_DT, CUST_NO, STATUS_CODE, CHNL_CD, PAY_MTD, SRC_CD, STR_NO, EMP_NO, ORD_AMT, DC_AMT, SHP_AMT, TAX_AMT, PAY_AMT, REQ_DT, REMARK, REG_DTM
FROM ORD_MST WHERE STATUS_CODE = '10' AND ORD_DT BETWEEN '2026-08-01' AND '2026-10-15';

CREATE TABLE OLD_ORD_MST AS
SELECT ORD_NO, ORD_DT, CUST_NO, CASE WHEN o.r % 50 = 0 THEN '10' ELSE STATUS_CODE END AS STATUS_CODE, CHNL_CD, PAY_MTD, SRC_CD, STR_NO, EMP_NO,
       CASE WHEN o.s % 37 = 0 THEN round(ORD_AMT * 0.9, 2) ELSE ORD_AMT END AS ORD_AMT, DC_AMT, SHP_AMT, TAX_AMT, PAY_AMT, REQ_DT, REMARK, REG_DTM, UPD_DTM
FROM ORD_MST JOIN o USING (ord_no) WHERE ORD_DT < '2025-01-01';

CREATE TABLE STG_ORD_MST AS
SELECT m.*, '2026-11-29 23:30:00' AS LOAD_DTM FROM ORD_MST AS m WHERE ORD_DT >= '2026-11-27'
UNION ALL SELECT m.*, '2026-11-29 23:45:00' FROM ORD_MST AS m WHERE ORD_DT = '2026-11-29';

CREATE TABLE ORD_DTL_BAK AS SELECT d.* FROM ORD_DTL AS d JOIN ORD_MST USING (ORD_NO) WHERE ORD_DT BETWEEN '2026-01-01' AND '2026-06-30';

-- Returns, a table of their own.

CREATE TABLE RTN_HIST (
  -- Returns: goods that customers sent back; orders keep their status
  RTN_NO VARCHAR(8) PRIMARY KEY, -- return number
  ORD_NO VARCHAR(8) NOT NULL, -- order number
  LN_NO INTEGER NOT NULL, -- line number of the order
  RTN_DT DATE NOT NULL, -- return date
  RTN_QTY INTEGER NOT NULL, -- quantity sent back
  RSN_CD CHAR(2) NOT NULL REFERENCES RTN_RSN_CD (RSN_CD), -- return reason
  RFND_AMT DECIMAL(12,2), -- amount paid back in euros, empty until decided
  RMK VARCHAR(200) -- remark of the warehouse
);
INSERT INTO RTN_HIST
SELECT printf('R%07d', row_number() OVER (ORDER BY o.i, d.LN_NO)), d.ORD_NO, d.LN_NO, date(dt, (6 + o.s % 21) || ' days'), min(QTY, 1 + o.t % 3),
       CASE WHEN o.t % 100 < 23 THEN '01' WHEN o.t % 100 < 37 THEN '02' WHEN o.t % 100 < 58 THEN '03' WHEN o.t % 100 < 84 THEN '04' WHEN o.t % 100 < 93 THEN '05' ELSE '09' END,
       CASE WHEN age > 60 OR o.r % 3 > 0 THEN round(LN_AMT / QTY * min(QTY, 1 + o.t % 3), 2) END,
       CASE WHEN o.s % 31 = 0 THEN 'box damaged, goods fine' WHEN o.s % 29 = 0 THEN 'Ware unbenutzt' END
FROM ORD_DTL AS d JOIN o USING (ord_no) JOIN ORD_MST AS m USING (ORD_NO)
WHERE STATUS_CODE = '40' AND (o.s * 7 + d.LN_NO * 11) % 37 = 0 AND age > 6 + o.s % 21;

-- Shipping.

CREATE TABLE CRR_MST (
  -- Carriers
  CRR_CD VARCHAR(4) PRIMARY KEY, -- carrier code
  CRR_NM VARCHAR(30) NOT NULL, -- carrier name
  TEL_NO VARCHAR(20) -- telephone number
);
INSERT INTO CRR_MST VALUES ('C01', 'DHL', '+49 228 1000'), ('C02', 'DPD', NULL), ('C03', 'UPS', '+1 800 1000'), ('C04', 'GLS', NULL), ('C05', 'CJ대한통운', '+82 2 1000');

CREATE TABLE WH_MST (
  -- Warehouses
  WH_CD CHAR(3) PRIMARY KEY, -- warehouse code
  WH_NM VARCHAR(30) NOT NULL, -- warehouse name
  CITY_NM VARCHAR(30), -- city
  CTRY_CD CHAR(2) -- country
);
INSERT INTO WH_MST VALUES ('W01', 'Hamburg', 'Hamburg', 'DE'), ('W02', 'Leipzig', 'Leipzig', 'DE'), ('W03', 'Rotterdam', 'Rotterdam', 'NL'), ('W04', 'Incheon', '인천', 'KR');

CREATE TABLE SHP_MST (
  -- Shipments
  SHP_NO VARCHAR(9) PRIMARY KEY, -- shipment number
  ORD_NO VARCHAR(8) NOT NULL REFERENCES ORD_MST (ORD_NO), -- order number
  CRR_CD VARCHAR(4) REFERENCES CRR_MST (CRR_CD), -- carrier
  WH_CD CHAR(3) REFERENCES WH_MST (WH_CD), -- warehouse it left
  SHP_DT DATE NOT NULL, -- shipping date
  DLV_DT DATE, -- delivery date, empty while on the way
  SHP_STAT_CD CHAR(1) NOT NULL REFERENCES SHP_STAT_CD (SHP_STAT_CD), -- shipment status
  WGT_KG DECIMAL(8,3), -- weight in kilograms
  FRT_AMT DECIMAL(8,2), -- freight paid to the carrier
  TRK_NO VARCHAR(20) -- tracking number
);
INSERT INTO SHP_MST
SELECT printf('H%08d', 10000 + o.i), m.ORD_NO, CASE WHEN CTRY_CD = 'KR' THEN 'C05' ELSE 'C0' || (1 + o.t % 4) END,
       CASE WHEN CTRY_CD = 'KR' THEN 'W04' WHEN o.s % 10 < 5 THEN 'W01' WHEN o.s % 10 < 8 THEN 'W02' ELSE 'W03' END,
       min(date(dt, (1 + o.s % 4) || ' days'), '2026-11-29'),
       CASE WHEN STATUS_CODE = '40' THEN min(date(dt, (3 + o.s % 6) || ' days'), '2026-11-29') END,
       CASE WHEN STATUS_CODE = '30' THEN CASE WHEN age > 30 THEN 'L' ELSE 'T' END WHEN o.r % 211 = 0 THEN 'B' ELSE 'D' END,
       round(0.3 + o.t % 19000 / 1000.0, 3), round(3.2 + o.t % 900 / 100.0, 2), CASE WHEN o.t % 29 > 0 THEN printf('TR%010d', o.i * 7919) END
FROM ORD_MST AS m JOIN o USING (ord_no) JOIN CUST_MST AS c USING (CUST_NO) WHERE STATUS_CODE IN ('30', '40') ORDER BY o.i;

CREATE TABLE SHP_TRK (
  TRK_NO VARCHAR(20) NOT NULL, -- tracking number
  EVT_DTM DATETIME NOT NULL, -- when it happened
  EVT_CD VARCHAR(4), -- PU=picked up, HB=in the hub, DL=delivered
  EVT_TXT VARCHAR(80) -- what the carrier says
);
INSERT INTO SHP_TRK
SELECT TRK_NO, date(SHP_DT, v.column3 || ' days') || v.column4, v.column1, v.column2
FROM SHP_MST, (VALUES ('PU', 'Picked up', 0, ' 16:10:00'), ('HB', 'Im Paketzentrum', 1, ' 03:25:00'), ('DL', 'Delivered', 2, ' 11:40:00')) AS v
WHERE SHP_DT >= '2026-09-01' AND TRK_NO IS NOT NULL AND (v.column1 <> 'DL' OR DLV_DT IS NOT NULL);

CREATE TABLE SHP_CST (
  CRR_CD VARCHAR(4) NOT NULL, -- carrier
  CTRY_CD CHAR(2) NOT NULL, -- country
  UPTO_KG DECIMAL(6,2) NOT NULL, -- up to this weight
  FRT_AMT DECIMAL(8,2) NOT NULL, -- freight
  PRIMARY KEY (CRR_CD, CTRY_CD, UPTO_KG)
);
INSERT INTO SHP_CST SELECT CRR_CD, CTRY_CD, v.column1, round(v.column2 * (1 + (c.rowid * 7 + t.rowid * 3) % 5 / 10.0), 2) FROM CRR_MST AS c, CTRY_MST AS t, (VALUES (2, 3.9), (5, 5.5), (10, 7.9), (31.5, 13.5)) AS v;

-- Stock and purchasing.

CREATE TABLE STK_MST (
  -- Stock at hand: one row a warehouse and product
  WH_CD CHAR(3) NOT NULL REFERENCES WH_MST (WH_CD), -- warehouse
  PRD_CD VARCHAR(6) NOT NULL, -- product code
  STK_QTY INTEGER NOT NULL, -- quantity in stock
  RSV_QTY INTEGER NOT NULL, -- quantity reserved for orders
  MIN_QTY INTEGER, -- least quantity, below it is ordered again
  CNT_DT DATE, -- last counted on
  PRIMARY KEY (WH_CD, PRD_CD)
);
INSERT INTO STK_MST
SELECT WH_CD, PRD_CD, max(0, ((w.rowid * 1301 + p.rowid) * 7919 + 13) * p.rowid % 1000003 % 640 - 35), (p.rowid * 37 + w.rowid) % 25, 20 + p.rowid % 60,
       CASE WHEN p.rowid % 8 > 0 THEN date('2026-11-25', '-' || ((p.rowid * 13 + w.rowid * 29) % 200) || ' days') END
FROM WH_MST AS w, PRD_MST AS p WHERE (p.rowid + w.rowid) % 5 > 0;

CREATE TABLE STK_MOV (
  -- Movements of stock
  MOV_NO INTEGER PRIMARY KEY, -- number of the movement
  WH_CD CHAR(3) NOT NULL, -- warehouse
  PRD_CD VARCHAR(6) NOT NULL, -- product code
  MOV_CD VARCHAR(3) NOT NULL, -- kind of movement, CD_DTL group STK_MOV
  MOV_QTY INTEGER NOT NULL, -- quantity
  MOV_DT DATE NOT NULL -- day of the movement
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO STK_MOV
SELECT i, 'W0' || (1 + a % 4), printf('P%05d', 1 + b % 1200), CASE WHEN a % 100 < 34 THEN 'IN' WHEN a % 100 < 88 THEN 'OUT' WHEN a % 100 < 97 THEN 'TRF' ELSE 'SCR' END,
       1 + (a + b) % 60, date('2025-01-01', (i * 697 / 40000) || ' days') FROM h;

CREATE TABLE STK_CNT (
  CNT_NO INTEGER PRIMARY KEY, -- number of the count
  WH_CD CHAR(3), -- warehouse
  PRD_CD VARCHAR(6), -- product code
  CNT_DT DATE, -- counted on
  CNT_QTY INTEGER, -- quantity found
  DIFF_QTY INTEGER -- difference to the books
);
INSERT INTO STK_CNT (WH_CD, PRD_CD, CNT_DT, CNT_QTY, DIFF_QTY) SELECT WH_CD, PRD_CD, CNT_DT, STK_QTY, STK_QTY % 7 - 3 FROM STK_MST WHERE CNT_DT >= '2026-07-01';

CREATE TABLE STK_SNAP (
  -- Stock at the end of a month
  SNAP_YM CHAR(6) NOT NULL, -- month, YYYYMM
  WH_CD CHAR(3) NOT NULL, -- warehouse
  STK_QTY INTEGER NOT NULL, -- quantity at the end of the month
  STK_AMT DECIMAL(14,2) NOT NULL, -- value at cost in euros
  PRIMARY KEY (SNAP_YM, WH_CD)
);
WITH RECURSIVE n(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM n WHERE m < 10)
INSERT INTO STK_SNAP
SELECT printf('2026%02d', m), WH_CD, q - m * 911 % 7000, round(a * (1 - m * 911 % 7000 / 90000.0), 2)
FROM n, (SELECT WH_CD, sum(STK_QTY) AS q, sum(STK_QTY * CST_PRC) AS a FROM STK_MST JOIN PRD_MST USING (PRD_CD) GROUP BY WH_CD);

CREATE TABLE WH_LOC (
  WH_CD CHAR(3) NOT NULL REFERENCES WH_MST (WH_CD), -- warehouse
  LOC_CD VARCHAR(8) NOT NULL, -- shelf
  ZONE_CD CHAR(1), -- A=fast, B=normal, C=slow goods
  MAX_KG INTEGER, -- load limit in kilograms
  PRIMARY KEY (WH_CD, LOC_CD)
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 180)
INSERT INTO WH_LOC SELECT WH_CD, printf('%02d-%02d-%d', i / 12, i % 12, i % 4), CASE WHEN i < 40 THEN 'A' WHEN i < 120 THEN 'B' ELSE 'C' END, 200 + i % 5 * 100 FROM n, WH_MST;

CREATE TABLE PO_MST (
  -- Purchase orders to suppliers
  PO_NO VARCHAR(8) PRIMARY KEY, -- purchase order number
  SUP_NO VARCHAR(5) NOT NULL REFERENCES SUP_MST (SUP_NO), -- supplier number
  PO_DT DATE NOT NULL, -- purchase order date
  PO_STAT CHAR(1) NOT NULL, -- purchase order status, CD_DTL group PO_STAT
  DUE_DT DATE, -- goods due on
  PO_AMT DECIMAL(12,2), -- amount in euros
  EMP_NO VARCHAR(6) -- buyer
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3600),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO PO_MST
SELECT printf('B%07d', i), printf('V%04d', 1 + a % 90), date('2024-01-02', (i * 1062 / 3600) || ' days'),
       CASE WHEN i > 3500 AND a % 3 > 0 THEN 'O' WHEN i > 3400 AND a % 5 = 0 THEN 'P' WHEN a % 211 = 0 THEN 'O' ELSE 'C' END,
       date('2024-01-02', (i * 1062 / 3600 + 14 + b % 30) || ' days'), 0, printf('E%05d', 1 + b % 320) FROM h;

CREATE TABLE PO_DTL (
  -- Lines of purchase orders
  PO_NO VARCHAR(8) NOT NULL REFERENCES PO_MST (PO_NO), -- purchase order number
  LN_NO INTEGER NOT NULL, -- line number
  PRD_CD VARCHAR(6) NOT NULL, -- product code
  QTY INTEGER NOT NULL, -- quantity ordered from the supplier
  CST_PRC DECIMAL(10,2) NOT NULL, -- cost price
  PRIMARY KEY (PO_NO, LN_NO)
) WITHOUT ROWID;
INSERT INTO PO_DTL
SELECT PO_NO, v.column1, PRD_CD, 10 + (m.rowid * 7 + v.column1) % 30 * 10, CST_PRC
FROM PO_MST AS m JOIN (VALUES (1), (2), (3)) AS v JOIN PRD_MST AS p ON p.rowid = 1 + (m.rowid * 31 + v.column1 * 397) % 1200;
UPDATE PO_MST SET PO_AMT = (SELECT round(sum(QTY * CST_PRC), 2) FROM PO_DTL AS d WHERE d.PO_NO = PO_MST.PO_NO);

CREATE TABLE GR_HIST (
  -- Goods received from suppliers
  GR_NO INTEGER PRIMARY KEY, -- number of the receipt
  PO_NO VARCHAR(8) NOT NULL, -- purchase order number
  WH_CD CHAR(3), -- warehouse
  GR_DT DATE, -- received on
  QLT_YN CHAR(1) -- Y=quality checked
);
INSERT INTO GR_HIST (PO_NO, WH_CD, GR_DT, QLT_YN) SELECT PO_NO, 'W0' || (1 + rowid % 4), date(DUE_DT, (rowid % 6 - 2) || ' days'), CASE WHEN rowid % 6 > 0 THEN 'Y' ELSE 'N' END FROM PO_MST WHERE PO_STAT <> 'O';

-- Sales of stores, visits of the web shop, a table a month.

CREATE TABLE STR_SLS_DLY (
  -- Takings of a store a day
  STR_NO CHAR(4) NOT NULL REFERENCES STR_MST (STR_NO), -- store number
  SLS_DT DATE NOT NULL, -- day
  RCPT_CNT INTEGER, -- receipts
  SLS_AMT DECIMAL(12,2), -- takings in euros
  PRIMARY KEY (STR_NO, SLS_DT)
) WITHOUT ROWID;
INSERT INTO STR_SLS_DLY
SELECT STR_NO, CAL_DT, 20 + (s.rowid * 131 + c.rowid * 17) % 140, round(600 + ((s.rowid * 1511 + c.rowid) * 6101 + 71) * c.rowid % 1000003 / 120.0, 2)
FROM STR_MST AS s, CAL_MST AS c WHERE CAL_DT BETWEEN '2025-01-01' AND '2026-11-29' AND WKDAY_NO > 0 AND (CLS_DT IS NULL OR CAL_DT <= CLS_DT);

CREATE TEMP TABLE v (i INTEGER PRIMARY KEY, dt TEXT, a INTEGER, b INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 46000)
INSERT INTO v SELECT i, date('2026-01-01', (i * 333 / 46001) || ' days'), ((i * 7919 + 13) * i + 104729) % 1000003, ((i * 6101 + 71) * i + 224737) % 1000003 FROM n;

CREATE TABLE VISIT_LOG_202601 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202601
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-01-01' AND '2026-01-31';

CREATE TABLE VISIT_LOG_202602 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202602
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-02-01' AND '2026-02-31';

CREATE TABLE VISIT_LOG_202603 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202603
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-03-01' AND '2026-03-31';

CREATE TABLE VISIT_LOG_202604 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202604
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-04-01' AND '2026-04-31';

CREATE TABLE VISIT_LOG_202605 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202605
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-05-01' AND '2026-05-31';

CREATE TABLE VISIT_LOG_202606 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202606
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-06-01' AND '2026-06-31';

CREATE TABLE VISIT_LOG_202607 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202607
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-07-01' AND '2026-07-31';

CREATE TABLE VISIT_LOG_202608 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202608
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-08-01' AND '2026-08-31';

CREATE TABLE VISIT_LOG_202609 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202609
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-09-01' AND '2026-09-31';

CREATE TABLE VISIT_LOG_202610 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202610
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-10-01' AND '2026-10-31';

CREATE TABLE VISIT_LOG_202611 (
  VISIT_NO INTEGER PRIMARY KEY, -- visit number
  VISIT_DTM DATETIME NOT NULL, -- visit began at
  CUST_NO VARCHAR(7), -- customer number, empty for guests
  DVC_CD CHAR(1), -- device: D=desktop, M=mobile, T=tablet
  PAGE_CNT INTEGER, -- pages seen
  DUR_SEC INTEGER, -- duration in seconds
  ORD_NO VARCHAR(8) -- order placed in the visit
);
INSERT INTO VISIT_LOG_202611
SELECT i, dt || printf(' %02d:%02d:00', a % 24, b % 60), CASE WHEN b % 10 < 4 THEN printf('C%06d', 1 + b % 5500) END,
       CASE WHEN a % 10 < 5 THEN 'M' WHEN a % 10 < 9 THEN 'D' ELSE 'T' END, 1 + a % 30, CASE WHEN b % 50 > 0 THEN 5 + b % 1700 END, NULL
FROM v WHERE dt BETWEEN '2026-11-01' AND '2026-11-31';

-- Operation of the system itself.

CREATE TABLE USR_LOG (
  LOG_NO INTEGER PRIMARY KEY, -- log number
  EMP_NO VARCHAR(6), -- employee number
  ACT_CD VARCHAR(6), -- IN=login, OUT=logout, EXP=export
  LOG_DTM DATETIME, -- when
  IP_ADDR VARCHAR(40) -- address of the computer
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
INSERT INTO USR_LOG SELECT i, printf('E%05d', 1 + (i * 7919 + 13) % 1000003 % 320), CASE i % 9 WHEN 0 THEN 'EXP' WHEN 1 THEN 'OUT' ELSE 'IN' END,
       datetime('2026-06-01 06:30:00', (i * 29) || ' minutes'), '10.0.' || (i % 7) || '.' || (i * 31 % 250) FROM n;

CREATE TABLE IF_ORD_ERR (
  ERR_NO INTEGER PRIMARY KEY, -- error number
  ORD_NO VARCHAR(8), -- order number
  ERR_CD VARCHAR(8), -- error code
  ERR_MSG VARCHAR(200), -- message
  RTRY_CNT INTEGER, -- retries
  REG_DTM DATETIME -- when
);
INSERT INTO IF_ORD_ERR (ORD_NO, ERR_CD, ERR_MSG, RTRY_CNT, REG_DTM)
SELECT ord_no, 'E' || (400 + s % 5), CASE s % 3 WHEN 0 THEN 'order unprocessed: partner timed out' WHEN 1 THEN 'invalid address' ELSE 'duplicate order' END, r % 4, dt || ' 23:10:00'
FROM o WHERE s % 151 = 0 AND day > 1000;

CREATE TABLE BAT_JOB_LOG (
  JOB_NM VARCHAR(40) NOT NULL, -- job
  RUN_DT DATE NOT NULL, -- day
  RSLT_CD CHAR(1), -- S=success, F=failure
  ROW_CNT INTEGER, -- rows handled
  PRIMARY KEY (JOB_NM, RUN_DT)
);
INSERT INTO BAT_JOB_LOG SELECT j.column1, CAL_DT, CASE WHEN (c.rowid * 7 + length(j.column1)) % 53 = 0 THEN 'F' ELSE 'S' END, c.rowid * 97 % 4000
FROM CAL_MST AS c, (VALUES ('LOAD_ORD'), ('STK_CLOSE'), ('SEND_INV')) AS j WHERE CAL_DT BETWEEN '2026-01-01' AND '2026-11-29';

CREATE TABLE SYS_PRM (PRM_NM VARCHAR(40) PRIMARY KEY, PRM_VAL VARCHAR(100), RMK VARCHAR(200));
INSERT INTO SYS_PRM VALUES ('FREE_SHIPPING_FROM', '150', 'euros'), ('ORDER_AUTO_CANCEL_DAYS', '0', 'off since 2022'), ('BASE_CURR', 'EUR', NULL);

CREATE TABLE MENU_MST (MENU_NO INTEGER PRIMARY KEY, MENU_NM VARCHAR(40), UP_MENU_NO INTEGER, USE_YN CHAR(1));
INSERT INTO MENU_MST VALUES (1, 'Orders', NULL, 'Y'), (2, 'Unprocessed orders', 1, 'Y'), (3, 'Returns', 1, 'Y'), (4, 'Stock', NULL, 'Y'), (5, 'Reports', NULL, 'N');

CREATE TABLE ORD_SUM_DLY (
  -- Orders a day, added up each night; without cancelled orders
  SUM_DT DATE PRIMARY KEY, -- day
  ORD_CNT INTEGER, -- orders
  ORD_AMT DECIMAL(14,2) -- order amount
);
INSERT INTO ORD_SUM_DLY SELECT ORD_DT, count(*), round(sum(ORD_AMT), 2) FROM ORD_MST WHERE STATUS_CODE <> '90' GROUP BY ORD_DT;

CREATE TABLE PRM_PRC (
  PRD_CD VARCHAR(6) NOT NULL, -- product code
  STRT_DT DATE NOT NULL, -- start date
  END_DT DATE, -- end date
  PRM_PRC DECIMAL(10,2), -- promotion price
  PRIMARY KEY (PRD_CD, STRT_DT)
);
INSERT INTO PRM_PRC SELECT PRD_CD, '2026-11-20', '2026-11-30', round(LST_PRC * 0.8, 2) FROM PRD_MST WHERE rowid % 17 = 0;

CREATE TABLE CLM_MST (
  -- Complaints
  CLM_NO INTEGER PRIMARY KEY, -- complaint number
  CUST_NO VARCHAR(7), -- customer number
  ORD_NO VARCHAR(8), -- order number
  CLM_DT DATE, -- complaint date
  CLM_TXT VARCHAR(400), -- what the customer says
  DONE_YN CHAR(1) -- Y=settled
);
INSERT INTO CLM_MST (CUST_NO, ORD_NO, CLM_DT, CLM_TXT, DONE_YN)
SELECT cust, ord_no, date(dt, (2 + r % 9) || ' days'), CASE t % 4 WHEN 0 THEN 'Meine Bestellung ist noch nicht bearbeitet' WHEN 1 THEN 'my order is still unprocessed' WHEN 2 THEN 'parcel lost?' ELSE '환불은 언제 되나요?' END,
       CASE WHEN age > 25 OR t % 3 = 0 THEN 'Y' ELSE 'N' END
FROM o WHERE s % 97 = 0 AND age > 11 AND day > 700;

CREATE VIEW V_ORD_CUST AS SELECT m.ORD_NO, m.ORD_DT, m.STATUS_CODE, m.ORD_AMT, c.CUST_NO, c.CUST_NM, c.CTRY_CD FROM ORD_MST AS m JOIN CUST_MST AS c ON c.CUST_NO = m.CUST_NO;

COMMIT;
