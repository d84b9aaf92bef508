/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include <string.h>

/* What search has to know of every table. Its columns and texts are read when it is found. Texts are
 * offsets into a section of their own, 0 for none. */
typedef struct {
  gint64 row_estimate;
  guint32 database;
  guint32 schema;
  guint32 name;
  guint32 copy_of;
  guint32 family;
  guint8 kind;
  guint8 role;
  guint8 status;
  guint8 selectable;
} Record;

static guint32
add_text (GString *texts, const char *text)
{
  guint32 place = texts->len;

  if (text == NULL)
    return 0;
  g_string_append_len (texts, text, strlen (text) + 1);
  return place;
}

static void
add_records (PlumbImage *image, GPtrArray *cards)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (Record));
  g_autoptr (GString) texts = g_string_new (NULL);
  PlumbCard *before = NULL;
  gsize length;

  g_string_append_c (texts, '\0');
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);
    const Record *last = i > 0 ? &g_array_index (records, Record, i - 1) : NULL;
    gboolean same_database = last != NULL && strcmp (before->database, card->database) == 0;
    gboolean same_schema = last != NULL && strcmp (before->schema, card->schema) == 0;
    Record record = { .row_estimate = card->row_estimate, .kind = card->kind, .role = card->role,
                      .status = card->status, .selectable = card->selectable };

    record.database = same_database ? last->database : add_text (texts, card->database);
    record.schema = same_schema ? last->schema : add_text (texts, card->schema);
    record.name = add_text (texts, card->name);
    record.copy_of = add_text (texts, card->copy_of);
    record.family = add_text (texts, card->family);
    g_array_append_val (records, record);
    before = card;
  }
  length = texts->len;
  plumb_image_take (image, PLUMB_SECTION_TABLE_TEXT, g_string_free (g_steal_pointer (&texts), FALSE), length);
  plumb_image_take_array (image, PLUMB_SECTION_TABLES, records);
}

/**
 * plumb_tables_build:
 * @image: where the tables go
 * @cards: (element-type PlumbCard): the tables in their order
 *
 * Puts into @image what search has to know of each table, declared keys and copies.
 */
void
plumb_tables_build (PlumbImage *image, GPtrArray *cards)
{
  g_autoptr (PlumbFamilies) families = plumb_families_new (cards, NULL);
  g_autoptr (PlumbTableGraph) graph = NULL;
  gint32 *live = g_new (gint32, MAX (cards->len, 1));

  add_records (image, cards);
  for (guint i = 0; i < cards->len; i++)
    live[i] = plumb_families_get_live (families, i);
  graph = plumb_table_graph_new (cards, live);
  plumb_image_take (image, PLUMB_SECTION_LIVE, live, cards->len * sizeof *live);
  plumb_image_take (image, PLUMB_SECTION_EDGES, g_steal_pointer (&graph->edges),
                    graph->edge_starts[cards->len] * sizeof (guint32));
  plumb_image_take (image, PLUMB_SECTION_EDGE_STARTS, g_steal_pointer (&graph->edge_starts),
                    ((gsize) cards->len + 1) * sizeof (guint32));
}

static const char *
get_text (const char *texts, gsize length, guint32 place)
{
  return place > 0 && place < length ? texts + place : NULL;
}

static PlumbCard *
read_record (const Record *record, const char *texts, gsize length)
{
  const char *database = get_text (texts, length, record->database);
  const char *schema = get_text (texts, length, record->schema);
  const char *name = get_text (texts, length, record->name);
  PlumbCard *card;

  if (database == NULL || schema == NULL || name == NULL)
    return NULL;
  card = plumb_card_new (database, schema, name);
  card->copy_of = g_strdup (get_text (texts, length, record->copy_of));
  card->family = g_strdup (get_text (texts, length, record->family));
  card->kind = MIN (record->kind, PLUMB_TABLE_KIND_FOREIGN);
  card->role = MIN (record->role, PLUMB_ROLE_BACKUP);
  card->status = MIN (record->status, PLUMB_STATUS_PARTITION);
  card->selectable = record->selectable;
  card->row_estimate = record->row_estimate;
  return card;
}

/**
 * plumb_tables_read:
 * @image: an image
 *
 * Returns: (transfer full) (nullable) (element-type PlumbCard): the tables in their order, with names,
 *   status and the like alone; %NULL where @image is damaged
 */
GPtrArray *
plumb_tables_read (const PlumbImage *image)
{
  gsize n, length;
  const Record *records = plumb_image_get (image, PLUMB_SECTION_TABLES, sizeof *records, &n);
  const char *texts = plumb_image_get (image, PLUMB_SECTION_TABLE_TEXT, 1, &length);
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  if (n > G_MAXINT32 || (n > 0 && (length == 0 || texts[length - 1] != '\0')))
    return NULL;
  for (gsize i = 0; i < n; i++) {
    PlumbCard *card = read_record (&records[i], texts, length);

    if (card == NULL)
      return NULL;
    g_ptr_array_add (cards, card);
  }
  return g_steal_pointer (&cards);
}

/** plumb_tables_read_live: Returns: (transfer none) (nullable) (array): for each of @n_tables the table that
 *  it is a copy of, -1 for none; %NULL where @image is damaged */
const gint32 *
plumb_tables_read_live (const PlumbImage *image, guint n_tables)
{
  gsize n;
  const gint32 *live = plumb_image_get (image, PLUMB_SECTION_LIVE, sizeof *live, &n);

  if (n != n_tables)
    return NULL;
  for (guint i = 0; i < n_tables; i++) {
    if (live[i] < -1 || live[i] >= (gint64) n_tables)
      return NULL;
  }
  return live;
}
