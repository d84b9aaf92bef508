/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

/* Another program that uses an index, so that tests can kill it or hold a lock against it. */

#include "index-fixture.h"

#include "plumb-search.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* Tells the test that it may go on, and waits to be killed. */
static void
say_and_wait (const char *text)
{
  printf ("%s\n", text);
  fflush (stdout);
  for (;;)
    g_usleep (G_USEC_PER_SEC);
}

static PlumbIndex *
open_index (const char *path)
{
  GError *error = NULL;
  PlumbIndex *index = plumb_index_open (path, &error);

  if (index == NULL) {
    fprintf (stderr, "%s\n", error->message);
    exit (1);
  }
  return index;
}

static void
expect (gboolean done, GError *error)
{
  if (done)
    return;
  fprintf (stderr, "%s\n", error->message);
  exit (1);
}

/* An analysis run: every table's card, then the end. */
static void
store_cards (PlumbIndex *index, int n_cards)
{
  g_autoptr (GHashTable) present = make_set (NULL, NULL);
  g_autoptr (PlumbSourceRecord) source = plumb_index_get_source (index, "sales", NULL);
  GError *error = NULL;

  if (source == NULL)
    add_source (index, "sales");
  for (int i = 0; i < n_cards; i++) {
    g_autofree char *name = g_strdup_printf ("T%04d", i);
    g_autoptr (PlumbCard) card = make_card ("sales", "main", name);

    expect (plumb_index_put_card (index, card, &error), error);
    g_hash_table_add (present, g_strdup_printf ("main.%s", name));
  }
  expect (plumb_index_finish_analysis (index, "sales", present, "done", "1", &error), error);
}

/* Changes a card, and brings what search keeps up to date, again and again. */
static void
search_cards (PlumbIndex *index, int n_cards)
{
  g_autoptr (PlumbSearch) search = plumb_search_new (index);
  GError *error = NULL;

  for (int i = 0; i < n_cards; i++) {
    g_autofree char *name = g_strdup_printf ("KILLED_%d", i % 50);
    g_autofree char *column = g_strdup_printf ("column_%d", i);
    g_autoptr (PlumbCard) card = make_card ("sales", "main", name);

    plumb_card_add_column (card, column, "TEXT");
    expect (plumb_index_put_card (index, card, &error), error);
    expect (plumb_search_prepare (search, &error), error);
  }
}

static void
add_notes (PlumbIndex *index, int n_notes)
{
  GError *error = NULL;

  for (int i = 0; i < n_notes; i++) {
    g_autoptr (PlumbNote) note = plumb_note_new ("sales", "main", "T", "a note");

    expect (plumb_index_add_note (index, note, &error) > 0, error);
  }
}

static void
begin_turn (PlumbIndex *index)
{
  g_autoptr (PlumbTurn) turn = plumb_turn_new ("How many?");
  g_autoptr (PlumbStep) step = plumb_step_new (PLUMB_STEP_TOOL);
  gint64 conversation = plumb_index_add_conversation (index, "x", NULL);
  GError *error = NULL;

  expect (plumb_index_begin_turn (index, conversation, turn, &error) > 0, error);
  step->turn_id = turn->id;
  step->number = 1;
  expect (plumb_index_put_step (index, step, &error), error);
  say_and_wait ("running");
}

static void
hold_lock (const char *path)
{
  sqlite3 *db = NULL;

  if (sqlite3_open (path, &db) != SQLITE_OK ||
      sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
    exit (1);
  say_and_wait ("locked");
}

int
main (int argc, char *argv[])
{
  g_autoptr (PlumbIndex) index = NULL;

  if (argc != 4)
    return 2;
  if (g_str_equal (argv[1], "lock"))
    hold_lock (argv[2]);
  index = open_index (argv[2]);
  if (g_str_equal (argv[1], "cards"))
    store_cards (index, atoi (argv[3]));
  else if (g_str_equal (argv[1], "search"))
    search_cards (index, atoi (argv[3]));
  else if (g_str_equal (argv[1], "notes"))
    add_notes (index, atoi (argv[3]));
  else if (g_str_equal (argv[1], "turn"))
    begin_turn (index);
  return 0;
}
