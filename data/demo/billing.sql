-- SPDX-FileCopyrightText: The Plumbline authors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The demo database "billing": invoices for the service contracts of a made-up trading house.
-- A customer here is one who was billed at least once. See sales.sql for how values come.

PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
BEGIN;

CREATE TEMP TABLE firm (k INTEGER PRIMARY KEY, nm TEXT);
INSERT INTO firm (nm) VALUES ('Müller'), ('Hansen'), ('Großmann'), ('Köhler'), ('Lefèvre'), ('Moreau'), ('Nowak'), ('Kowalski'),
  ('한빛'), ('대성'), ('서울'), ('Smith'), ('Walker'), ('O''Brien'), ('de Vries'), ('Jansen'), ('García'), ('Ruiz'), ('Vogt'), ('Becker');

CREATE TABLE INVOICE_STATUS (
  STATUS_CODE CHAR(2) PRIMARY KEY, -- invoice status code
  STATUS_NAME VARCHAR(30) NOT NULL -- invoice status
);
INSERT INTO INVOICE_STATUS VALUES ('OP', 'Open'), ('PD', 'Paid'), ('PP', 'Partly paid'), ('CA', 'Cancelled'), ('WO', 'Written off');

CREATE TABLE CUSTOMER (
  -- Billed customers: debtors that got at least one invoice
  DEBTOR_NO INTEGER PRIMARY KEY, -- debtor number
  CUSTOMER_NAME VARCHAR(80) NOT NULL, -- name on the invoice
  CRM_CUSTOMER_ID INTEGER, -- customer number in the CRM
  CITY VARCHAR(30), -- city of the billing address
  COUNTRY_CODE CHAR(2), -- country of the billing address
  PAYMENT_TERM INTEGER, -- days to pay
  DUNNING_BLOCK_YN CHAR(1), -- Y=not to be reminded
  FIRST_BILLED_DATE DATE -- first invoice on
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1180),
h AS (SELECT i, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n)
INSERT INTO CUSTOMER
SELECT 700000 + i, f.nm || CASE b % 4 WHEN 0 THEN ' GmbH' WHEN 1 THEN ' AG' WHEN 2 THEN ' Ltd.' ELSE ' & Co.' END, 20000 + i + a % 5,
       CASE b % 7 WHEN 0 THEN 'Hamburg' WHEN 1 THEN 'Berlin' WHEN 2 THEN 'Wien' WHEN 3 THEN 'Paris' WHEN 4 THEN '서울' WHEN 5 THEN 'London' ELSE 'Zürich' END,
       CASE b % 7 WHEN 0 THEN 'DE' WHEN 1 THEN 'DE' WHEN 2 THEN 'AT' WHEN 3 THEN 'FR' WHEN 4 THEN 'KR' WHEN 5 THEN 'GB' ELSE 'CH' END,
       CASE a % 3 WHEN 0 THEN 14 ELSE 30 END, CASE WHEN a % 40 = 0 THEN 'Y' ELSE 'N' END, date('2023-01-31', (i * 1360 / 1180) || ' days')
FROM h JOIN firm AS f ON f.k = 1 + a % 20;

CREATE TABLE INVOICE (
  -- Invoices to customers
  INVOICE_NO VARCHAR(10) PRIMARY KEY, -- invoice number
  DEBTOR_NO INTEGER NOT NULL REFERENCES CUSTOMER (DEBTOR_NO), -- billed customer
  CONTRACT_NO VARCHAR(9), -- contract number of the CRM
  INVOICE_DATE DATE NOT NULL, -- invoice date: issued on
  DUE_DATE DATE NOT NULL, -- due date: to be paid until
  NET_AMOUNT DECIMAL(12,2) NOT NULL, -- net amount in euros
  TAX_AMOUNT DECIMAL(12,2) NOT NULL, -- tax in euros
  GROSS_AMOUNT DECIMAL(12,2) NOT NULL, -- gross amount in euros
  STATUS_CODE CHAR(2) NOT NULL REFERENCES INVOICE_STATUS (STATUS_CODE), -- invoice status
  REMARK VARCHAR(200) -- remark
);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 26000),
h AS (SELECT i, (i - 1) * 1398 / 26000 AS day, ((i * 7919 + 13) * i + 104729) % 1000003 AS a, ((i * 6101 + 71) * i + 224737) % 1000003 AS b FROM n),
e AS (SELECT *, date('2023-02-01', day || ' days') AS d, round(49 + b % 61000 / 100.0, 2) AS net, 1 + a % max(1, min(1180, day * 1180 / 1360)) AS c FROM h)
INSERT INTO INVOICE
SELECT printf('F%08d', 30000 + i), DEBTOR_NO, printf('K%07d', 501 + (a + b) % 2150), d, date(d, PAYMENT_TERM || ' days'), net, round(net * 0.19, 2),
       round(net + round(net * 0.19, 2), 2),
       CASE WHEN day > 1363 THEN CASE WHEN b % 100 < 55 THEN 'OP' WHEN b % 100 < 58 THEN 'PP' ELSE 'PD' END
            WHEN b % 1000 < 17 THEN 'OP' WHEN b % 1000 < 23 THEN 'PP' WHEN b % 1000 < 45 THEN 'CA' WHEN b % 1000 < 52 THEN 'WO' ELSE 'PD' END,
       CASE WHEN a % 83 = 0 THEN 'open question about the amount' WHEN a % 79 = 0 THEN 'überfällig laut Kunde bezahlt' END
FROM e JOIN CUSTOMER AS u ON u.DEBTOR_NO = 700000 + c ORDER BY i;
CREATE INDEX INVOICE_DEBTOR ON INVOICE (DEBTOR_NO);
DELETE FROM CUSTOMER WHERE DEBTOR_NO NOT IN (SELECT DEBTOR_NO FROM INVOICE);
UPDATE CUSTOMER SET FIRST_BILLED_DATE = (SELECT min(INVOICE_DATE) FROM INVOICE AS i WHERE i.DEBTOR_NO = CUSTOMER.DEBTOR_NO);

CREATE TABLE INVOICE_LINE (
  -- Lines of invoices
  INVOICE_NO VARCHAR(10) NOT NULL REFERENCES INVOICE (INVOICE_NO), -- invoice number
  LINE_NO INTEGER NOT NULL, -- line number
  DESCRIPTION VARCHAR(100), -- what is billed
  QUANTITY INTEGER NOT NULL, -- quantity
  LINE_AMOUNT DECIMAL(12,2) NOT NULL, -- net amount of the line
  PRIMARY KEY (INVOICE_NO, LINE_NO)
) WITHOUT ROWID;
INSERT INTO INVOICE_LINE
SELECT INVOICE_NO, v.column1, v.column2, v.column3, CASE v.column1 WHEN 1 THEN round(NET_AMOUNT - round(NET_AMOUNT * 0.3, 2), 2) ELSE round(NET_AMOUNT * 0.3, 2) END
FROM INVOICE, (VALUES (1, 'Monthly fee', 1), (2, 'Fahrtkosten', 3)) AS v;

CREATE TABLE PAYMENT (
  -- Money received
  PAYMENT_NO INTEGER PRIMARY KEY, -- payment number
  INVOICE_NO VARCHAR(10) NOT NULL, -- invoice number
  PAYMENT_DATE DATE NOT NULL, -- payment date
  AMOUNT DECIMAL(12,2) NOT NULL, -- amount received in euros
  METHOD CHAR(1) -- method: T=transfer, D=direct debit, C=card
);
INSERT INTO PAYMENT (INVOICE_NO, PAYMENT_DATE, AMOUNT, METHOD)
SELECT INVOICE_NO, min(date(INVOICE_DATE, (3 + rowid * 7 % 41) || ' days'), '2026-11-28'), CASE STATUS_CODE WHEN 'PP' THEN round(GROSS_AMOUNT / 2, 2) ELSE GROSS_AMOUNT END,
       CASE rowid % 9 WHEN 0 THEN 'C' WHEN 1 THEN 'D' WHEN 2 THEN 'D' ELSE 'T' END
FROM INVOICE WHERE STATUS_CODE IN ('PD', 'PP') ORDER BY rowid;

CREATE TABLE DUNNING (
  -- Reminders for invoices past due
  DUNNING_NO INTEGER PRIMARY KEY, -- reminder number
  INVOICE_NO VARCHAR(10) NOT NULL REFERENCES INVOICE (INVOICE_NO), -- invoice number
  DUNNING_LEVEL INTEGER NOT NULL, -- level: 1=friendly, 2=with fee, 3=last
  SENT_DATE DATE NOT NULL -- sent on
);
INSERT INTO DUNNING (INVOICE_NO, DUNNING_LEVEL, SENT_DATE)
SELECT INVOICE_NO, v.column1, date(DUE_DATE, (v.column1 * 14) || ' days') FROM INVOICE JOIN (VALUES (1), (2), (3)) AS v
WHERE STATUS_CODE IN ('OP', 'PP', 'WO') AND date(DUE_DATE, (v.column1 * 14) || ' days') <= '2026-11-29' ORDER BY INVOICE.rowid, v.column1;

CREATE TABLE CREDIT_NOTE (
  -- Credits given on invoices
  CREDIT_NO INTEGER PRIMARY KEY, -- credit note number
  INVOICE_NO VARCHAR(10) NOT NULL, -- invoice number
  CREDIT_DATE DATE NOT NULL, -- credit date
  AMOUNT DECIMAL(12,2) NOT NULL, -- amount credited
  REASON VARCHAR(60) -- reason in words
);
INSERT INTO CREDIT_NOTE (INVOICE_NO, CREDIT_DATE, AMOUNT, REASON)
SELECT INVOICE_NO, min(date(INVOICE_DATE, '9 days'), '2026-11-29'), GROSS_AMOUNT, CASE rowid % 3 WHEN 0 THEN 'wrong amount' WHEN 1 THEN 'Doppelt berechnet' END FROM INVOICE WHERE STATUS_CODE = 'CA';

CREATE TABLE INVOICE_202512 AS
SELECT INVOICE_NO, DEBTOR_NO, CONTRACT_NO, INVOICE_DATE, DUE_DATE, NET_AMOUNT, TAX_AMOUNT, GROSS_AMOUNT, CASE WHEN INVOICE_DATE > '2025-12-05' AND STATUS_CODE = 'PD' THEN 'OP' ELSE STATUS_CODE END AS STATUS_CODE, REMARK
FROM INVOICE WHERE INVOICE_DATE <= '2025-12-31';

CREATE TABLE CUSTOMER_OLD AS SELECT * FROM CUSTOMER WHERE FIRST_BILLED_DATE < '2025-01-01';

COMMIT;
