/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "index-fixture.h"

#include <glib/gstdio.h>

void
add_source (PlumbIndex *index, const char *name)
{
  g_autoptr (PlumbSourceRecord) record = plumb_source_record_new (name, "sqlite:///tmp/source.db");
  GError *error = NULL;

  record->engine = g_strdup ("sqlite");
  plumb_index_add_source (index, record, &error);
  g_assert_no_error (error);
}

/* A card of a table with the columns ID, CUST_ID and AMT. */
PlumbCard *
make_card (const char *database, const char *schema, const char *table)
{
  PlumbCard *card = plumb_card_new (database, schema, table);

  plumb_card_add_column (card, "ID", "INTEGER");
  plumb_card_add_column (card, "CUST_ID", "INTEGER");
  plumb_card_add_column (card, "AMT", "NUMERIC");
  card->analyzed_at = 1700000000;
  card->fingerprint = g_strdup_printf ("%s/1", table);
  return card;
}

void
put_card (PlumbIndex *index, const char *database, const char *schema, const char *table)
{
  g_autoptr (PlumbCard) card = make_card (database, schema, table);
  GError *error = NULL;

  plumb_index_put_card (index, card, &error);
  g_assert_no_error (error);
}

GHashTable *
make_set (const char *first, ...)
{
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  va_list names;

  va_start (names, first);
  for (const char *name = first; name != NULL; name = va_arg (names, const char *))
    g_hash_table_add (set, g_strdup (name));
  va_end (names);
  return set;
}

PlumbJoinEdge *
make_edge (const char *left, const char *left_column, const char *right, const char *right_column,
           const char *basis, int trust)
{
  g_autoptr (PlumbTableName) left_name = plumb_table_name_parse (left, NULL);
  g_autoptr (PlumbTableName) right_name = plumb_table_name_parse (right, NULL);
  PlumbJoinEdge *edge = plumb_join_edge_new (left_name, right_name);

  edge->left_columns = g_strsplit (left_column, ",", -1);
  edge->right_columns = g_strsplit (right_column, ",", -1);
  edge->basis = g_strdup (basis);
  edge->trust = trust;
  edge->cardinality = PLUMB_CARDINALITY_MANY_TO_ONE;
  return edge;
}

void
index_fixture_reopen (IndexFixture *fixture)
{
  GError *error = NULL;

  if (fixture->index != NULL)
    g_assert_finalize_object (fixture->index);
  fixture->index = plumb_index_open (fixture->path, &error);
  g_assert_no_error (error);
}

void
index_fixture_set_up (IndexFixture *fixture, gconstpointer data)
{
  GError *error = NULL;

  fixture->folder = g_dir_make_tmp ("plumbline-index-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "index.sqlite", NULL);
  index_fixture_reopen (fixture);
  add_source (fixture->index, "sales");
}

void
index_fixture_tear_down (IndexFixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  if (fixture->index != NULL)
    g_assert_finalize_object (fixture->index);
  folder = g_dir_open (fixture->folder, 0, NULL);
  while ((name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->path);
}
