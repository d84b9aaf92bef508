/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-trial.h"

#include "plumb-analysis.h"
#include "plumb-domain-file.h"
#include "plumb-json.h"
#include "plumb-search-engine.h"
#include "plumb-source.h"

#include <string.h>

struct _PlumbTrial {
  PlumbTrialOptions options;
  GPtrArray *catalogs;
  GHashTable *by_database;
  GPtrArray *answered;
  GPtrArray *domains;
  PlumbSearchEngine *engine;
  PlumbSearchWeights weights;
  guint n_tables;
};

static void
approved_unref (gpointer approved)
{
  plumb_approved_free (approved);
}

/** plumb_trial_new: Returns: (transfer full): a trial without tables */
PlumbTrial *
plumb_trial_new (const PlumbTrialOptions *options)
{
  PlumbTrial *self = g_new0 (PlumbTrial, 1);

  self->options = *options;
  self->weights = plumb_search_weights;
  self->catalogs = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_catalog_unref);
  self->by_database = g_hash_table_new (g_str_hash, g_str_equal);
  self->domains = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_domain_file_free);
  self->answered = g_ptr_array_new_with_free_func (approved_unref);
  return self;
}

/** plumb_trial_free: frees it */
void
plumb_trial_free (PlumbTrial *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->engine, plumb_search_engine_unref);
  g_ptr_array_unref (self->answered);
  g_ptr_array_unref (self->domains);
  g_hash_table_unref (self->by_database);
  g_ptr_array_unref (self->catalogs);
  g_free (self);
}

/**
 * plumb_trial_leave_out:
 * @part: a part of search, see plumb_search_weights_leave_out()
 *
 * Searches without @part from the next plumb_trial_prepare() on.
 *
 * Returns: %FALSE with PLUMB_ERROR_INVALID_ARGUMENT where there is no such part
 */
gboolean
plumb_trial_leave_out (PlumbTrial *self, const char *part, GError **error)
{
  if (plumb_search_weights_leave_out (&self->weights, part))
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "Search has no part \"%s\" that can be left out. Name one of vectors, synonyms, translations, "
               "abbreviations, spelling, pairs, keys, databases, diversity, groups, columns, places.", part);
  return FALSE;
}

/* Leaves the bare schema: names, types and keys. */
static void
strip_texts (PlumbCatalog *catalog)
{
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    g_clear_pointer (&table->comment, g_free);
    g_clear_pointer (&table->label, g_free);
    for (guint j = 0; j < table->columns->len; j++) {
      PlumbColumn *column = g_ptr_array_index (table->columns, j);

      g_clear_pointer (&column->comment, g_free);
      g_clear_pointer (&column->label, g_free);
      g_clear_pointer (&column->samples, g_strfreev);
    }
  }
}

/* The name that a schema file gives its database, which its source gets here. */
static char *
read_database_name (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  const char *name = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  node = plumb_json_parse (text, length, NULL);
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    name = plumb_json_get_string (json_node_get_object (node), "db", NULL);
  if (name == NULL)
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "%s is no schema file: it must be a JSON object with \"db\" and \"tables\".",
                 path);
  return g_strdup (name);
}

static gboolean
add_catalog (PlumbTrial *self, const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *file_uri = g_filename_to_uri (full, NULL, error);
  g_autofree char *uri = NULL;
  g_autofree char *name = NULL;
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;

  if (file_uri == NULL)
    return FALSE;
  name = read_database_name (path, error);
  if (name == NULL)
    return FALSE;
  uri = g_strconcat ("catalog", file_uri + strlen ("file"), NULL);
  source = plumb_source_new (name, uri, NULL, error);
  catalog = source != NULL ? plumb_source_read_catalog (source, cancellable, error) : NULL;
  if (catalog == NULL)
    return FALSE;
  if (!self->options.with_texts)
    strip_texts (catalog);
  if (g_hash_table_contains (self->by_database, catalog->database))
    return TRUE;
  g_hash_table_insert (self->by_database, catalog->database, catalog);
  g_ptr_array_add (self->catalogs, g_steal_pointer (&catalog));
  return TRUE;
}

/**
 * plumb_trial_add_catalogs:
 * @path: a schema file, or a folder with schema files in it or in folders of it
 *
 * Adds the database of each schema file, under the name that the file gives it.
 *
 * Returns: %FALSE with an error where a file can't be read
 */
gboolean
plumb_trial_add_catalogs (PlumbTrial *self, const char *path, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return add_catalog (self, path, cancellable, error);
  folder = g_dir_open (path, 0, error);
  if (folder == NULL)
    return FALSE;
  while ((name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);

    if (!g_str_has_suffix (name, ".json") && !g_file_test (child, G_FILE_TEST_IS_DIR))
      continue;
    if (!plumb_trial_add_catalogs (self, child, cancellable, error))
      return FALSE;
  }
  return TRUE;
}

static PlumbTable *
find_table (PlumbCatalog *catalog, const char *name)
{
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    if (strcmp (table->name, name) == 0)
      return table;
  }
  return NULL;
}

/**
 * plumb_trial_add_copy:
 * @columns: "same", "drop_last_column", or "add_column:NAME"
 * @row_fraction: rows of the copy, as a share of those of its live table
 *
 * Puts a copy beside a live table: its columns changed as @columns says, no keys, no comments.
 *
 * Returns: %FALSE where there is no such live table
 */
gboolean
plumb_trial_add_copy (PlumbTrial *self, const char *database, const char *live_table,
                      const char *copy_table, const char *columns, double row_fraction)
{
  PlumbCatalog *catalog = g_hash_table_lookup (self->by_database, database);
  PlumbTable *live = catalog != NULL ? find_table (catalog, live_table) : NULL;
  PlumbTable *copy;
  guint n;

  if (live == NULL)
    return FALSE;
  copy = plumb_table_new (live->schema, copy_table);
  n = live->columns->len;
  if (strcmp (columns, "drop_last_column") == 0 && n > 1)
    n--;
  for (guint i = 0; i < n; i++) {
    const PlumbColumn *column = g_ptr_array_index (live->columns, i);

    g_ptr_array_add (copy->columns, plumb_column_new (column->name, column->type));
  }
  if (g_str_has_prefix (columns, "add_column:"))
    g_ptr_array_add (copy->columns, plumb_column_new (columns + strlen ("add_column:"), ""));
  if (live->row_estimate >= 0)
    copy->row_estimate = (gint64) (live->row_estimate * CLAMP (row_fraction, 0, 1));
  plumb_catalog_add_table (catalog, copy);
  return TRUE;
}

/** plumb_trial_add_answered: adds a question that was answered right from @tables of @database */
void
plumb_trial_add_answered (PlumbTrial *self, const char *question, const char *database,
                          const char *const *tables)
{
  PlumbApproved *approved = plumb_approved_new (question, database, "");

  approved->tables = g_strdupv ((GStrv) tables);
  g_ptr_array_add (self->answered, approved);
}

/**
 * plumb_trial_add_domains:
 * @folder: a folder with domain files
 *
 * Searches with what they say from the next plumb_trial_prepare() on.
 *
 * Returns: %FALSE with PLUMB_ERROR_INVALID_ARGUMENT where there are none, or one can't be read
 */
gboolean
plumb_trial_add_domains (PlumbTrial *self, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) failures = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *files = plumb_domain_files_load (folder, failures);
  guint n_files = files->len;

  g_ptr_array_extend_and_steal (self->domains, files);
  if (failures->len == 0 && n_files > 0)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT, "%s",
               failures->len > 0 ? (const char *) g_ptr_array_index (failures, 0)
                                 : "There is no domain file (*.md) in that folder. Name another one.");
  return FALSE;
}

/** plumb_trial_prepare: analyses what was added and makes it searchable */
void
plumb_trial_prepare (PlumbTrial *self)
{
  g_autoptr (GPtrArray) answered = g_ptr_array_new ();
  g_autoptr (GPtrArray) examples = g_ptr_array_new_with_free_func (approved_unref);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  for (guint i = 0; i < self->catalogs->len; i++) {
    PlumbCatalog *catalog = g_ptr_array_index (self->catalogs, i);
    g_autoptr (GPtrArray) cards = NULL;

    plumb_catalog_sort (catalog);
    cards = plumb_analysis_make_cards (catalog);
    plumb_domain_files_apply (self->domains, cards);
    g_ptr_array_extend_and_steal (
        examples, plumb_domain_files_list_examples (self->domains, catalog->database, cards));
    for (guint j = 0; j < cards->len; j++)
      g_ptr_array_add (all, plumb_card_ref (g_ptr_array_index (cards, j)));
  }
  for (guint i = 0; i < self->answered->len; i++)
    g_ptr_array_add (answered, g_ptr_array_index (self->answered, i));
  for (guint i = 0; i < examples->len; i++)
    g_ptr_array_add (answered, g_ptr_array_index (examples, i));
  self->n_tables = all->len;
  g_clear_pointer (&self->engine, plumb_search_engine_unref);
  self->engine = plumb_search_engine_new (all, NULL, answered, &self->weights);
}

/** plumb_trial_get_n_tables: Returns: how many tables are searched, copies with them */
guint
plumb_trial_get_n_tables (PlumbTrial *self)
{
  return self->n_tables;
}

/** plumb_trial_has_database: Returns: whether a schema file of that database was added */
gboolean
plumb_trial_has_database (PlumbTrial *self, const char *database)
{
  return g_hash_table_contains (self->by_database, database);
}

/**
 * plumb_trial_search:
 * @databases: (nullable): search these alone
 *
 * Returns: (transfer full): what search finds, see plumb_search_run()
 */
PlumbCandidates *
plumb_trial_search (PlumbTrial *self, const char *question, const char *const *databases,
                    guint limit, GCancellable *cancellable, GError **error)
{
  PlumbSearchRequest request = {
    .question = question, .databases = databases, .limit = limit, .plain = self->options.plain,
  };

  g_return_val_if_fail (self->engine != NULL, NULL);
  return plumb_search_engine_run (self->engine, &request, cancellable, error);
}
