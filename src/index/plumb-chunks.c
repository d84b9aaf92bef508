/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vectors.h"

#include "plumb-abbreviation.h"
#include "plumb-text.h"

#include <string.h>

/* The texts below decide the hashes: who changes them appends a migration that sets card.chunks to
 * 0, so that chunks are made anew. */

/* Columns in a chunk, DESIGN section 5: the 300th column of a wide table must find its table. */
#define CHUNK_COLUMNS 35

/* What is read of a long comment, in bytes: of the table, and of one of 35 columns. */
#define MAX_TABLE_TEXT 1200
#define MAX_COLUMN_TEXT 130

/** plumb_chunk_free: frees @self */
void
plumb_chunk_free (PlumbChunk *self)
{
  if (self == NULL)
    return;
  g_free (self->hash);
  g_free (self->text);
  g_free (self);
}

static void
add_chunk (GPtrArray *chunks, const char *text)
{
  PlumbChunk *chunk = g_new0 (PlumbChunk, 1);
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  chunk->text = plumb_text_cut (valid, PLUMB_CHUNK_MAX_BYTES);
  chunk->hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, chunk->text, -1);
  g_ptr_array_add (chunks, chunk);
}

/* A line of its own, unless it is empty or says no more than @before. */
static void
add_line (GString *text, const char *lead, const char *line, const char *before)
{
  g_autofree char *cut = NULL;

  if (line == NULL || *line == '\0' || g_strcmp0 (line, before) == 0)
    return;
  cut = plumb_text_cut (line, MAX_TABLE_TEXT);
  g_string_append_printf (text, "%s%s\n", lead, cut);
}

static void
add_list (GString *text, const char *lead, const char *const *items)
{
  g_autofree char *joined = items != NULL ? g_strjoinv (", ", (GStrv) items) : NULL;

  add_line (text, lead, joined, NULL);
}

/* The name as it is written, and in words where that says more. */
static void
add_name (GString *text, const char *name)
{
  g_autofree char *spelled = plumb_abbreviation_spell_out (name);
  g_autofree char *folded = plumb_text_fold (name);

  g_string_append (text, name);
  if (*spelled != '\0' && strcmp (spelled, folded) != 0)
    g_string_append_printf (text, " (%s)", spelled);
}

static void
add_title (GString *text, PlumbCard *card)
{
  g_string_append (text, "Table ");
  add_name (text, card->name);
  g_string_append_printf (text, " in %s.%s\n", card->database, card->schema);
}

static void
add_keys (GString *text, PlumbCard *card)
{
  add_list (text, "Primary key: ", (const char *const *) card->primary_key);
  for (guint i = 0; i < card->foreign_keys->len; i++) {
    PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, i);
    g_autofree char *columns = g_strjoinv (", ", key->columns);

    g_string_append_printf (text, "%s refers to %s\n", columns, key->ref_table);
  }
}

static char *
make_head (PlumbCard *card)
{
  g_autoptr (GString) text = g_string_new (NULL);

  add_list (text, "", (const char *const *) card->synonyms);
  add_title (text, card);
  add_line (text, "", card->label, NULL);
  add_line (text, "", card->comment, card->label);
  add_line (text, "", card->purpose, card->comment != NULL ? card->comment : card->label);
  add_line (text, "Grain: ", card->grain, NULL);
  add_keys (text, card);
  add_list (text, "Easily got wrong: ", (const char *const *) card->misuse);
  g_string_append (text, "Columns: ");
  for (guint i = 0; i < card->columns->len && text->len < PLUMB_CHUNK_MAX_BYTES; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", column->name);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_column (GString *text, const PlumbCardColumn *column)
{
  const char *meaning = column->meaning != NULL ? column->meaning : column->comment;

  if (meaning != NULL && *meaning != '\0') {
    g_autofree char *cut = plumb_text_cut (meaning, MAX_COLUMN_TEXT);

    g_string_append_printf (text, "%s: %s", column->name, cut);
  } else {
    add_name (text, column->name);
  }
  g_string_append_c (text, '\n');
}

static char *
make_columns (PlumbCard *card, guint start)
{
  g_autoptr (GString) text = g_string_new (NULL);

  add_title (text, card);
  for (guint i = start; i < MIN (start + CHUNK_COLUMNS, card->columns->len); i++)
    add_column (text, g_ptr_array_index (card->columns, i));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * plumb_chunk_list_from_card:
 * @card: a card
 *
 * Splits a card as DESIGN section 5 says. The head chunk has the synonyms that domain files give in
 * front, then the table's place, name, texts, keys, misuse list and the names of its columns, as
 * many as there is room for; the other chunks have 35 columns each, with what they mean.
 *
 * Returns: (transfer full) (element-type PlumbChunk): the chunks, the head first
 */
GPtrArray *
plumb_chunk_list_from_card (PlumbCard *card)
{
  GPtrArray *chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_chunk_free);
  g_autofree char *head = make_head (card);

  add_chunk (chunks, head);
  for (guint start = 0; start < card->columns->len; start += CHUNK_COLUMNS) {
    g_autofree char *columns = make_columns (card, start);

    add_chunk (chunks, columns);
  }
  return chunks;
}
