/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-workspace.h"

#include "plumb-names.h"

#include <string.h>

/* How many near tables an error suggests. */
#define MAX_SUGGESTIONS 5

/** plumb_scope_contains: Returns: whether @database is in @scope; any is where there is no scope */
gboolean
plumb_scope_contains (const char *const *scope, const char *database)
{
  return scope == NULL || scope[0] == NULL || g_strv_contains (scope, database);
}

/** plumb_scope_require: Returns: %FALSE with PLUMB_ERROR_OUT_OF_SCOPE where @database is outside */
gboolean
plumb_scope_require (const char *const *scope, const char *database, GError **error)
{
  g_autofree char *list = NULL;

  if (plumb_scope_contains (scope, database))
    return TRUE;
  list = plumb_names_list (scope, 10);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_OUT_OF_SCOPE,
               "The question is bound to %s, and “%s” is outside of that. Ask the user whether to "
               "look there too.", list, database);
  return FALSE;
}

/* Copies a column that the role shows, its values only where they are known to be the table's own.
 */
static void
copy_column (PlumbCard *card, const PlumbCardColumn *from, gboolean with_values)
{
  PlumbCardColumn *column = plumb_card_add_column (card, from->name, from->type);

  column->comment = g_strdup (from->comment);
  column->meaning = g_strdup (from->meaning);
  g_free (column->key);
  column->key = g_strdup (from->key);
  column->nullable = from->nullable;
  column->misuse = g_strdup (from->misuse);
  column->null_fraction = column->distinct = -1;
  if (!with_values)
    return;
  column->null_fraction = from->null_fraction;
  column->distinct = from->distinct;
  column->minimum = g_strdup (from->minimum);
  column->maximum = g_strdup (from->maximum);
  for (guint i = 0; i < from->values->len; i++) {
    const PlumbCodeValue *value = g_ptr_array_index (from->values, i);

    plumb_card_column_add_value (column, value->value, value->meaning, value->count);
  }
}

static gboolean
allows_columns (PlumbAccess *access, PlumbCard *card, GStrv columns)
{
  for (guint i = 0; columns != NULL && columns[i] != NULL; i++) {
    if (!plumb_access_allows_column (access, card->database, card->schema, card->name, columns[i]))
      return FALSE;
  }
  return TRUE;
}

static void
copy_foreign_key (PlumbCard *card, const PlumbForeignKey *from)
{
  PlumbForeignKey *key = plumb_foreign_key_new (from->ref_schema, from->ref_table);

  g_strfreev (key->columns);
  g_strfreev (key->ref_columns);
  key->name = g_strdup (from->name);
  key->columns = g_strdupv (from->columns);
  key->ref_columns = from->ref_columns != NULL ? g_strdupv (from->ref_columns) : NULL;
  g_ptr_array_add (card->foreign_keys, key);
}

/* Sentences about a card that name none of its hidden columns. */
static GStrv
keep_sentences (PlumbAccess *access, PlumbCard *card, GStrv sentences)
{
  g_autoptr (GStrvBuilder) kept = NULL;

  if (sentences == NULL)
    return NULL;
  kept = g_strv_builder_new ();
  for (guint i = 0; sentences[i] != NULL; i++) {
    gboolean clean = TRUE;

    for (guint j = 0; clean && j < card->columns->len; j++) {
      const PlumbCardColumn *column = g_ptr_array_index (card->columns, j);

      clean = plumb_access_allows_column (access, card->database, card->schema, card->name,
                                          column->name) ||
              strstr (sentences[i], column->name) == NULL;
    }
    if (clean)
      g_strv_builder_add (kept, sentences[i]);
  }
  return g_strv_builder_end (kept);
}

static void
copy_table (PlumbCard *card, PlumbCard *from, PlumbAccess *access)
{
  card->kind = from->kind;
  card->comment = g_strdup (from->comment);
  card->label = g_strdup (from->label);
  card->purpose = g_strdup (from->purpose);
  card->grain = g_strdup (from->grain);
  card->role = from->role;
  card->status = from->status;
  card->copy_of = g_strdup (from->copy_of);
  card->family = g_strdup (from->family);
  card->reasons = keep_sentences (access, from, from->reasons);
  card->row_estimate = from->row_estimate;
  if (allows_columns (access, from, from->primary_key) && from->primary_key != NULL)
    card->primary_key = g_strdupv (from->primary_key);
  card->misuse = keep_sentences (access, from, from->misuse);
  card->synonyms = from->synonyms != NULL ? g_strdupv (from->synonyms) : NULL;
  card->selectable = from->selectable;
  card->gone = from->gone;
  card->analyzed_at = from->analyzed_at;
}

/**
 * plumb_workspace_find_hidden_original:
 * @self: a workspace
 * @card: a card of the index
 *
 * A backup of a table, and a partition of one, hold its rows under another name: where the role
 * denies the table, in whole or in part, they are hidden too.
 *
 * Returns: (transfer full) (nullable): the table that the role denies and @card has rows of
 */
char *
plumb_workspace_find_hidden_original (PlumbWorkspace *self, PlumbCard *card)
{
  const char *originals[] = { card->copy_of, card->family };
  PlumbTableName copy = { card->database, card->schema, card->name };

  for (guint i = 0; i < G_N_ELEMENTS (originals); i++) {
    g_autoptr (PlumbTableName) name =
        originals[i] != NULL ? plumb_table_name_parse (originals[i], NULL) : NULL;
    const char *schema = name != NULL && name->schema != NULL ? name->schema : card->schema;

    if (name != NULL && plumb_access_denies_original (plumb_workspace_get_access (self), &copy,
                                                      schema, name->table))
      return plumb_table_name_join (card->database, schema, name->table);
  }
  return NULL;
}

/* Whether the card's values may be those of a table that the role hides. */
static gboolean
has_values_of_others (PlumbWorkspace *self, PlumbCard *card)
{
  g_autofree char *hidden = plumb_workspace_find_hidden_original (self, card);

  return hidden != NULL || card->kind == PLUMB_TABLE_KIND_VIEW ||
         card->kind == PLUMB_TABLE_KIND_MATERIALIZED_VIEW;
}

/**
 * plumb_workspace_filter_card:
 * @self: a workspace
 * @card: a card of the index
 *
 * Returns: (transfer full): @card itself where the role hides none of its columns, else a copy
 *   without them; of a view, under any role, and of a copy of a hidden table, a copy without values
 */
PlumbCard *
plumb_workspace_filter_card (PlumbWorkspace *self, PlumbCard *card)
{
  PlumbAccess *access = plumb_workspace_get_access (self);
  PlumbCard *shown;
  gboolean with_values = !has_values_of_others (self, card);

  if (plumb_access_get_role (access) == NULL ||
      (with_values &&
       !plumb_access_hides_columns (access, card->database, card->schema, card->name)))
    return plumb_card_ref (card);
  shown = plumb_card_new (card->database, card->schema, card->name);
  copy_table (shown, card, access);
  for (guint i = 0; i < card->columns->len; i++) {
    const PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (plumb_access_allows_column (access, card->database, card->schema, card->name, column->name))
      copy_column (shown, column, with_values);
  }
  for (guint i = 0; i < card->foreign_keys->len; i++) {
    const PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, i);

    if (allows_columns (access, card, key->columns))
      copy_foreign_key (shown, key);
  }
  return shown;
}

/* Tables with a near name, for an error. Empty where there are none. */
static char *
suggest_tables (PlumbWorkspace *self, const char *name, const char *const *scope,
                GCancellable *cancellable)
{
  g_autoptr (PlumbCandidates) found =
      plumb_workspace_search (self, name, scope, MAX_SUGGESTIONS, cancellable, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *list = NULL;

  for (guint i = 0; found != NULL && i < found->candidates->len; i++) {
    PlumbCandidate *candidate = g_ptr_array_index (found->candidates, i);
    g_autofree char *full = plumb_card_get_full_name (candidate->card);

    g_strv_builder_add (names, full);
  }
  all = g_strv_builder_end (names);
  if (all[0] == NULL)
    return g_strdup ("Use search_tables to find the table.");
  list = plumb_names_list ((const char *const *) all, MAX_SUGGESTIONS);
  return g_strdup_printf ("Near names: %s.", list);
}

/* A two-part name may be schema.table or database.table, and the index tries both; only a name with
 * three parts says its database for sure. */
static gboolean
check_named_database (PlumbWorkspace *self, const char *name, const char *const *scope,
                      GError **error)
{
  g_autoptr (PlumbTableName) parsed = plumb_table_name_parse (name, error);
  g_autoptr (PlumbSource) source = NULL;

  if (parsed == NULL)
    return FALSE;
  if (parsed->database == NULL)
    return TRUE;
  source = plumb_workspace_get_source (self, parsed->database, error);
  return source != NULL && plumb_scope_require (scope, parsed->database, error);
}

/* Says why a name was not found: outside of the scope, or nowhere. */
static void
set_not_found (PlumbWorkspace *self, const char *name, const char *const *scope,
               GCancellable *cancellable, GError **error)
{
  g_autofree char *near = NULL;

  if (scope != NULL && scope[0] != NULL) {
    g_autoptr (PlumbCard) elsewhere =
        plumb_index_resolve_card (plumb_workspace_get_index (self), name, NULL, NULL);

    if (elsewhere != NULL && !plumb_scope_require (scope, elsewhere->database, error))
      return;
  }
  near = suggest_tables (self, name, scope, cancellable);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "There is no table “%s”. %s", name, near);
}

/* What a person may see is the least of what the role shows and what the account may read. */
static gboolean
check_visible (PlumbWorkspace *self, PlumbCard *card, GError **error)
{
  g_autofree char *full = plumb_card_get_full_name (card);
  g_autofree char *original = plumb_workspace_find_hidden_original (self, card);

  if (!plumb_workspace_allows (self, card->database, card->schema, card->name)) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
                 "There is no permission to see the table %s.", full);
    return FALSE;
  }
  if (original != NULL) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
                 "There is no permission to see the table %s: it holds rows of %s, which the "
                 "access role hides in whole or in part.", full, original);
    return FALSE;
  }
  if (card->selectable)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
               "There is no permission to see the table %s: at its last analysis the account of "
               "“%s” could not select from it. Once it can, analyze “%s” again.",
               full, card->database, card->database);
  return FALSE;
}

/**
 * plumb_workspace_find_table:
 * @self: a workspace
 * @name: a table's name, see plumb_table_name_parse()
 * @scope: (nullable): databases that the turn is bound to
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Returns: (transfer full): the card, without columns that the role hides, or %NULL with
 *   PLUMB_ERROR_NOT_FOUND (near names are suggested), _AMBIGUOUS, _NO_PERMISSION, _OUT_OF_SCOPE or
 *   _INVALID_ARGUMENT
 */
PlumbCard *
plumb_workspace_find_table (PlumbWorkspace *self, const char *name, const char *const *scope,
                            GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbCard) card = NULL;
  g_autoptr (GError) local_error = NULL;
  gboolean bound = scope != NULL && scope[0] != NULL;

  if (!check_named_database (self, name, scope, error))
    return NULL;
  card = plumb_index_resolve_card (plumb_workspace_get_index (self), name, bound ? scope : NULL,
                                   &local_error);
  if (card == NULL && g_error_matches (local_error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND)) {
    set_not_found (self, name, scope, cancellable, error);
    return NULL;
  }
  if (card == NULL) {
    g_propagate_error (error, g_steal_pointer (&local_error));
    return NULL;
  }
  if (!plumb_scope_require (scope, card->database, error) || !check_visible (self, card, error))
    return NULL;
  return plumb_workspace_filter_card (self, card);
}

/* The full names of tables that the accounts can't select from. */
static GHashTable *
list_unselectable (PlumbWorkspace *self, const char *database, GError **error)
{
  g_autoptr (GPtrArray) tables =
      plumb_index_list_tables (plumb_workspace_get_index (self), database, error);
  g_autoptr (GHashTable) names = NULL;

  if (tables == NULL)
    return NULL;
  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < tables->len; i++) {
    const PlumbIndexTable *table = g_ptr_array_index (tables, i);

    if (!table->selectable)
      g_hash_table_add (names, plumb_table_name_join (table->name->database, table->name->schema,
                                                      table->name->table));
  }
  return g_steal_pointer (&names);
}

static gboolean
allows_side (PlumbWorkspace *self, GHashTable *unselectable, const PlumbTableName *table,
             GStrv columns)
{
  g_autofree char *name = plumb_table_name_join (table->database, table->schema, table->table);

  if (g_hash_table_contains (unselectable, name) ||
      !plumb_workspace_allows (self, table->database, table->schema, table->table))
    return FALSE;
  for (guint i = 0; columns != NULL && columns[i] != NULL; i++) {
    if (!plumb_access_allows_column (plumb_workspace_get_access (self), table->database,
                                     table->schema, table->table, columns[i]))
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_workspace_list_edges:
 * @self: a workspace
 * @database: (nullable): a database, %NULL for all
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbJoinEdge): join edges whose tables and key columns
 *   the role shows and the account may read
 */
GPtrArray *
plumb_workspace_list_edges (PlumbWorkspace *self, const char *database, GError **error)
{
  g_autoptr (GPtrArray) edges =
      plumb_index_list_edges (plumb_workspace_get_index (self), database, error);
  g_autoptr (GHashTable) unselectable =
      edges != NULL ? list_unselectable (self, database, error) : NULL;
  guint i = 0;

  if (unselectable == NULL)
    return NULL;
  while (i < edges->len) {
    const PlumbJoinEdge *edge = g_ptr_array_index (edges, i);

    if (allows_side (self, unselectable, edge->left, edge->left_columns) &&
        allows_side (self, unselectable, edge->right, edge->right_columns))
      i++;
    else
      g_ptr_array_remove_index (edges, i);
  }
  return g_steal_pointer (&edges);
}

/**
 * plumb_workspace_load_joins:
 * @self: a workspace
 * @database: (nullable): a database, %NULL for all
 * @error: return location
 *
 * Returns: (transfer full): the join graph of what the role shows
 */
PlumbJoinGraph *
plumb_workspace_load_joins (PlumbWorkspace *self, const char *database, GError **error)
{
  g_autoptr (GPtrArray) edges = plumb_workspace_list_edges (self, database, error);
  g_autoptr (PlumbJoinGraph) graph = edges != NULL ? plumb_join_graph_new (edges) : NULL;

  if (graph == NULL ||
      !plumb_join_graph_read_tables (graph, plumb_workspace_get_index (self), database, error))
    return NULL;
  return g_steal_pointer (&graph);
}
