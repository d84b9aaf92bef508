/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include <glib.h>
#include <string.h>

#include "plumb-statement.h"
#include "test-context.h"

static TestContext *
load_context (PlumbDialect dialect)
{
  g_autofree char *name = g_strdup_printf ("context-%s.json", plumb_dialect_to_string (dialect));
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "sql", "data", name, NULL);
  TestContext *context = test_context_load (path);

  g_assert_nonnull (context);
  return context;
}

static const char *
table_name (PlumbStatement *statement, int number)
{
  PlumbSqlTable *table = number < 0 ? NULL : g_ptr_array_index (statement->tables, number);

  return table != NULL ? table->table : "?";
}

/* Joins as text: `left members.id=loans.member_id`, one after the other. */
static char *
describe_joins (PlumbStatement *statement)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < statement->joins->len; i++) {
    PlumbSqlJoin *join = g_ptr_array_index (statement->joins, i);

    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", join->kind);
    if (join->left_columns[0] == NULL)
      g_string_append_printf (text, " %s %s", table_name (statement, join->left),
                              table_name (statement, join->right));
    for (guint k = 0; join->left_columns[k] != NULL; k++)
      g_string_append_printf (text, " %s.%s=%s.%s", table_name (statement, join->left),
                              join->left_columns[k], table_name (statement, join->right),
                              join->right_columns[k]);
  }
  return g_string_free (text, FALSE);
}

static char *
describe_aggregates (PlumbStatement *statement)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < statement->aggregates->len; i++) {
    PlumbSqlAggregate *aggregate = g_ptr_array_index (statement->aggregates, i);

    g_string_append_printf (text, "%s%s(%s", i > 0 ? ", " : "", aggregate->function,
                            aggregate->distinct ? "distinct " : "");
    if (aggregate->star)
      g_string_append (text, "*");
    else
      g_string_append_printf (text, "%s.%s", table_name (statement, aggregate->table),
                              aggregate->column != NULL ? aggregate->column : "?");
    g_string_append (text, ")");
  }
  return g_string_free (text, FALSE);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
describe_columns (PlumbStatement *statement)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < statement->columns->len; i++) {
    PlumbSqlColumn *column = g_ptr_array_index (statement->columns, i);

    g_ptr_array_add (names, g_strconcat (column->table, ".", column->column, NULL));
  }
  g_ptr_array_sort (names, compare_texts);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

/* Checks @sql, which must be allowed, and compares what it joins, aggregates and reads. */
static void
assert_found (PlumbDialect dialect, gboolean with_catalog, const char *sql, const char *joins,
              const char *aggregates, const char *columns)
{
  g_autoptr (TestContext) context = with_catalog ? load_context (dialect) : NULL;
  g_autoptr (PlumbStatement)
      statement = plumb_statement_check (dialect, sql, -1, test_context_get (context));
  g_autofree char *found_joins = describe_joins (statement);
  g_autofree char *found_aggregates = describe_aggregates (statement);
  g_autofree char *found_columns = describe_columns (statement);

  g_test_message ("%s", sql);
  g_assert_cmpstr (statement->reason, ==, NULL);
  g_assert_true (statement->allowed);
  if (joins != NULL)
    g_assert_cmpstr (found_joins, ==, joins);
  if (aggregates != NULL)
    g_assert_cmpstr (found_aggregates, ==, aggregates);
  if (columns != NULL)
    g_assert_cmpstr (found_columns, ==, columns);
}

static const PlumbDialect all_dialects[] = {
  PLUMB_DIALECT_POSTGRES, PLUMB_DIALECT_MARIADB,    PLUMB_DIALECT_CLICKHOUSE, PLUMB_DIALECT_SQLITE,
  PLUMB_DIALECT_ORACLE,   PLUMB_DIALECT_SQLSERVER, PLUMB_DIALECT_GENERIC,
};

static void
test_joins_on (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (all_dialects); i++) {
    gboolean oracle = all_dialects[i] == PLUMB_DIALECT_ORACLE;

    assert_found (
        all_dialects[i], TRUE,
        "SELECT m.name, sum(l.fee), count(*), count(DISTINCT l.book_id) FROM members m "
        "LEFT JOIN loans l ON l.member_id = m.id AND l.fee > 3 "
        "JOIN books b ON b.id = l.book_id GROUP BY m.name",
        oracle ? "left MEMBERS.ID=LOANS.MEMBER_ID, inner LOANS.BOOK_ID=BOOKS.ID"
               : "left members.id=loans.member_id, inner loans.book_id=books.id",
        oracle ? "sum(LOANS.FEE), count(*), count(distinct LOANS.BOOK_ID)"
               : "sum(loans.fee), count(*), count(distinct loans.book_id)",
        oracle ? "BOOKS.ID LOANS.BOOK_ID LOANS.FEE LOANS.MEMBER_ID MEMBERS.ID MEMBERS.NAME"
               : "books.id loans.book_id loans.fee loans.member_id members.id members.name");
  }
}

static void
test_joins_where (void)
{
  assert_found (
      PLUMB_DIALECT_POSTGRES, TRUE,
      "SELECT 1 FROM members m, loans l, books b WHERE m.id = l.member_id AND b.id = l.book_id "
      "AND l.fee = 3",
      "inner members.id=loans.member_id, inner loans.book_id=books.id", "", NULL);
  assert_found (PLUMB_DIALECT_SQLITE, TRUE, "SELECT 1 FROM members, loans", "cross members loans",
                NULL, NULL);
  assert_found (PLUMB_DIALECT_MARIADB, TRUE, "SELECT 1 FROM members CROSS JOIN loans WHERE fee > 1",
                "cross members loans", NULL, NULL);
  assert_found (PLUMB_DIALECT_ORACLE, TRUE,
                "SELECT 1 FROM members m, loans l WHERE m.id = l.member_id (+)",
                "left MEMBERS.ID=LOANS.MEMBER_ID", NULL, NULL);
  assert_found (PLUMB_DIALECT_ORACLE, TRUE,
                "SELECT 1 FROM loans l, members m WHERE m.id = l.member_id (+)",
                "right LOANS.MEMBER_ID=MEMBERS.ID", NULL, NULL);
}

static void
test_joins_using (void)
{
  assert_found (PLUMB_DIALECT_POSTGRES, TRUE,
                "SELECT 1 FROM loans JOIN archive.loans a USING (id, member_id)",
                "inner loans.id=loans.id loans.member_id=loans.member_id", NULL, NULL);
  assert_found (PLUMB_DIALECT_SQLITE, TRUE, "SELECT 1 FROM members NATURAL JOIN branches",
                "inner members.id=branches.id members.name=branches.name", NULL,
                "branches.id branches.name members.id members.name");
  assert_found (PLUMB_DIALECT_CLICKHOUSE, TRUE,
                "SELECT 1 FROM members ANY LEFT JOIN branches USING id",
                "left members.id=branches.id", NULL, NULL);
}

static void
test_joins_self_and_composite (void)
{
  assert_found (PLUMB_DIALECT_POSTGRES, TRUE,
                "SELECT 1 FROM branches a JOIN branches b ON a.parent_id = b.id",
                "inner branches.parent_id=branches.id", NULL, NULL);
  assert_found (
      PLUMB_DIALECT_SQLITE, TRUE,
      "SELECT 1 FROM loans a JOIN loans b ON a.member_id = b.member_id AND b.book_id = a.book_id",
      "inner loans.member_id=loans.member_id loans.book_id=loans.book_id", NULL, NULL);
  assert_found (
      PLUMB_DIALECT_POSTGRES, TRUE,
      "SELECT 1 FROM loans a JOIN loans b ON (a.member_id, a.book_id) = (b.member_id, b.book_id)",
      "inner loans.member_id=loans.member_id loans.book_id=loans.book_id", NULL, NULL);
}

static void
test_joins_of_subqueries (void)
{
  assert_found (
      PLUMB_DIALECT_POSTGRES, TRUE,
      "SELECT m.name, s.total FROM members m JOIN (SELECT member_id, sum(fee) AS total FROM loans "
      "GROUP BY member_id) s ON s.member_id = m.id",
      "inner members.id=?.member_id", "sum(loans.fee)",
      "loans.fee loans.member_id members.id members.name");
  assert_found (
      PLUMB_DIALECT_SQLITE, TRUE,
      "WITH t AS (SELECT member_id FROM loans) SELECT count(*) FROM t "
      "JOIN members ON members.id = t.member_id",
      "inner ?.member_id=members.id", "count(*)", NULL);
}

static void
test_joins_undecided (void)
{
  g_autoptr (PlumbStatement) range = plumb_statement_check (
      PLUMB_DIALECT_POSTGRES, "SELECT 1 FROM a JOIN b ON a.x BETWEEN b.y AND b.z", -1, NULL);
  g_autoptr (PlumbStatement) natural = plumb_statement_check (
      PLUMB_DIALECT_POSTGRES, "SELECT 1 FROM a NATURAL JOIN b", -1, NULL);
  g_autoptr (PlumbStatement) unnest = plumb_statement_check (
      PLUMB_DIALECT_POSTGRES, "SELECT sum(a.x) FROM a, unnest(a.tags) t", -1, NULL);
  g_autoptr (PlumbStatement) plain = plumb_statement_check (
      PLUMB_DIALECT_POSTGRES, "SELECT 1 FROM a JOIN b ON a.x = b.y", -1, NULL);

  g_assert_true (range->allowed);
  g_assert_false (range->joins_known);
  g_assert_cmpuint (range->warnings->len, ==, 1);
  g_assert_true (natural->allowed);
  g_assert_false (natural->joins_known);
  g_assert_true (unnest->allowed);
  g_assert_false (unnest->joins_known);
  g_assert_true (plain->joins_known);
  g_assert_cmpuint (plain->warnings->len, ==, 0);
}

static void
test_selects_are_apart (void)
{
  g_autoptr (PlumbStatement) statement = plumb_statement_check (
      PLUMB_DIALECT_SQLITE,
      "SELECT sum(t.s) FROM (SELECT sum(a.x) AS s, a.k FROM a GROUP BY a.k) t JOIN b ON b.k = t.k",
      -1, NULL);
  PlumbSqlAggregate *inner = g_ptr_array_index (statement->aggregates, 0);
  PlumbSqlAggregate *outer = g_ptr_array_index (statement->aggregates, 1);
  PlumbSqlJoin *join = g_ptr_array_index (statement->joins, 0);

  g_assert_cmpuint (statement->aggregates->len, ==, 2);
  g_assert_cmpint (inner->table, ==, 0);
  g_assert_cmpint (outer->table, ==, -1);
  g_assert_cmpint (inner->select, !=, join->select);
  g_assert_cmpint (outer->select, ==, join->select);
}

static void
test_columns (void)
{
  assert_found (PLUMB_DIALECT_POSTGRES, TRUE, "SELECT * FROM members", NULL, NULL, "members.*");
  assert_found (PLUMB_DIALECT_POSTGRES, TRUE, "SELECT m FROM members m", NULL, NULL, "members.*");
  assert_found (PLUMB_DIALECT_POSTGRES, TRUE, "SELECT count(m) FROM members m", NULL, NULL,
                "members.*");
  assert_found (PLUMB_DIALECT_POSTGRES, TRUE, "SELECT x.a FROM members AS x (a, b)", NULL, NULL,
                "members.*");
  assert_found (PLUMB_DIALECT_SQLITE, TRUE,
                "SELECT NAME AS n FROM members WHERE Email > 'x' ORDER BY n", NULL, NULL,
                "members.email members.name");
  assert_found (
      PLUMB_DIALECT_SQLITE, TRUE,
      "SELECT title, (SELECT count(*) FROM loans WHERE book_id = books.id AND lent_at > notes) "
      "FROM books",
      NULL, NULL, "books.id books.notes books.title loans.book_id loans.lent_at");
  assert_found (PLUMB_DIALECT_CLICKHOUSE, TRUE,
                "SELECT arrayMap(name -> name + 1, tags) FROM members", NULL, NULL, "members.tags");
  assert_found (PLUMB_DIALECT_CLICKHOUSE, TRUE, "SELECT COLUMNS('e.*') FROM members", NULL, NULL,
                "members.*");
  assert_found (PLUMB_DIALECT_POSTGRES, FALSE, "SELECT a FROM t, u", NULL, NULL, "t.a u.a");
}

static void
test_views_are_views (void)
{
  g_autoptr (TestContext) context = load_context (PLUMB_DIALECT_POSTGRES);
  g_autoptr (PlumbStatement) statement = plumb_statement_check (
      PLUMB_DIALECT_POSTGRES, "SELECT total FROM loan_totals", -1, test_context_get (context));

  g_assert_true (statement->allowed);
  g_assert_cmpuint (statement->tables->len, ==, 1);
  g_assert_cmpstr (table_name (statement, 0), ==, "loan_totals");
  g_assert_cmpuint (statement->aggregates->len, ==, 0);
}

static char *
get_tricky_view (const char *schema, const char *name, gpointer user_data)
{
  return g_strdup (user_data);
}

/* A view's text is read as its engine reads it, whatever its name and its comments hold. */
static void
test_view_texts (void)
{
  static const struct {
    const char *text;
    gboolean allowed;
  } cases[] = {
    { "SELECT id FROM t", TRUE },
    { "CREATE VIEW v AS SELECT id FROM t", TRUE },
    { "CREATE TEMP VIEW IF NOT EXISTS main.v (a, b) AS WITH x AS (SELECT 1) SELECT * FROM x",
      TRUE },
    { "CREATE VIEW v AS SELECT load_extension('x')", FALSE },
    { "CREATE VIEW \"a AS SELECT 1 --\" AS SELECT load_extension('x')", FALSE },
    { "CREATE VIEW v /* AS SELECT 1 -- */ AS SELECT load_extension('x')", FALSE },
    { "CREATE VIEW v", FALSE },
    { "DELETE FROM t", FALSE },
    { "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("views");
    PlumbCheckContext context = { .catalog = catalog, .get_view_definition = get_tricky_view,
                                  .user_data = (gpointer) cases[i].text };
    PlumbTable *view = plumb_table_new ("main", "v");
    PlumbTable *table = plumb_table_new ("main", "t");
    g_autoptr (PlumbStatement) statement = NULL;

    view->kind = PLUMB_TABLE_KIND_VIEW;
    plumb_catalog_add_table (catalog, view);
    plumb_catalog_add_table (catalog, table);
    statement = plumb_statement_check (PLUMB_DIALECT_SQLITE, "SELECT * FROM v", -1, &context);
    g_test_message ("%s: %s", cases[i].text, statement->reason);
    g_assert_cmpint (statement->allowed, ==, cases[i].allowed);
  }
}

static void
test_text_to_send (void)
{
  static const struct {
    PlumbDialect dialect;
    const char *sql;
    const char *text;
  } cases[] = {
    { PLUMB_DIALECT_POSTGRES, "SELECT 1 ; -- done", "SELECT 1" },
    { PLUMB_DIALECT_ORACLE, "SELECT 1 FROM dual;\n", "SELECT 1 FROM dual" },
    { PLUMB_DIALECT_CLICKHOUSE, "SELECT 1 FORMAT JSON;", "SELECT 1" },
    { PLUMB_DIALECT_SQLITE, "  SELECT ';'  ", "  SELECT ';'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PlumbStatement)
        statement = plumb_statement_check (cases[i].dialect, cases[i].sql, -1, NULL);

    g_assert_cmpstr (statement->text, ==, cases[i].text);
  }
}

static char *
repeat (const char *before, const char *middle, const char *after, guint n)
{
  GString *text = g_string_new ("SELECT ");

  for (guint i = 0; i < n; i++)
    g_string_append (text, before);
  g_string_append (text, middle);
  for (guint i = 0; i < n; i++)
    g_string_append (text, after);
  return g_string_free (text, FALSE);
}

static gpointer
check_deep (gpointer data)
{
  static const struct {
    const char *before;
    const char *middle;
    const char *after;
  } shapes[] = {
    { "(", "1", ")" },
    { "", "1", "+1" },
    { "NOT ", "1", "" },
    { "(SELECT ", "1", ")" },
    { "", "1", " UNION SELECT 1, 2" },
    { "CASE WHEN 1=1 THEN ", "1", " END" },
    { "- ", "1", "" },
    { "abs(", "1", ")" },
    { "", "1", " = 1" },
    { "", "a.b", ".c" },
    { "", "x", "::text" },
    { "[", "1", "]" },
    { "{", "1", "}" },
    { "(", "(", "(" },
    { "", "1", " IS NULL" },
    { "", "1 FROM t", " JOIN t ON 1=1 AND 2=2" },
    { "", "1 FROM t", ", t" },
    { "", "1 FROM ", "(" },
    { "", "1", " OR 1=2 AND 2" },
    { "", "x", "[1]" },
    { "", "f(1)", ".x" },
    { "", "1 FROM ", "((SELECT 1) x JOIN " },
    { "", "1", " BETWEEN 1 AND 2" },
    { "1, ", "1", "" },
    { "", "1 IN (1", ", 1" },
    { "", "1 WHERE 1 = 1", " AND 1 = 1" },
    { "", "a", " -> a" },
    { "EXISTS (", "1", ")" },
  };

  for (guint d = 0; d < G_N_ELEMENTS (all_dialects); d++) {
    for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
      guint n = (d + i) % 7 == 0 ? 100000 : 10000;
      g_autofree char *sql = repeat (shapes[i].before, shapes[i].middle, shapes[i].after, n);
      g_autoptr (PlumbStatement) statement = plumb_statement_check (all_dialects[d], sql, -1, NULL);

      g_assert_true (statement->allowed || statement->reason != NULL);
    }
  }
  return NULL;
}

/* In a thread, whose stack is smaller than the one of the first. */
static void
test_deep (void)
{
  g_autofree char *deep = repeat ("(", "1", ")", 10000);
  g_autofree char *fair = repeat ("(", "1", ")", 200);

  for (guint d = 0; d < G_N_ELEMENTS (all_dialects); d++) {
    g_autoptr (PlumbStatement) refused = plumb_statement_check (all_dialects[d], deep, -1, NULL);
    g_autoptr (PlumbStatement) allowed = plumb_statement_check (all_dialects[d], fair, -1, NULL);

    g_assert_false (refused->allowed);
    g_assert_true (allowed->allowed);
  }
  g_thread_join (g_thread_new ("deep", check_deep, NULL));
}

static gpointer
check_often (gpointer data)
{
  for (guint i = 0; i < 300; i++) {
    PlumbDialect dialect = all_dialects[i % 2 == 0 ? 0 : i % G_N_ELEMENTS (all_dialects)];
    g_autofree char *sql = g_strdup_printf ("SELECT sum(a.x) FROM t%u a JOIN u b ON a.i = b.i", i);
    g_autofree char *bad = g_strdup_printf ("SELECT sum(a.x FROM t%u", i);
    g_autofree char *table = g_strdup_printf ("t%u", i);
    g_autofree char *upper = g_ascii_strup (table, -1);
    g_autoptr (PlumbStatement) allowed = plumb_statement_check (dialect, sql, -1, NULL);
    g_autoptr (PlumbStatement) refused = plumb_statement_check (dialect, bad, -1, NULL);

    g_assert_true (allowed->allowed);
    g_assert_false (refused->allowed);
    g_assert_cmpstr (table_name (allowed, 0), ==,
                     dialect == PLUMB_DIALECT_ORACLE ? upper : table);
  }
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("check", check_often, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
test_bad_bytes (void)
{
  for (guint d = 0; d < G_N_ELEMENTS (all_dialects); d++) {
    g_autoptr (PlumbStatement)
        nul = plumb_statement_check (all_dialects[d], "SELECT 1\0; DELETE", 17, NULL);
    g_autoptr (PlumbStatement)
        latin = plumb_statement_check (all_dialects[d], "SELECT '\xe4'", -1, NULL);
    g_autoptr (PlumbStatement) empty = plumb_statement_check (all_dialects[d], "", 0, NULL);
    g_autoptr (PlumbStatement)
        escape = plumb_statement_check (all_dialects[d], "SELECT \x1b 1", -1, NULL);

    g_assert_false (nul->allowed);
    g_assert_false (latin->allowed);
    g_assert_false (empty->allowed);
    g_assert_false (escape->allowed);
    g_assert_nonnull (empty->reason);
  }
}

/* What a double quote and a backslash mean is the session's to say. */
static void
test_mariadb_modes (void)
{
  PlumbCheckContext context = { .ansi_quotes = TRUE, .no_backslash_escapes = TRUE };
  const char *backslash = "SELECT 'a\\'; DELETE FROM t; -- '";
  const char *quotes = "SELECT \"a\" FROM \"t\"";
  g_autoptr (PlumbStatement)
      usual_backslash = plumb_statement_check (PLUMB_DIALECT_MARIADB, backslash, -1, NULL);
  g_autoptr (PlumbStatement)
      plain_backslash = plumb_statement_check (PLUMB_DIALECT_MARIADB, backslash, -1, &context);
  g_autoptr (PlumbStatement)
      usual_quotes = plumb_statement_check (PLUMB_DIALECT_MARIADB, quotes, -1, NULL);
  g_autoptr (PlumbStatement)
      ansi_quotes = plumb_statement_check (PLUMB_DIALECT_MARIADB, quotes, -1, &context);

  g_assert_true (usual_backslash->allowed);
  g_assert_false (plain_backslash->allowed);
  g_assert_false (usual_quotes->allowed);
  g_assert_true (ansi_quotes->allowed);
  g_assert_cmpstr (table_name (ansi_quotes, 0), ==, "t");
}

static void
test_quoting (void)
{
  static const struct {
    PlumbDialect dialect;
    const char *name;
    const char *string;
  } cases[] = {
    { PLUMB_DIALECT_POSTGRES, "\"a\"\"b\\`]\"", "'it''s'" },
    { PLUMB_DIALECT_MARIADB, "`a\"b\\``]`", "'it\\'s'" },
    { PLUMB_DIALECT_CLICKHOUSE, "`a\"b\\\\\\`]`", "'it\\'s'" },
    { PLUMB_DIALECT_SQLITE, "\"a\"\"b\\`]\"", "'it''s'" },
    { PLUMB_DIALECT_SQLSERVER, "[a\"b\\`]]]", "'it''s'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = plumb_sql_quote_identifier (cases[i].dialect, "a\"b\\`]");
    g_autofree char *string = plumb_sql_quote_string (cases[i].dialect, "it's");
    g_autofree char *sql = g_strdup_printf ("SELECT %s FROM %s", string, name);
    g_autoptr (PlumbStatement) statement = plumb_statement_check (cases[i].dialect, sql, -1, NULL);

    g_assert_cmpstr (name, ==, cases[i].name);
    g_assert_cmpstr (string, ==, cases[i].string);
    g_assert_true (statement->allowed);
    g_assert_cmpstr (table_name (statement, 0), ==, "a\"b\\`]");
  }
}

static void
test_json (void)
{
  g_autoptr (PlumbStatement) allowed = plumb_statement_check (
      PLUMB_DIALECT_SQLITE, "SELECT sum(a.x) FROM a JOIN \"b c\" d ON d.i = a.j", -1, NULL);
  g_autoptr (PlumbStatement)
      refused = plumb_statement_check (PLUMB_DIALECT_SQLITE, "DROP TABLE a", -1, NULL);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autofree char *json = NULL;

  plumb_json_writer_begin_array (writer);
  plumb_json_writer_begin_object (writer);
  plumb_statement_write_json (allowed, writer);
  plumb_json_writer_end_object (writer);
  plumb_json_writer_begin_object (writer);
  plumb_statement_write_json (refused, writer);
  plumb_json_writer_end_object (writer);
  plumb_json_writer_end_array (writer);
  json = plumb_json_writer_finish (writer);
  g_assert_cmpstr (
      json, ==,
      "[{\"verdict\":\"allow\",\"reason\":null,\"tables\":[\"main.a\",\"main.\\\"b c\\\"\"],"
      "\"columns\":[\"main.\\\"b c\\\".i\",\"main.a.j\",\"main.a.x\"],"
      "\"joins\":[{\"kind\":\"inner\",\"left\":\"main.a\","
      "\"right\":\"main.\\\"b c\\\"\",\"keys\":[[\"j\",\"i\"]]}],"
      "\"warnings\":[]},"
      "{\"verdict\":\"refuse\",\"reason\":\"Only SELECT, WITH … SELECT and VALUES can run here; "
      "this statement "
      "begins with “DROP”.\",\"tables\":[],\"columns\":[],\"joins\":[],\"warnings\":[]}]");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sql/statement/joins-on", test_joins_on);
  g_test_add_func ("/sql/statement/joins-where", test_joins_where);
  g_test_add_func ("/sql/statement/joins-using", test_joins_using);
  g_test_add_func ("/sql/statement/joins-self-and-composite", test_joins_self_and_composite);
  g_test_add_func ("/sql/statement/joins-of-subqueries", test_joins_of_subqueries);
  g_test_add_func ("/sql/statement/joins-undecided", test_joins_undecided);
  g_test_add_func ("/sql/statement/selects-are-apart", test_selects_are_apart);
  g_test_add_func ("/sql/statement/columns", test_columns);
  g_test_add_func ("/sql/statement/views-are-views", test_views_are_views);
  g_test_add_func ("/sql/statement/view-texts", test_view_texts);
  g_test_add_func ("/sql/statement/text-to-send", test_text_to_send);
  g_test_add_func ("/sql/statement/deep", test_deep);
  g_test_add_func ("/sql/statement/threads", test_threads);
  g_test_add_func ("/sql/statement/bad-bytes", test_bad_bytes);
  g_test_add_func ("/sql/statement/mariadb-modes", test_mariadb_modes);
  g_test_add_func ("/sql/statement/quoting", test_quoting);
  g_test_add_func ("/sql/statement/json", test_json);
  return g_test_run ();
}
