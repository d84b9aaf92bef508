/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "join-fixture.h"

#include <glib/gstdio.h>

typedef struct {
  char *folder;
  PlumbIndex *index;
} Fixture;

static void
put_card (PlumbIndex *index, const char *table, PlumbRole role, PlumbStatus status,
          gboolean selectable, gboolean gone)
{
  static const char *const columns[] = { "ID", "A", "B", "OLD", NULL };
  g_autoptr (PlumbCard) card = plumb_card_new ("d", "m", table);
  GError *error = NULL;

  for (guint i = 0; columns[i] != NULL; i++)
    plumb_card_add_column (card, columns[i], "INTEGER");
  card->role = role;
  card->status = status;
  card->selectable = selectable;
  card->gone = gone;
  plumb_index_put_card (index, card, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbSourceRecord) source = plumb_source_record_new ("d", "sqlite:///d");
  g_autoptr (GPtrArray) edges =
      make_edges ("A.OLD=B_BAK.ID N:1 1 declared", "B_BAK.ID=C.OLD 1:1 1 declared",
                  "A.B=B.ID N:1 1 declared", "B.A=C.ID N:1 3 names",
                  "A.A=HIDDEN.ID N:1 1 declared", "HIDDEN.A=D.ID N:1 1 declared",
                  "A.ID=GONE.ID N:1 1 declared", "GONE.A=D.ID N:1 1 declared",
                  "A.B=CODE.ID N:1 1 declared", "D.B=CODE.ID N:1 1 declared", NULL);
  g_autofree char *path = NULL;
  GError *error = NULL;

  fixture->folder = g_dir_make_tmp ("plumbline-joins-XXXXXX", NULL);
  path = g_build_filename (fixture->folder, "index.sqlite", NULL);
  fixture->index = plumb_index_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (plumb_index_add_source (fixture->index, source, NULL));
  put_card (fixture->index, "A", PLUMB_ROLE_FACT, PLUMB_STATUS_LIVE, TRUE, FALSE);
  put_card (fixture->index, "B", PLUMB_ROLE_FACT, PLUMB_STATUS_LIVE, TRUE, FALSE);
  put_card (fixture->index, "B_BAK", PLUMB_ROLE_FACT, PLUMB_STATUS_BACKUP, TRUE, FALSE);
  put_card (fixture->index, "C", PLUMB_ROLE_FACT, PLUMB_STATUS_LIVE, TRUE, FALSE);
  put_card (fixture->index, "D", PLUMB_ROLE_FACT, PLUMB_STATUS_LIVE, TRUE, FALSE);
  put_card (fixture->index, "CODE", PLUMB_ROLE_CODE, PLUMB_STATUS_LIVE, TRUE, FALSE);
  put_card (fixture->index, "HIDDEN", PLUMB_ROLE_FACT, PLUMB_STATUS_LIVE, FALSE, FALSE);
  put_card (fixture->index, "GONE", PLUMB_ROLE_FACT, PLUMB_STATUS_LIVE, TRUE, TRUE);
  plumb_index_replace_inferred_edges (fixture->index, "d", edges, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_strdup (plumb_index_get_path (fixture->index));

  g_assert_finalize_object (fixture->index);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static PlumbJoinPath *
find (Fixture *fixture, const char *from, const char *to)
{
  GError *error = NULL;
  g_autoptr (PlumbJoinGraph) graph = plumb_join_graph_load (fixture->index, "d", &error);
  g_autoptr (PlumbTableName) left = plumb_table_name_new ("d", "m", from);
  g_autoptr (PlumbTableName) right = plumb_table_name_new ("d", "m", to);
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();

  g_assert_no_error (error);
  g_ptr_array_add (tables, left);
  g_ptr_array_add (tables, right);
  return plumb_join_graph_find_path (graph, tables, NULL);
}

/* The way over the backup is cheaper, and still never taken unless the backup is asked for. */
static void
test_not_through_copies (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinPath) path = find (fixture, "A", "C");
  g_autoptr (PlumbJoinPath) to_copy = find (fixture, "A", "B_BAK");

  g_assert_cmpuint (path->steps->len, ==, 2);
  g_assert_cmpstr (((PlumbJoinStep *) path->steps->pdata[0])->edge->right->table, ==, "B");
  g_assert_cmpuint (to_copy->steps->len, ==, 1);
}

/* Two tables with the same codes have nothing else in common. */
static void
test_not_through_codes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinPath) path = find (fixture, "A", "D");
  g_autoptr (PlumbJoinPath) to_code = find (fixture, "A", "CODE");

  g_assert_cmpuint (path->steps->len, ==, 0);
  g_assert_cmpuint (to_code->steps->len, ==, 1);
}

static void
test_not_through_hidden (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PlumbJoinPath) path = find (fixture, "A", "D");

  g_assert_cmpuint (path->steps->len, ==, 0);
  g_assert_nonnull (path->reason);
  g_assert_null (strstr (path->reason, "HIDDEN"));
}

/* A question asks for one path in a database of ten thousand tables. */
static void
test_large (void)
{
  g_autoptr (GPtrArray) edges =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  g_autoptr (GPtrArray) tables =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_table_name_free);
  g_autoptr (PlumbJoinGraph) graph = NULL;
  g_autoptr (PlumbJoinPath) path = NULL;
  gint64 start;

  for (int i = 1; i < 30000; i++) {
    g_autofree char *text = g_strdup_printf ("T%d.P=T%d.ID N:1 1 declared", i % 10000,
                                             (i % 10000) / (2 + i / 10000));
    g_autoptr (GPtrArray) one = make_edges (text, NULL);

    g_ptr_array_add (edges, plumb_join_edge_ref (one->pdata[0]));
  }
  start = g_get_monotonic_time ();
  graph = plumb_join_graph_new (edges);
  for (int i = 9000; i < 9004; i++) {
    g_autofree char *name = g_strdup_printf ("T%d", i);

    g_ptr_array_add (tables, plumb_table_name_new ("d", "m", name));
  }
  path = plumb_join_graph_find_path (graph, tables, NULL);
  g_assert_null (path->reason);
  g_test_message ("4 of 10,000 tables joined over 30,000 edges in %.1f ms",
                  (g_get_monotonic_time () - start) / 1e3);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_USEC_PER_SEC);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/joins/load/not-through-copies", Fixture, NULL, set_up, test_not_through_copies,
              tear_down);
  g_test_add ("/joins/load/not-through-codes", Fixture, NULL, set_up, test_not_through_codes,
              tear_down);
  g_test_add ("/joins/load/not-through-hidden", Fixture, NULL, set_up, test_not_through_hidden,
              tear_down);
  g_test_add_func ("/joins/load/large", test_large);
  return g_test_run ();
}
