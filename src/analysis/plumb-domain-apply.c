/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-join-edge.h"
#include "plumb-records.h"
#include "plumb-table-name.h"
#include "plumb-text.h"

#include <string.h>

/* Whether @name ("table", "schema.table", "database.schema.table") is that of @card; case of
 * letters doesn't matter, since people write names as they like. */
static gboolean
is_named (PlumbCard *card, const char *name)
{
  g_autoptr (PlumbTableName) parsed = plumb_table_name_parse (name, NULL);

  if (parsed == NULL || g_ascii_strcasecmp (parsed->table, card->name) != 0)
    return FALSE;
  return (parsed->schema == NULL || g_ascii_strcasecmp (parsed->schema, card->schema) == 0) &&
         (parsed->database == NULL || g_ascii_strcasecmp (parsed->database, card->database) == 0);
}

static PlumbCardColumn *
find_column (PlumbCard *card, const char *name)
{
  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (g_ascii_strcasecmp (column->name, name) == 0)
      return column;
  }
  return NULL;
}

/* Splits "TABLE.COLUMN" at its last dot. */
static char *
split_column (const char *target, const char **column)
{
  const char *dot = strrchr (target, '.');

  if (dot == NULL || dot == target)
    return NULL;
  *column = dot + 1;
  return g_strndup (target, dot - target);
}

static void
add_synonym (PlumbCard *card, const char *word)
{
  if (card->synonyms == NULL || !g_strv_contains ((const char *const *) card->synonyms, word))
    plumb_strv_add (&card->synonyms, g_strdup (word));
}

static void
apply_primary (PlumbDomainFile *file, PlumbCard *card)
{
  gboolean main_table = is_named (card, file->tables_primary[0]);

  for (guint i = 0; file->keywords[i] != NULL; i++)
    add_synonym (card, file->keywords[i]);
  /* Questions are of the domain's main table; on each of them they would say nothing. */
  for (guint i = 0; main_table && file->question_examples[i] != NULL; i++)
    add_synonym (card, file->question_examples[i]);
  if (main_table && card->comment == NULL && card->label == NULL && file->purpose != NULL) {
    g_free (card->purpose);
    card->purpose = g_strdup (file->purpose);
  }
}

static void
apply_field (PlumbDomainLine *line, PlumbCard *card)
{
  const char *name = NULL;
  g_autofree char *table = split_column (line->target, &name);
  PlumbCardColumn *column =
      table != NULL && is_named (card, table) ? find_column (card, name) : NULL;
  g_autofree char *meaning = NULL;

  if (column == NULL)
    return;
  /* Codes stand with the column's values; repeating them in its meaning would hide what it is. */
  if (plumb_analysis_read_codes (column, line->text) > 0)
    meaning = plumb_analysis_first_clause (line->text);
  if (meaning == NULL && column->meaning != NULL)
    meaning = g_strdup_printf ("%s: %s", column->meaning, line->text);
  if (meaning == NULL)
    meaning = g_strdup (line->text);
  g_free (column->meaning);
  column->meaning = g_steal_pointer (&meaning);
}

static void
apply_pitfall (PlumbDomainLine *line, PlumbCard *card)
{
  const char *name = NULL;
  g_autofree char *table = split_column (line->target, &name);
  PlumbCardColumn *column =
      table != NULL && is_named (card, table) ? find_column (card, name) : NULL;

  if (column != NULL) {
    g_free (column->misuse);
    column->misuse = g_strdup (line->text);
  } else if (is_named (card, line->target)) {
    plumb_strv_add (&card->misuse, g_strdup (line->text));
  }
}

static void
apply_file (PlumbDomainFile *file, PlumbCard *card)
{
  if (file->database != NULL && g_ascii_strcasecmp (file->database, card->database) != 0)
    return;
  for (guint i = 0; card->copy_of == NULL && file->tables_primary[i] != NULL; i++) {
    if (is_named (card, file->tables_primary[i]))
      apply_primary (file, card);
  }
  for (guint i = 0; i < file->fields->len; i++)
    apply_field (g_ptr_array_index (file->fields, i), card);
  for (guint i = 0; i < file->pitfalls->len; i++)
    apply_pitfall (g_ptr_array_index (file->pitfalls, i), card);
}

/**
 * plumb_domain_files_apply:
 * @files: (element-type PlumbDomainFile): domain files
 * @cards: (element-type PlumbCard): cards of one database
 *
 * Adds keywords and example questions to the synonyms of the primary tables, the purpose where the
 * database has no comment, meanings of columns and pitfalls. What a person wrote in a file wins
 * over what was inferred.
 */
void
plumb_domain_files_apply (GPtrArray *files, GPtrArray *cards)
{
  for (guint i = 0; i < files->len; i++) {
    for (guint j = 0; j < cards->len; j++)
      apply_file (g_ptr_array_index (files, i), g_ptr_array_index (cards, j));
  }
}

/* The primary tables of @file that there are, its main table first; empty where that one isn't there. */
static GStrv
list_primary (PlumbDomainFile *file, GPtrArray *cards)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  gboolean has_main = FALSE;

  for (guint i = 0; file->tables_primary[i] != NULL && (i == 0 || has_main); i++) {
    for (guint j = 0; j < cards->len; j++) {
      PlumbCard *card = g_ptr_array_index (cards, j);
      g_autofree char *name = plumb_card_get_short_name (card);

      if (card->copy_of != NULL || !is_named (card, file->tables_primary[i]))
        continue;
      g_strv_builder_add (names, name);
      has_main = TRUE;
    }
  }
  return g_strv_builder_end (names);
}

static void
add_examples (PlumbDomainFile *file, const char *database, GStrv tables, GPtrArray *examples)
{
  for (guint i = 0; file->question_examples[i] != NULL; i++) {
    PlumbApproved *example = g_new0 (PlumbApproved, 1);

    example->question = g_strdup (file->question_examples[i]);
    example->database = g_strdup (database);
    example->domain = g_strdup (file->domain);
    example->tables = g_strdupv (tables);
    g_ptr_array_add (examples, example);
  }
}

/**
 * plumb_domain_files_list_examples:
 * @files: (element-type PlumbDomainFile): domain files
 * @database: a source
 * @cards: (element-type PlumbCard): its cards
 *
 * Returns: (transfer full) (element-type PlumbApproved): the example questions of the domains whose main
 *   table is among @cards, each with the domain's primary tables, the main one first
 */
GPtrArray *
plumb_domain_files_list_examples (GPtrArray *files, const char *database, GPtrArray *cards)
{
  GPtrArray *examples = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_approved_free);

  for (guint i = 0; i < files->len; i++) {
    PlumbDomainFile *file = g_ptr_array_index (files, i);
    g_auto (GStrv) tables = NULL;

    if (file->database != NULL && g_ascii_strcasecmp (file->database, database) != 0)
      continue;
    tables = list_primary (file, cards);
    if (tables[0] != NULL)
      add_examples (file, database, tables, examples);
  }
  return examples;
}

static gboolean
is_side (const PlumbTableName *table, GStrv columns, const char *target)
{
  const char *name = NULL;
  g_autofree char *named = split_column (target, &name);
  g_autoptr (PlumbTableName) parsed = named != NULL ? plumb_table_name_parse (named, NULL) : NULL;

  return parsed != NULL && g_ascii_strcasecmp (parsed->table, table->table) == 0 &&
         (parsed->schema == NULL || g_ascii_strcasecmp (parsed->schema, table->schema) == 0) &&
         columns[1] == NULL && g_ascii_strcasecmp (columns[0], name) == 0;
}

static gboolean
is_joined_by (PlumbJoinEdge *edge, const char *condition)
{
  g_auto (GStrv) sides = g_strsplit (condition, "=", 2);
  const char *first;
  const char *second;

  if (sides[0] == NULL || sides[1] == NULL)
    return FALSE;
  first = g_strstrip (sides[0]);
  second = g_strstrip (sides[1]);
  return (is_side (edge->left, edge->left_columns, first) &&
          is_side (edge->right, edge->right_columns, second)) ||
         (is_side (edge->left, edge->left_columns, second) &&
          is_side (edge->right, edge->right_columns, first));
}

static void
confirm_edge (PlumbDomainFile *file, PlumbJoinEdge *edge)
{
  if (edge->trust < 2 ||
      (file->database != NULL && g_ascii_strcasecmp (file->database, edge->left->database) != 0))
    return;
  for (guint i = 0; i < file->joins->len; i++) {
    PlumbDomainLine *line = g_ptr_array_index (file->joins, i);

    if (!is_joined_by (edge, line->target))
      continue;
    edge->trust = 1;
    g_free (edge->basis);
    edge->basis = g_strdup ("person");
    g_free (edge->evidence);
    edge->evidence = g_strdup_printf ("The domain file “%s” says so: %s", file->domain, line->text);
    return;
  }
}

/**
 * plumb_domain_files_confirm_edges:
 * @files: (element-type PlumbDomainFile): domain files
 * @edges: (element-type PlumbJoinEdge): edges of one database
 *
 * An inferred edge that a domain file names in its joins is confirmed by the person who wrote it.
 */
void
plumb_domain_files_confirm_edges (GPtrArray *files, GPtrArray *edges)
{
  for (guint i = 0; i < files->len; i++) {
    for (guint j = 0; j < edges->len; j++)
      confirm_edge (g_ptr_array_index (files, i), g_ptr_array_index (edges, j));
  }
}
