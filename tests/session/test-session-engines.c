/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "session-fixture.h"

#include "source-fixture.h"

#include <sqlite3.h>
#include <string.h>

/* The built-in planner on each engine: the same questions about the same rows get the same numbers,
 * whatever the engine's SQL has to look like. */

/* The types of a key, a date, a text and a sum of money, and what a key needs, are the engine's. */
#define TABLES                                                                                     \
  "CREATE TABLE customers (customer_no %KEY%, customer_name %TEXT%, city %TEXT%, %PRIMARY% "       \
  "(customer_no)) %ENGINE%;"                                                                       \
  "CREATE TABLE orders (order_no %KEY%, order_date %DATE%, customer_no %KEY%, status %TEXT%, "     \
  "amount %MONEY%, %PRIMARY% (order_no) %FOREIGN%) %ENGINE%;"                                      \
  "CREATE TABLE deliveries (delivery_no %KEY%, delivery_date %KEY%, carrier %TEXT%, %PRIMARY% "    \
  "(delivery_no)) %ENGINE%;"                                                                       \
  "INSERT INTO customers VALUES (1, 'Anna Groß', 'Köln'), (2, 'Bo O''Neill', 'Kyiv'), "            \
  "(3, '김하늘', 'Seoul');"                                                                        \
  "INSERT INTO orders VALUES (1, '2025-12-31', 1, 'open', 10.10), (2, '2026-01-01', 1, 'paid', "   \
  "20.20), (3, '2026-01-04', 2, 'paid', 30.30), (4, '2026-01-05', 2, 'open', 400.00), "            \
  "(5, '2026-10-31', 3, 'paid', 50.50), (6, '2026-11-01', 3, 'open', 60.60), (7, '2026-11-29', "   \
  "3, 'paid', 0.70);"                                                                              \
  "INSERT INTO deliveries VALUES (1, 20251231, 'Sea'), (2, 20260331, 'Sea'), (3, 20260401, "       \
  "'Air'), (4, 20261130, 'Sea');"

typedef struct {
  const char *placeholder;
  const char *sqlite, *postgres, *mariadb, *clickhouse;
} Word;

static const Word words[] = {
  { "%KEY%", "INTEGER", "integer", "INT", "Int32" },
  { "%DATE%", "DATE", "date", "DATE", "Date" },
  { "%TEXT%", "VARCHAR(40)", "varchar(40)", "VARCHAR(40)", "String" },
  { "%MONEY%", "DECIMAL(12,2)", "numeric(12,2)", "DECIMAL(12,2)", "Decimal(12,2)" },
  { "%PRIMARY%", "PRIMARY KEY", "PRIMARY KEY", "PRIMARY KEY", "" },
  { "%FOREIGN%", ", FOREIGN KEY (customer_no) REFERENCES customers (customer_no)",
    ", FOREIGN KEY (customer_no) REFERENCES customers (customer_no)",
    ", FOREIGN KEY (customer_no) REFERENCES customers (customer_no)", "" },
  { "%ENGINE%", "", "", "DEFAULT CHARSET=utf8mb4", "ENGINE = MergeTree ORDER BY tuple()" },
};

/* What an answer says. Digits can't be told apart by weeks everywhere, and where no key leads from orders
 * to customers, those go by their number. */
static const struct {
  const char *question;
  const char *says;
  gboolean sqlite_only;
  const char *without_keys;
} questions[] = {
  { "How many orders are there?", "7 orders." },
  { "How many orders were placed last month?", "1 orders where" },
  { "How many orders were placed in 2026?", "6 orders where" },
  { "How many orders are there per day?",
    ":\n- 2025-12-31: 1\n- 2026-01-01: 1\n- 2026-01-04: 1\n- 2026-01-05: 1\n" },
  { "How many orders are there per week?",
    ":\n- 2025-12-29: 3\n- 2026-01-05: 1\n- 2026-10-26: 2\n- 2026-11-23: 1\n" },
  { "How many orders are there per month?",
    ":\n- 2025-12: 1\n- 2026-01: 3\n- 2026-10: 1\n- 2026-11: 2\n" },
  { "How many orders are there per quarter?", ":\n- 2025-Q4: 1\n- 2026-Q1: 3\n- 2026-Q4: 3\n" },
  { "How many orders are there per year?", ":\n- 2025: 1\n- 2026: 6\n" },
  { "How many deliveries are there per month?",
    ":\n- 202512: 1\n- 202603: 1\n- 202604: 1\n- 202611: 1\n" },
  { "How many deliveries are there per quarter?",
    ":\n- 2025-Q4: 1\n- 2026-Q1: 1\n- 2026-Q2: 1\n- 2026-Q4: 1\n" },
  { "How many deliveries are there per week?",
    ":\n- 2025-12-29: 1\n- 2026-03-30: 2\n- 2026-11-30: 1\n", .sqlite_only = TRUE },
  { "How many deliveries were there in 2026?", "3 deliveries where" },
  { "How many orders are paid?", "4 orders where" },
  { "What is the total amount of orders?", "572.4" },
  { "What is the total amount per status?", "- open: 470.70\n- paid: 101.70\n" },
  { "How many customers live in Köln?", "1 customers where" },
  { "How many orders does customer Bo O'Neill have?", "2 orders where",
    .without_keys = "I can't read this question" },
  { "Which 2 customers have the highest total amount of orders?",
    ":\n- Bo O'Neill: 430.30\n- 김하늘: 111.80\n", .without_keys = ":\n- 2: 430.30\n- 3: 111.80\n" },
};

static char *
make_script (guint which)
{
  g_autoptr (GString) script = g_string_new (TABLES);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    const char *const choices[] = { words[i].sqlite, words[i].postgres, words[i].mariadb,
                                    words[i].clickhouse };

    g_string_replace (script, words[i].placeholder, choices[which], 0);
  }
  /* Where there is no primary key, its columns are no part of the table either. */
  g_string_replace (script, ",  (order_no) )", ")", 0);
  g_string_replace (script, ",  (customer_no))", ")", 0);
  g_string_replace (script, ",  (delivery_no))", ")", 0);
  return g_string_free (g_steal_pointer (&script), FALSE);
}

static void
ask_all (PlumbSession *session, gboolean is_sqlite, gboolean has_keys)
{
  g_autoptr (PlumbAnalysisReport) report = NULL;
  g_autoptr (GError) error = NULL;

  report = plumb_session_analyze (session, "plant", FALSE, FALSE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++) {
    PlumbAskRequest request = { .question = questions[i].question };
    g_autoptr (PlumbTurn) turn = plumb_session_ask (session, &request, NULL, NULL, NULL, &error);
    const char *wanted = questions[i].sqlite_only && !is_sqlite ? "I can't read this question"
                         : questions[i].without_keys != NULL && !has_keys
                             ? questions[i].without_keys
                             : questions[i].says;

    g_assert_no_error (error);
    if (strstr (turn->answer, wanted) == NULL)
      g_error ("%s\n→ %s\nand not “%s”", questions[i].question, turn->answer, wanted);
  }
}

static void
test_sqlite (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "plant.sqlite", NULL);
  g_autofree char *uri = g_strconcat ("sqlite://", path, NULL);
  g_autofree char *script = make_script (0);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GError) error = NULL;
  sqlite3 *database = NULL;

  g_assert_cmpint (g_mkdir_with_parents (g_get_user_data_dir (), 0700), ==, 0);
  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database, script, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (database);
  plumb_session_add_source (session, "plant", uri, NULL, FALSE, NULL, NULL, &error);
  g_assert_no_error (error);
  ask_all (session, TRUE, TRUE);
}

static void
test_server (guint number)
{
  const Engine *engine = &engines[number];
  g_autofree char *script = make_script (number + 1);
  g_auto (GStrv) statements = g_strsplit (script, ";", -1);
  g_autofree char *port = engine_get_variable (engine, "PORT");
  g_autofree char *password = engine_get_variable (engine, "PASSWORD");
  g_autofree char *uri =
      g_strdup_printf ("%s://%s@127.0.0.1:%s/plant", engine->scheme, engine->admin, port);
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GError) error = NULL;

  engine_execute (engine, "CREATE DATABASE plant");
  if (number == 0)
    g_setenv ("PLUMB_TEST_DATABASE", "plant", TRUE);
  for (guint i = 0; statements[i] != NULL && *statements[i] != '\0'; i++) {
    g_autoptr (GString) statement = g_string_new (statements[i]);

    if (number == 1)
      g_string_prepend (statement, "USE plant; ");
    if (number == 2) {
      g_string_replace (statement, "CREATE TABLE ", "CREATE TABLE plant.", 0);
      g_string_replace (statement, "INSERT INTO ", "INSERT INTO plant.", 0);
    }
    engine_execute (engine, statement->str);
  }
  if (number == 0)
    engine_execute (engine, "ANALYZE");
  plumb_session_add_source (session, "plant", uri, password, TRUE, NULL, NULL, &error);
  g_assert_no_error (error);
  ask_all (session, FALSE, number != 2);
}

static void
test_postgres (void)
{
  test_server (0);
}

static void
test_mariadb (void)
{
  test_server (1);
}

static void
test_clickhouse (void)
{
  test_server (2);
}

int
main (int argc, char **argv)
{
  g_setenv ("PLUMBLINE_NOW", "2026-11-30", TRUE);
  session_test_init (&argc, &argv);
  session_test_add ("/session-engines/sqlite", test_sqlite);
  session_test_add ("/session-engines/postgres", test_postgres);
  session_test_add ("/session-engines/mariadb", test_mariadb);
  session_test_add ("/session-engines/clickhouse", test_clickhouse);
  return session_test_run ();
}
