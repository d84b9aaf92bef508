/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-names.h"
#include "plumb-text.h"
#include "plumb-tool-json.h"
#include "plumb-tools.h"

#include <string.h>

#define MAX_SENTENCES 8
#define MAX_JOINS 15
#define MAX_NOTES 10
#define MAX_VALUES 12
#define MAX_VALUE_BYTES 80

/* Room kept for what follows the columns. */
#define TAIL_BYTES 1024

/* How a column is shown. */
typedef enum {
  COLUMN_LEFT_OUT,
  COLUMN_SHORT,
  COLUMN_FULL,
} ColumnForm;

static void
write_values (PlumbJsonWriter *writer, const PlumbCardColumn *column)
{
  if (column->values->len == 0)
    return;
  plumb_json_writer_name (writer, "values");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < MIN (column->values->len, MAX_VALUES); i++) {
    const PlumbCodeValue *value = g_ptr_array_index (column->values, i);
    g_autofree char *cut = plumb_text_cut (value->value, MAX_VALUE_BYTES);

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "value");
    plumb_json_writer_string (writer, cut);
    plumb_tool_json_cut (writer, "meaning", value->meaning);
    plumb_tool_json_number (writer, "count", value->count);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

static char *
write_column (const PlumbCardColumn *column, ColumnForm form)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_tool_json_text (writer, "name", column->name);
  plumb_tool_json_text (writer, "type", column->type);
  plumb_tool_json_text (writer, "key", column->key);
  if (form == COLUMN_FULL) {
    plumb_tool_json_cut (writer, "comment", column->comment);
    plumb_tool_json_cut (writer, "meaning", column->meaning);
    plumb_tool_json_cut (writer, "misuse", column->misuse);
    if (!column->nullable) {
      plumb_json_writer_name (writer, "not_null");
      plumb_json_writer_boolean (writer, TRUE);
    }
    if (column->null_fraction > 0) {
      plumb_json_writer_name (writer, "null_fraction");
      plumb_json_writer_double (writer, (double) (int) (column->null_fraction * 1000 + 0.5) / 1000);
    }
    plumb_tool_json_number (writer, "distinct", column->distinct);
    plumb_tool_json_cut (writer, "minimum", column->minimum);
    plumb_tool_json_cut (writer, "maximum", column->maximum);
    write_values (writer, column);
  }
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

static void
write_foreign_keys (PlumbJsonWriter *writer, PlumbCard *card)
{
  if (card->foreign_keys->len == 0)
    return;
  plumb_json_writer_name (writer, "foreign_keys");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < MIN (card->foreign_keys->len, MAX_JOINS); i++) {
    const PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, i);

    plumb_json_writer_begin_object (writer);
    plumb_tool_json_strings (writer, "columns", (const char *const *) key->columns);
    plumb_tool_json_text (writer, "ref_schema", key->ref_schema);
    plumb_tool_json_text (writer, "ref_table", key->ref_table);
    plumb_tool_json_strings (writer, "ref_columns", (const char *const *) key->ref_columns);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

static void
write_source (PlumbJsonWriter *writer, PlumbToolContext *context, const char *database)
{
  PlumbSourceRecord *record =
      plumb_index_get_source (plumb_workspace_get_index (context->workspace), database, NULL);

  if (record == NULL)
    return;
  plumb_tool_json_text (writer, "engine", record->engine);
  plumb_tool_json_text (writer, "version", record->version);
  plumb_source_record_free (record);
}

/* What is known of the table itself. */
static void
write_table (PlumbJsonWriter *writer, PlumbToolContext *context, PlumbCard *card)
{
  g_autoptr (PlumbJoinGraph) graph =
      plumb_workspace_load_joins (context->workspace, card->database, NULL);
  g_autoptr (GPtrArray) notes =
      plumb_index_list_notes (plumb_workspace_get_index (context->workspace), card->database,
                              card->schema, card->name, FALSE, NULL);

  plumb_tool_json_text (writer, "database", card->database);
  plumb_tool_json_text (writer, "schema", card->schema);
  plumb_tool_json_text (writer, "table", card->name);
  write_source (writer, context, card->database);
  plumb_tool_json_text (writer, "kind", plumb_table_kind_to_string (card->kind));
  plumb_tool_json_text (writer, "role", plumb_role_to_string (card->role));
  plumb_tool_json_text (writer, "status", plumb_status_to_string (card->status));
  plumb_tool_json_text (writer, "copy_of", card->copy_of);
  plumb_tool_json_text (writer, "family", card->family);
  plumb_tool_json_some (writer, "reasons", card->reasons, MAX_SENTENCES);
  plumb_tool_json_cut (writer, "comment", card->comment);
  plumb_tool_json_cut (writer, "label", card->label);
  plumb_tool_json_cut (writer, "purpose", card->purpose);
  plumb_tool_json_cut (writer, "grain", card->grain);
  plumb_tool_json_number (writer, "row_estimate", card->row_estimate);
  plumb_tool_json_strings (writer, "primary_key", (const char *const *) card->primary_key);
  write_foreign_keys (writer, card);
  plumb_tool_json_some (writer, "misuse", card->misuse, MAX_SENTENCES);
  plumb_tool_json_some (writer, "synonyms", card->synonyms, MAX_SENTENCES);
  plumb_tool_json_joins (writer, card, graph, MAX_JOINS);
  if (notes != NULL)
    plumb_tool_json_notes (writer, notes, MAX_NOTES);
  if (card->gone)
    plumb_tool_json_text (writer, "advice", "The last analysis no longer found this table.");
  if (card->analyzed_at == 0)
    plumb_tool_json_text (writer, "analysis", "Not analyzed");
}

static void
add_words (GHashTable *words, const char *text)
{
  g_autoptr (GPtrArray) tokens = text != NULL ? plumb_text_tokenize (text) : NULL;

  for (guint i = 0; tokens != NULL && i < tokens->len; i++)
    g_hash_table_add (words, g_strdup (g_ptr_array_index (tokens, i)));
}

static gboolean
shares_word (GHashTable *words, const char *text)
{
  g_autoptr (GPtrArray) tokens = text != NULL ? plumb_text_tokenize (text) : NULL;

  for (guint i = 0; tokens != NULL && i < tokens->len; i++) {
    if (g_hash_table_contains (words, g_ptr_array_index (tokens, i)))
      return TRUE;
  }
  return FALSE;
}

/* Which columns get their details first where not all can have them: those that share a word with
 * the question, keys and codes, then the rest. */
static int
get_rank (const PlumbCardColumn *column, GHashTable *words)
{
  if (shares_word (words, column->name) || shares_word (words, column->meaning) ||
      shares_word (words, column->comment))
    return 0;
  if (column->key != NULL || column->misuse != NULL)
    return 1;
  return column->values->len > 0 ? 2 : 3;
}

/* Decides for each column what it keeps so that all together take at most @room bytes. */
static ColumnForm *
choose_forms (PlumbCard *card, const char *question, gsize room)
{
  g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n = card->columns->len;
  ColumnForm *forms = g_new0 (ColumnForm, n);
  g_autofree gsize *full = g_new0 (gsize, n);
  g_autofree gsize *brief = g_new0 (gsize, n);
  g_autofree int *ranks = g_new0 (int, n);

  add_words (words, question);
  for (guint i = 0; i < n; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);
    g_autofree char *whole = write_column (column, COLUMN_FULL);
    g_autofree char *part = write_column (column, COLUMN_SHORT);

    full[i] = strlen (whole) + 1;
    brief[i] = strlen (part) + 1;
    ranks[i] = get_rank (column, words);
  }
  for (int pass = COLUMN_SHORT; pass <= COLUMN_FULL; pass++) {
    for (int rank = 0; rank <= 3; rank++) {
      for (guint i = 0; i < n; i++) {
        gsize more = pass == COLUMN_SHORT ? brief[i] : full[i] - brief[i];

        if (ranks[i] != rank || (int) forms[i] != pass - 1 || more > room)
          continue;
        forms[i] = pass;
        room -= more;
      }
    }
  }
  return forms;
}

/* Names of the columns that have @form, runs of them as "FIRST … LAST (n)". */
static char *
name_columns (PlumbCard *card, const ColumnForm *forms, ColumnForm form)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < card->columns->len; i++) {
    guint first = i;

    if (forms[i] != form)
      continue;
    while (i + 1 < card->columns->len && forms[i + 1] == form)
      i++;
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                            ((PlumbCardColumn *) g_ptr_array_index (card->columns, first))->name);
    if (i > first)
      g_string_append_printf (names, "%s%s", i == first + 1 ? ", " : " … ",
                              ((PlumbCardColumn *) g_ptr_array_index (card->columns, i))->name);
    if (i > first + 1)
      g_string_append_printf (names, " (%u)", i - first + 1);
  }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

static void
write_columns (PlumbJsonWriter *writer, PlumbCard *card, const char *question, gsize max_bytes)
{
  gsize used = plumb_json_writer_get_length (writer);
  g_autofree ColumnForm *forms =
      choose_forms (card, question, max_bytes - MIN (max_bytes, used + TAIL_BYTES));
  g_autofree char *brief = name_columns (card, forms, COLUMN_SHORT);
  g_autofree char *left_out = name_columns (card, forms, COLUMN_LEFT_OUT);
  g_autofree char *brief_cut = plumb_text_cut (brief, TAIL_BYTES / 3);
  g_autofree char *left_out_cut = plumb_text_cut (left_out, TAIL_BYTES / 3);

  plumb_json_writer_name (writer, "columns");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < card->columns->len; i++) {
    g_autofree char *json = NULL;

    if (forms[i] == COLUMN_LEFT_OUT)
      continue;
    json = write_column (g_ptr_array_index (card->columns, i), forms[i]);
    plumb_json_writer_raw (writer, json);
  }
  plumb_json_writer_end_array (writer);
  plumb_tool_json_text (writer, "columns_left_out", left_out_cut);
  plumb_tool_json_text (writer, "details_left_out", brief_cut);
  if (*brief != '\0' || *left_out != '\0')
    plumb_tool_json_text (writer, "advice",
                          "Ask again with `columns` for the details of columns that you need.");
}

/* Whether the table has all columns that were asked for. */
static gboolean
check_columns (PlumbCard *card, GStrv wanted, GError **error)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; i < card->columns->len; i++)
    g_strv_builder_add (names, ((PlumbCardColumn *) g_ptr_array_index (card->columns, i))->name);
  all = g_strv_builder_end (names);
  for (guint i = 0; wanted[i] != NULL; i++) {
    const char *nearest;

    if (plumb_card_find_column (card, wanted[i]) != NULL)
      continue;
    nearest = plumb_names_find_nearest (wanted[i], (const char *const *) all);
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "%s has no column “%s”.%s%s%s",
                 card->name, wanted[i],
                 nearest != NULL ? " Did you mean “" : " Leave `columns` out to see all of them.",
                 nearest != NULL ? nearest : "", nearest != NULL ? "”?" : "");
    return FALSE;
  }
  return TRUE;
}

static void
write_picked (PlumbJsonWriter *writer, PlumbCard *card, GStrv wanted, gsize max_bytes)
{
  g_autoptr (GPtrArray) left_out = g_ptr_array_new ();

  plumb_json_writer_name (writer, "columns");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; wanted[i] != NULL; i++) {
    PlumbCardColumn *column = plumb_card_find_column (card, wanted[i]);
    g_autofree char *json = write_column (column, COLUMN_FULL);

    if (plumb_json_writer_get_length (writer) + strlen (json) + TAIL_BYTES > max_bytes)
      g_ptr_array_add (left_out, column->name);
    else
      plumb_json_writer_raw (writer, json);
  }
  plumb_json_writer_end_array (writer);
  if (left_out->len > 0) {
    g_autofree char *names = NULL;
    g_autofree char *cut = NULL;

    g_ptr_array_add (left_out, NULL);
    names = plumb_names_list ((const char *const *) left_out->pdata, 40);
    cut = plumb_text_cut (names, TAIL_BYTES / 2);
    plumb_tool_json_text (writer, "columns_left_out", cut);
  }
}

static char *
run_get_table_card (const PlumbTool *self, PlumbToolContext *context, JsonObject *arguments,
                    GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) wanted = plumb_json_get_strv (arguments, "columns");
  gboolean picked = wanted != NULL && wanted[0] != NULL;
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  card = plumb_workspace_find_table (context->workspace,
                                     plumb_json_get_string (arguments, "table", ""), context->scope,
                                     cancellable, error);
  if (card == NULL || (picked && !check_columns (card, wanted, error)))
    return NULL;
  plumb_json_writer_begin_object (writer);
  write_table (writer, context, card);
  if (picked)
    write_picked (writer, card, wanted, self->max_bytes);
  else
    write_columns (writer, card, context->question, self->max_bytes);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

const PlumbTool plumb_get_table_card_tool = {
  .name = "get_table_card",
  .description = "Opens the card of one table: what a row is, its columns with type, key, meaning, "
                 "statistics and "
                 "frequent values, joins, notes and what is easily got wrong. Open it for every "
                 "table before you "
                 "use the table in SQL.",
  .parameters = "{\"type\":\"object\",\"properties\":{"
                "\"table\":{\"type\":\"string\",\"description\":\"database.schema.table as "
                "search_tables gave it\"},"
                "\"columns\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
                "\"description\":\"only these columns, in full\"}},"
                "\"required\":[\"table\"],\"additionalProperties\":false}",
  .max_bytes = PLUMB_CARD_MAX_BYTES,
  .run = run_get_table_card,
};
