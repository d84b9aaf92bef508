/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "postgres-fixture.h"

#include <string.h>

/* What the text of a statement alone doesn't tell, and the server is asked for. */
#define SHOP_SQL \
  "CREATE SCHEMA lib; CREATE TABLE public.sales (id int, label text, amount numeric); CREATE " \
  "TABLE public.log (a int);" \
  "CREATE TABLE lib.sales (id int); CREATE TABLE lib.only_here (id int);" \
  "CREATE FUNCTION public.touch(a text) RETURNS text LANGUAGE plpgsql AS $$BEGIN INSERT INTO " \
  "public.log VALUES (1); RETURN a; END$$;" \
  "CREATE FUNCTION public.upper(a numeric) RETURNS text LANGUAGE sql AS 'SELECT " \
  "public.touch(a::text)';" \
  "CREATE FUNCTION lib.unreachable(a text) RETURNS text LANGUAGE sql AS 'SELECT public.touch(a)';" \
  "CREATE FUNCTION public.same(a text, b text) RETURNS boolean LANGUAGE sql AS 'SELECT " \
  "public.touch(a) = b';" \
  "CREATE OPERATOR public.<~~> (LEFTARG = text, RIGHTARG = text, FUNCTION = public.same);" \
  "CREATE TYPE public.colour AS ENUM ('red', 'green'); CREATE TYPE public.pair AS (a int, b int);" \
  "CREATE DOMAIN public.positive AS int CHECK (VALUE > 0); CREATE DOMAIN public.touched AS text " \
  "CHECK (public.touch(VALUE) <> '');" \
  "CREATE FUNCTION public.to_pair(a int) RETURNS public.pair LANGUAGE sql AS 'SELECT " \
  "(public.touch(a::text)::int, a)::public.pair';" \
  "CREATE CAST (int AS public.pair) WITH FUNCTION public.to_pair(int);" \
  "CREATE VIEW public.v_good AS SELECT id, round(amount) AS amount FROM public.sales;" \
  "CREATE VIEW public.v_touch AS SELECT public.touch(label) AS label FROM public.sales;" \
  "CREATE VIEW public.v_over AS SELECT * FROM public.v_touch; CREATE VIEW public.v_sleep AS " \
  "SELECT pg_sleep(1)::text AS slept, id FROM public.sales;" \
  "CREATE TABLE public.own_rows (id int, who text); ALTER TABLE public.own_rows ENABLE ROW LEVEL " \
  "SECURITY;" \
  "CREATE POLICY own ON public.own_rows FOR SELECT USING (who = current_user);" \
  "CREATE TABLE public.watched (id int, who text); ALTER TABLE public.watched ENABLE ROW LEVEL " \
  "SECURITY;" \
  "CREATE POLICY watch ON public.watched FOR SELECT USING (public.touch(who) IS NOT NULL);" \
  "CREATE TABLE public.slow (id int); ALTER TABLE public.slow ENABLE ROW LEVEL SECURITY;" \
  "CREATE POLICY sleepy ON public.slow FOR SELECT USING (pg_sleep(1) IS NOT NULL);"

static const char *const allowed[] = {
  "SELECT round(amount), count(*) FROM sales GROUP BY 1",
  "SELECT upper(label) FROM sales",
  "SELECT * FROM v_good",
  "SELECT * FROM own_rows",
  "SELECT 'red'::colour, 5::positive",
  "SELECT id FROM lib.only_here",
  "SELECT lib.sales.id FROM lib.sales JOIN public.sales ON lib.sales.id = public.sales.id",
};

static const char *const refused[] = {
  "SELECT touch(label) FROM sales",
  "SELECT upper(amount) FROM sales",
  "SELECT lib.unreachable(label) FROM sales",
  "SELECT label <~~> 'a' FROM sales",
  "SELECT label::touched FROM sales",
  "SELECT id::pair FROM sales",
  "SELECT * FROM v_touch",
  "SELECT * FROM v_over",
  "SELECT * FROM v_sleep",
  "SELECT * FROM watched",
  "SELECT * FROM slow",
  "SELECT * FROM only_here",
  "SELECT * FROM pg_hba_file_rules",
};

/* Conversions and comparisons that a user made and that no text shows. */
#define CONVERSIONS_SQL \
  "CREATE TABLE public.log (a int); CREATE TABLE public.people (id int, name text);" \
  "CREATE FUNCTION public.touch(a int) RETURNS int LANGUAGE plpgsql AS $$BEGIN INSERT INTO " \
  "public.log VALUES (1); RETURN a; END$$;" \
  "CREATE TYPE public.wrap AS (v text);" \
  "CREATE FUNCTION public.unwrap(w public.wrap) RETURNS text LANGUAGE sql AS 'SELECT " \
  "(public.touch(1))::text || w.v';" \
  "CREATE CAST (public.wrap AS text) WITH FUNCTION public.unwrap(public.wrap) AS IMPLICIT;" \
  "CREATE TABLE public.wrapped (id int, w public.wrap); INSERT INTO public.wrapped VALUES (1, " \
  "ROW('x'));" \
  "CREATE TYPE public.mark AS (v int);" \
  "CREATE FUNCTION public.same_mark(a public.mark, b public.mark) RETURNS boolean LANGUAGE sql AS " \
  "'SELECT public.touch(1) > 0';" \
  "CREATE OPERATOR public.= (LEFTARG = public.mark, RIGHTARG = public.mark, FUNCTION = " \
  "public.same_mark);" \
  "CREATE FUNCTION public.mark_json(m public.mark) RETURNS json LANGUAGE sql AS 'SELECT " \
  "to_json(public.touch(m.v))';" \
  "CREATE CAST (public.mark AS json) WITH FUNCTION public.mark_json(public.mark);" \
  "CREATE TABLE public.marked (id int, w public.mark); INSERT INTO public.marked VALUES (1, " \
  "ROW(1));"

static const char *const converting[] = {
  "SELECT upper(w) FROM wrapped",
  "SELECT w || 'x' FROM wrapped",
  "SELECT * FROM wrapped WHERE w = 'x'",
  "SELECT * FROM wrapped WHERE w LIKE 'x%'",
  "SELECT w IN ('a', 'b') FROM wrapped",
  "SELECT coalesce(w, 'x'::text) FROM wrapped",
  "SELECT CASE WHEN true THEN 'x'::text ELSE w END FROM wrapped",
  "SELECT w FROM wrapped UNION SELECT name FROM people",
  "SELECT string_agg(w, ',') FROM wrapped",
  "SELECT * FROM wrapped JOIN people ON w = name",
  "SELECT max(w) FROM wrapped",
  "SELECT * FROM people p JOIN (SELECT w AS name FROM wrapped) q USING (name)",
  "SELECT w = w FROM marked",
  "SELECT a.id FROM marked a JOIN marked b USING (w)",
  "SELECT 1 FROM marked a NATURAL JOIN marked b",
  "SELECT id FROM marked WHERE w IN (SELECT w FROM marked)",
  "SELECT CASE w WHEN w THEN 1 END FROM marked",
  "SELECT CASE w WHEN '(1)' THEN 1 WHEN '(2)' THEN 2 END FROM marked",
  "SELECT nullif(w, w) FROM marked",
  "SELECT w IS DISTINCT FROM w FROM marked",
  "SELECT (w, 1) = (w, 1) FROM marked",
  "SELECT w = ANY (ARRAY[w]) FROM marked",
  "SELECT to_json(w) FROM marked",
  "SELECT json_agg(w) FROM marked",
  "SELECT jsonb_build_object('a', w) FROM marked",
  "SELECT row_to_json(m) FROM marked m",
  "SELECT w::json FROM marked",
};

static const char *const not_converting[] = {
  "SELECT w FROM wrapped",
  "SELECT count(*), count(w), id + 1 FROM wrapped WHERE w IS NOT NULL GROUP BY id",
  "SELECT w.id, upper(p.name) FROM wrapped w JOIN people p ON p.id = w.id WHERE upper(p.name) = "
  "'ADA' AND p.name LIKE 'A%' AND p.id IN (1, 2)",
  "SELECT sum(id), round(avg(id), 1), coalesce(max(name), 'none'), CASE id WHEN 1 THEN 'a' WHEN 2 "
  "THEN 'b' END FROM people GROUP BY id",
  "SELECT date_trunc('month', d)::date, to_char(d, 'YYYY'), d >= '2024-01-01' FROM "
  "generate_series('2024-01-01'::timestamptz, '2024-02-01', interval '1 day') AS d",
  "SELECT id FROM marked UNION SELECT id FROM people ORDER BY 1",
  "SELECT name FROM people p WHERE EXISTS (SELECT 1 FROM marked m WHERE m.id = p.id)",
};

static PlumbSource *
open_source (void)
{
  return open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), "shop", NULL);
}

static void
test_allowed (void)
{
  g_autoptr (PlumbSource) source = open_source ();

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
    plumb_source_check (source, allowed[i], NULL, NULL, &error);
    g_autoptr (PlumbResult) result = NULL;

    g_assert_no_error (error);
    if (!statement->allowed)
      g_error ("%s: %s", allowed[i], statement->reason);
    result = run (source, statement->text);
  }
}

static void
test_refused (void)
{
  g_autoptr (PlumbSource) source = open_source ();

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
    plumb_source_check (source, refused[i], NULL, NULL, &error);

    g_assert_no_error (error);
    if (statement->allowed)
      g_error ("Allowed: %s", refused[i]);
    g_assert_nonnull (statement->reason);
  }
}

/* An unqualified name means to the server what it means to the check. */
static void
test_search_path (void)
{
  PGconn *admin = admin_connect ("shop");
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbStatement) statement = NULL;
  g_autoptr (PlumbResult) result = NULL;
  const PlumbSqlTable *table;

  admin_execute (
    admin,
    "CREATE ROLE path_role LOGIN PASSWORD 'path word'; GRANT USAGE ON SCHEMA lib TO path_role;"
    "GRANT SELECT ON ALL TABLES IN SCHEMA lib, public TO path_role; ALTER ROLE path_role SET "
    "search_path = lib, public");
  PQfinish (admin);
  source = open_as ("path_role", "path word", "shop", NULL);
  statement = plumb_source_check (source, "SELECT count(*) FROM sales, log", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (statement->allowed);
  g_assert_cmpuint (statement->tables->len, ==, 2);
  table = g_ptr_array_index (statement->tables, 0);
  g_assert_cmpstr (table->schema, ==, "lib");
  table = g_ptr_array_index (statement->tables, 1);
  g_assert_cmpstr (table->schema, ==, "public");
  result = run (source, "SELECT label FROM public.sales");
  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 0);
  assert_one_cell (source, "SELECT 'sales'::regclass::oid = 'lib.sales'::regclass::oid", "true");
}

static void
test_conversions (void)
{
  g_autoptr (PlumbSource) source = NULL;

  create_database ("conversions", CONVERSIONS_SQL);
  source = open_as ("postgres", g_getenv ("PLUMB_TEST_POSTGRES_PASSWORD"), "conversions", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (converting); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
      plumb_source_check (source, converting[i], NULL, NULL, &error);

    g_assert_no_error (error);
    if (statement->allowed)
      g_error ("%s is let through", converting[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (not_converting); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbStatement) statement =
      plumb_source_check (source, not_converting[i], NULL, NULL, &error);
    g_autoptr (PlumbResult) result = NULL;

    g_assert_no_error (error);
    if (!statement->allowed)
      g_error ("%s is refused: %s", not_converting[i], statement->reason);
    result = run (source, not_converting[i]);
  }
}

static gboolean
is_allowed (PlumbSource *source, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbStatement) statement = plumb_source_check (source, sql, NULL, NULL, &error);

  g_assert_no_error (error);
  return statement->allowed;
}

/* What a statement calls may be replaced between its check and the next, and between its check and
 * its run; whatever else is written makes no difference. */
static void
test_changes (void)
{
  static const struct {
    const char *sql;
    const char *change;
  } changes[] = {
    { "SELECT amount FROM v_change",
      "CREATE OR REPLACE VIEW public.v_change AS SELECT id, upper(amount) AS amount FROM "
      "public.sales" },
    { "SELECT 5::positive",
      "ALTER DOMAIN public.positive ADD CONSTRAINT c CHECK (public.touch(VALUE::text) <> '')" },
    { "SELECT id FROM own_rows",
      "CREATE POLICY second ON public.own_rows FOR SELECT USING (public.touch(who) IS NOT NULL)" },
    { "SELECT lower(amount) FROM sales WHERE false",
      "CREATE FUNCTION public.lower(a numeric) RETURNS text LANGUAGE sql AS 'SELECT "
      "public.touch(a::text)'" },
    { "SELECT id FROM public.plain",
      "CREATE POLICY p ON public.plain USING (public.touch('x') IS NOT NULL); ALTER TABLE "
      "public.plain ENABLE ROW LEVEL SECURITY" },
  };
  PGconn *admin = admin_connect ("shop");
  g_autoptr (PlumbSource) source = open_source ();

  admin_execute (admin, "CREATE VIEW public.v_change AS SELECT id, round(amount)::text AS amount "
                        "FROM public.sales; CREATE TABLE public.plain (id int)");
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbResult) result = NULL;
    gboolean runs = i != 3;

    g_assert_true (is_allowed (source, changes[i].sql));
    admin_execute (admin, "INSERT INTO public.log VALUES (2)");
    if (runs)
      plumb_result_unref (run (source, changes[i].sql));
    g_assert_true (is_allowed (source, changes[i].sql));
    admin_execute (admin, changes[i].change);
    result = run_limited (source, changes[i].sql, PLUMB_LIMITS_DEFAULT, &error);
    g_assert_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT);
    g_assert_nonnull (strstr (error->message, "changed after"));
    g_assert_false (is_allowed (source, changes[i].sql));
  }
  PQfinish (admin);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  create_database ("shop", SHOP_SQL);
  g_test_add_func ("/sources/postgres/check-conversions", test_conversions);
  g_test_add_func ("/sources/postgres/check-allowed", test_allowed);
  g_test_add_func ("/sources/postgres/check-refused", test_refused);
  g_test_add_func ("/sources/postgres/check-search-path", test_search_path);
  g_test_add_func ("/sources/postgres/check-changes", test_changes);
  return g_test_run ();
}
