/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-prompt.h"

#include <glib/gstdio.h>
#include <string.h>

/* The first input (DESIGN section 3): what the model is told before it has asked for anything. */

typedef struct {
  char *folder;
  PlumbIndex *index;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("plumb-first-XXXXXX", NULL);
  path = g_build_filename (f->folder, "index.sqlite", NULL);
  f->index = plumb_index_open (path, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) folder = g_dir_open (f->folder, 0, NULL);
  const char *name;

  g_clear_object (&f->index);
  while ((name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *path = g_build_filename (f->folder, name, NULL);

    g_remove (path);
  }
  g_rmdir (f->folder);
  g_free (f->folder);
}

static PlumbCard *
make_table (const char *database, guint number)
{
  g_autofree char *name = g_strdup_printf ("orders_%05u", number);
  PlumbCard *card = plumb_card_new (database, "main", name);

  plumb_card_add_column (card, "id", "INTEGER");
  plumb_card_add_column (card, "customer", "TEXT");
  return card;
}

/* Sources db_000, db_001 … whose summaries are long, with so many tables in all. */
static void
fill (Fixture *f, guint n_databases, guint n_tables)
{
  g_autofree char *summary = g_strnfill (400, 's');
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n_databases; i++) {
    g_autofree char *name = g_strdup_printf ("db_%03u", i);
    g_autoptr (PlumbSourceRecord) record = plumb_source_record_new (name, "catalog:///x");

    record->engine = g_strdup ("PostgreSQL");
    record->version = g_strdup ("15.6");
    record->summary = g_strdup (summary);
    record->analyzed_at = 1;
    g_assert_true (plumb_index_add_source (f->index, record, &error));
    for (guint j = i; j < n_tables; j += n_databases)
      g_ptr_array_add (cards, make_table (name, j));
  }
  g_assert_true (plumb_index_put_cards (f->index, cards, &error));
  g_assert_no_error (error);
}

static char *
make_prompt (Fixture *f, const char *policy)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccess) access = policy != NULL ? plumb_access_load_from_data ("clerk", policy, -1, &error)
                                                  : plumb_access_new_unrestricted ();
  g_autoptr (PlumbWorkspace) workspace = plumb_workspace_new (f->index, access, NULL, NULL);
  g_autoptr (GDateTime) now = g_date_time_new_utc (2026, 1, 31, 12, 0, 0);
  char *prompt = plumb_prompt_make (workspace, "How many orders has each customer?", NULL, now, &error);

  g_assert_no_error (error);
  return prompt;
}

static guint
count (const char *text, const char *what)
{
  guint n = 0;

  for (const char *p = strstr (text, what); p != NULL; p = strstr (p + 1, what))
    n++;
  return n;
}

static gsize
measure (guint n_databases, guint n_tables)
{
  Fixture f;
  g_autofree char *prompt = NULL;
  g_autofree char *summary = g_strnfill (100, 's');
  g_autofree char *long_summary = g_strnfill (121, 's');
  gsize length;

  set_up (&f, NULL);
  fill (&f, n_databases, n_tables);
  prompt = make_prompt (&f, NULL);
  length = strlen (prompt);
  g_test_message ("%u databases, %u tables: %zu bytes", n_databases, n_tables, length);
  g_assert_cmpuint (count (prompt, "\n- db_"), ==, MIN (n_databases, 10));
  g_assert_cmpuint (count (prompt, "(PostgreSQL 15.6)"), ==, MIN (n_databases, 10));
  g_assert_cmpuint (count (prompt, ": sss"), ==, 3);
  g_assert_nonnull (strstr (prompt, summary));
  g_assert_null (strstr (prompt, long_summary));
  g_assert_null (strstr (prompt, "orders_0"));
  tear_down (&f, NULL);
  return length;
}

static void
test_size (void)
{
  gsize five = measure (5, 100), fifty = measure (50, 100), many = measure (500, 10000);

  g_assert_cmpuint (measure (5, 10000), ==, five);
  g_assert_cmpuint (measure (50, 10000), ==, fifty);
  /* "and 490 more" is a digit longer than "and 40 more". */
  g_assert_cmpuint (many, ==, fifty + 1);
  g_assert_cmpuint (many, <, five + 500);
}

/* A database outside the role is there by name alone; the summary of one that the role shows in part, which speaks of
 * all its tables, is left out. */
static void
test_role (Fixture *f, gconstpointer data)
{
  g_autofree char *open = NULL;
  g_autofree char *prompt = NULL;

  fill (f, 3, 9);
  open = make_prompt (f, NULL);
  g_assert_cmpuint (count (open, ": sss"), ==, 3);
  prompt = make_prompt (f, "[role clerk]\nallow=*;\ndeny=db_000.*.orders_00003;db_001;\n");
  g_assert_cmpuint (count (prompt, ": sss"), ==, 1);
  g_assert_nonnull (strstr (prompt, "\n- db_000 (PostgreSQL 15.6)\n"));
  g_assert_nonnull (strstr (prompt, "\n- db_002 (PostgreSQL 15.6): sss"));
  g_assert_null (strstr (prompt, "\n- db_001"));
  g_assert_nonnull (strstr (prompt, "Databases without permission: db_001\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/first-input/size", test_size);
  g_test_add ("/first-input/role", Fixture, NULL, set_up, test_role, tear_down);
  return g_test_run ();
}
