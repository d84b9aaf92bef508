/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-workspace.h"

#include "plumb-names.h"

/* A source that was used, with what is kept of it. */
typedef struct {
  PlumbSource *source;
  char *uri;
  PlumbCatalog *catalog;
  gint64 analyzed_at;
  gint64 read_at;
} Entry;

/* A catalog that was read from the source less than this long ago is not read again. */
#define CATALOG_FRESH_US (30 * G_USEC_PER_SEC)

struct _PlumbWorkspace {
  GObject parent_instance;

  PlumbIndex *index;
  PlumbSearch *search;
  PlumbAccess *access;
  PlumbPasswordFunc password;
  gpointer user_data;
  guint concurrency;
  GMutex mutex;
  GHashTable *entries;
};

G_DEFINE_FINAL_TYPE (PlumbWorkspace, plumb_workspace, G_TYPE_OBJECT)

static void
entry_free (gpointer pointer)
{
  Entry *entry = pointer;

  g_clear_object (&entry->source);
  g_clear_pointer (&entry->catalog, plumb_catalog_unref);
  g_free (entry->uri);
  g_free (entry);
}

static void
plumb_workspace_finalize (GObject *object)
{
  PlumbWorkspace *self = PLUMB_WORKSPACE (object);

  g_hash_table_unref (self->entries);
  g_clear_object (&self->search);
  g_clear_object (&self->index);
  g_clear_pointer (&self->access, plumb_access_unref);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (plumb_workspace_parent_class)->finalize (object);
}

static void
plumb_workspace_class_init (PlumbWorkspaceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_workspace_finalize;
}

static void
plumb_workspace_init (PlumbWorkspace *self)
{
  g_mutex_init (&self->mutex);
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
}

/**
 * plumb_workspace_new:
 * @index: the index
 * @access: the access role in force
 * @password: (nullable): asked for a source's password before it is connected
 * @user_data: passed to @password
 *
 * Returns: (transfer full): a workspace with no source connected yet
 */
PlumbWorkspace *
plumb_workspace_new (PlumbIndex *index, PlumbAccess *access, PlumbPasswordFunc password,
                     gpointer user_data)
{
  PlumbWorkspace *self = g_object_new (PLUMB_TYPE_WORKSPACE, NULL);

  self->index = g_object_ref (index);
  self->search = plumb_search_new (index);
  self->access = plumb_access_ref (access);
  self->password = password;
  self->user_data = user_data;
  return self;
}

/**
 * plumb_workspace_set_concurrency:
 * @self: a workspace
 * @at_most: statements at a time against one database, 0 for the usual number; for sources that are
 *   connected from now on
 */
void
plumb_workspace_set_concurrency (PlumbWorkspace *self, guint at_most)
{
  self->concurrency = at_most;
}

/** plumb_workspace_prepare_search: brings what search keeps up to date after the cards have changed, see
 *  plumb_search_prepare(); Returns: %FALSE with an error */
gboolean
plumb_workspace_prepare_search (PlumbWorkspace *self, GError **error)
{
  return plumb_search_prepare (self->search, error);
}

/** plumb_workspace_get_index: Returns: (transfer none): the index */
PlumbIndex *
plumb_workspace_get_index (PlumbWorkspace *self)
{
  return self->index;
}

/** plumb_workspace_get_search: Returns: (transfer none): the search, which the session sets up */
PlumbSearch *
plumb_workspace_get_search (PlumbWorkspace *self)
{
  return self->search;
}

/** plumb_workspace_get_access: Returns: (transfer none): the access role */
PlumbAccess *
plumb_workspace_get_access (PlumbWorkspace *self)
{
  return self->access;
}

/**
 * plumb_workspace_list_databases:
 * @self: a workspace
 * @no_permission: (out) (optional) (element-type utf8): names outside the access role
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbSourceRecord): sources that the role may query
 */
GPtrArray *
plumb_workspace_list_databases (PlumbWorkspace *self, GPtrArray **no_permission, GError **error)
{
  g_autoptr (GPtrArray) records = plumb_index_list_sources (self->index, error);
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (g_free);
  guint i = 0;

  if (records == NULL)
    return NULL;
  while (i < records->len) {
    PlumbSourceRecord *record = g_ptr_array_index (records, i);

    if (plumb_access_allows_database (self->access, record->name)) {
      i++;
      continue;
    }
    g_ptr_array_add (refused, g_strdup (record->name));
    g_ptr_array_remove_index (records, i);
  }
  if (no_permission != NULL)
    *no_permission = g_steal_pointer (&refused);
  return g_steal_pointer (&records);
}

/* Moves the record of that name to @to, unless it stands before it already. */
static void
move_record (GPtrArray *records, const char *name, guint to)
{
  for (guint i = to; i < records->len; i++) {
    PlumbSourceRecord *record = g_ptr_array_index (records, i);

    if (!g_str_equal (record->name, name))
      continue;
    g_ptr_array_insert (records, to, g_ptr_array_steal_index (records, i));
    return;
  }
}

static PlumbVisibility
get_visibility (const char *database, const char *schema, const char *table, gpointer data)
{
  return plumb_workspace_allows (data, database, schema, table) ? PLUMB_VISIBLE
                                                                : PLUMB_VISIBLE_BY_NAME;
}

/* Rows of a hidden table are hidden under another name too. */
static PlumbCard *
show_card (PlumbCard *card, gpointer data)
{
  g_autofree char *original = plumb_workspace_find_hidden_original (data, card);

  return original == NULL ? plumb_workspace_filter_card (data, card) : NULL;
}

/* A search for @question that sees what the role shows. */
static PlumbSearchRequest
make_request (PlumbWorkspace *self, const char *question)
{
  PlumbSearchRequest request = { .question = question };

  if (plumb_access_get_role (self->access) == NULL)
    return request;
  request.visibility = get_visibility;
  request.show = show_card;
  request.visibility_data = self;
  return request;
}

/**
 * plumb_workspace_rank_databases:
 * @self: a workspace
 * @question: a question
 * @no_permission: (out) (optional) (element-type utf8): names outside the access role
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbSourceRecord): sources that the role may query, those
 *   that share words with the question first
 */
GPtrArray *
plumb_workspace_rank_databases (PlumbWorkspace *self, const char *question,
                                GPtrArray **no_permission, GError **error)
{
  g_autoptr (GPtrArray) records = plumb_workspace_list_databases (self, no_permission, error);
  g_autoptr (GPtrArray) ranked = NULL;
  PlumbSearchRequest request;

  if (records == NULL)
    return NULL;
  request = make_request (self, question);
  ranked = plumb_search_rank_databases (self->search, &request, error);
  if (ranked == NULL)
    return NULL;
  for (guint i = ranked->len; i > 0; i--)
    move_record (records, g_ptr_array_index (ranked, i - 1), 0);
  return g_steal_pointer (&records);
}

/**
 * plumb_workspace_shows_whole:
 * @self: a workspace
 * @database: a source
 *
 * Returns: whether all tables of @database may be seen; its summary speaks of all of them
 */
gboolean
plumb_workspace_shows_whole (PlumbWorkspace *self, const char *database)
{
  g_autoptr (GPtrArray) tables = NULL;

  if (plumb_access_get_role (self->access) == NULL)
    return TRUE;
  tables = plumb_index_list_tables (self->index, database, NULL);
  for (guint i = 0; tables != NULL && i < tables->len; i++) {
    const PlumbIndexTable *table = g_ptr_array_index (tables, i);

    if (!plumb_workspace_allows (self, database, table->name->schema, table->name->table))
      return FALSE;
  }
  return tables != NULL;
}

/**
 * plumb_workspace_suggest_database:
 * @self: a workspace
 * @database: a name that no source has
 *
 * Returns: (transfer full): a sentence that names the nearest spelling and the known databases
 */
char *
plumb_workspace_suggest_database (PlumbWorkspace *self, const char *database)
{
  g_autoptr (GPtrArray) records = plumb_workspace_list_databases (self, NULL, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *list = NULL;
  const char *nearest;

  for (guint i = 0; records != NULL && i < records->len; i++)
    g_strv_builder_add (names, ((PlumbSourceRecord *) g_ptr_array_index (records, i))->name);
  all = g_strv_builder_end (names);
  if (all[0] == NULL)
    return g_strdup ("No database has been added yet.");
  nearest = plumb_names_find_nearest (database, (const char *const *) all);
  list = plumb_names_list ((const char *const *) all, 20);
  if (nearest != NULL)
    return g_strdup_printf ("Did you mean “%s”? Known databases: %s.", nearest, list);
  return g_strdup_printf ("Known databases: %s.", list);
}

/* The record of a source that the role may query. */
static PlumbSourceRecord *
find_record (PlumbWorkspace *self, const char *database, GError **error)
{
  PlumbSourceRecord *record;
  g_autoptr (GError) local_error = NULL;
  g_autofree char *advice = NULL;

  record = plumb_index_get_source (self->index, database, &local_error);
  if (record != NULL && plumb_access_allows_database (self->access, database))
    return record;
  if (record != NULL) {
    plumb_source_record_free (record);
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION,
                 "There is no permission to query the database “%s”.", database);
    return NULL;
  }
  if (local_error != NULL && !g_error_matches (local_error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND)) {
    g_propagate_error (error, g_steal_pointer (&local_error));
    return NULL;
  }
  advice = plumb_workspace_suggest_database (self, database);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "There is no database “%s”. %s", database,
               advice);
  return NULL;
}

/* The entry of a source, made when it is first used or when its address has changed. The mutex is
 * held by the caller. */
static Entry *
ensure_entry (PlumbWorkspace *self, const PlumbSourceRecord *record, GError **error)
{
  Entry *entry = g_hash_table_lookup (self->entries, record->name);
  g_autofree char *password = NULL;
  PlumbSource *source;

  if (entry != NULL && g_strcmp0 (entry->uri, record->uri) == 0)
    return entry;
  if (self->password != NULL)
    password = self->password (record->name, self->user_data);
  source = plumb_source_new (record->name, record->uri, password, error);
  if (source == NULL)
    return NULL;
  if (self->concurrency > 0)
    plumb_source_set_concurrency (source, self->concurrency);
  entry = g_new0 (Entry, 1);
  entry->source = source;
  entry->uri = g_strdup (record->uri);
  g_hash_table_replace (self->entries, g_strdup (record->name), entry);
  return entry;
}

/**
 * plumb_workspace_get_source:
 * @self: a workspace
 * @database: the source's name
 * @error: return location
 *
 * The source connects by itself when it is used.
 *
 * Returns: (transfer full): the source, or %NULL with PLUMB_ERROR_NOT_FOUND (the message suggests a
 *   near spelling), PLUMB_ERROR_NO_PERMISSION or a PLUMB_SOURCE_ERROR
 */
PlumbSource *
plumb_workspace_get_source (PlumbWorkspace *self, const char *database, GError **error)
{
  PlumbSourceRecord *record = find_record (self, database, error);
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = NULL;
  Entry *entry;

  if (record == NULL)
    return NULL;
  locker = g_mutex_locker_new (&self->mutex);
  entry = ensure_entry (self, record, error);
  plumb_source_record_free (record);
  return entry != NULL ? g_object_ref (entry->source) : NULL;
}

static GStrv
copy_strv (GStrv strings)
{
  return strings != NULL ? g_strdupv (strings) : NULL;
}

/* The part of a card that came from the catalog, as a table of a catalog again. */
static PlumbTable *
table_from_card (PlumbCard *card)
{
  PlumbTable *table = plumb_table_new (card->schema, card->name);

  table->kind = card->kind;
  table->selectable = card->selectable;
  table->row_estimate = card->row_estimate;
  table->primary_key = copy_strv (card->primary_key);
  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *from = g_ptr_array_index (card->columns, i);
    PlumbColumn *column = plumb_column_new (from->name, from->type);

    column->nullable = from->nullable;
    g_ptr_array_add (table->columns, column);
  }
  for (guint i = 0; i < card->foreign_keys->len; i++) {
    PlumbForeignKey *from = g_ptr_array_index (card->foreign_keys, i);
    PlumbForeignKey *key = plumb_foreign_key_new (from->ref_schema, from->ref_table);

    g_clear_pointer (&key->columns, g_strfreev);
    g_clear_pointer (&key->ref_columns, g_strfreev);
    key->columns = copy_strv (from->columns);
    key->ref_columns = copy_strv (from->ref_columns);
    g_ptr_array_add (table->foreign_keys, key);
  }
  return table;
}

/* The catalog that the index knows, NULL without an error where nothing was analysed. */
static PlumbCatalog *
catalog_from_cards (PlumbWorkspace *self, const char *database, GError **error)
{
  g_autoptr (GPtrArray) cards = plumb_index_list_cards (self->index, database, error);
  g_autoptr (PlumbCatalog) catalog = NULL;

  if (cards == NULL || cards->len == 0)
    return NULL;
  catalog = plumb_catalog_new (database);
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    if (!card->gone)
      plumb_catalog_add_table (catalog, table_from_card (card));
  }
  plumb_catalog_sort (catalog);
  return g_steal_pointer (&catalog);
}

/* Keeps a catalog that was made while the mutex was free. */
static void
keep_catalog (PlumbWorkspace *self, const char *database, PlumbCatalog *catalog, gint64 analyzed_at,
              gint64 read_at)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  Entry *entry = g_hash_table_lookup (self->entries, database);

  if (entry == NULL)
    return;
  g_clear_pointer (&entry->catalog, plumb_catalog_unref);
  entry->catalog = plumb_catalog_ref (catalog);
  entry->analyzed_at = analyzed_at;
  entry->read_at = read_at;
}

/* The catalog that is kept, where it is good enough. The mutex is held by the caller. */
static PlumbCatalog *
reuse_catalog (const Entry *entry, gint64 analyzed_at, gboolean read_again)
{
  gboolean fresh =
      entry->read_at > 0 && g_get_monotonic_time () - entry->read_at < CATALOG_FRESH_US;

  if (entry->catalog == NULL || (read_again ? !fresh : entry->analyzed_at != analyzed_at))
    return NULL;
  return plumb_catalog_ref (entry->catalog);
}

/**
 * plumb_workspace_get_catalog:
 * @self: a workspace
 * @database: the source's name
 * @read_again: whether to ask the source even where the index has its cards, since what is kept
 *   turned out to be stale
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Returns: (transfer full): the tables of the source: kept from before, from the cards of the last
 *   analysis, or read from the source
 */
PlumbCatalog *
plumb_workspace_get_catalog (PlumbWorkspace *self, const char *database, gboolean read_again,
                             GCancellable *cancellable, GError **error)
{
  PlumbSourceRecord *record = find_record (self, database, error);
  g_autoptr (PlumbSource) source = NULL;
  g_autoptr (PlumbCatalog) catalog = NULL;
  g_autoptr (GError) local_error = NULL;
  gint64 analyzed_at, read_at = 0;
  Entry *entry;

  if (record == NULL)
    return NULL;
  analyzed_at = record->analyzed_at;
  g_mutex_lock (&self->mutex);
  entry = ensure_entry (self, record, error);
  source = entry != NULL ? g_object_ref (entry->source) : NULL;
  catalog = entry != NULL ? reuse_catalog (entry, analyzed_at, read_again) : NULL;
  g_mutex_unlock (&self->mutex);
  plumb_source_record_free (record);
  if (source == NULL || catalog != NULL)
    return g_steal_pointer (&catalog);

  if (!read_again && analyzed_at > 0)
    catalog = catalog_from_cards (self, database, &local_error);
  if (local_error != NULL) {
    g_propagate_error (error, g_steal_pointer (&local_error));
    return NULL;
  }
  if (catalog == NULL) {
    catalog = plumb_source_read_catalog (source, cancellable, error);
    read_at = g_get_monotonic_time ();
  }
  if (catalog != NULL)
    keep_catalog (self, database, catalog, analyzed_at, read_at);
  return g_steal_pointer (&catalog);
}

/**
 * plumb_workspace_forget:
 * @self: a workspace
 * @database: the source's name
 *
 * Drops the connection and the catalog of a source that was removed, changed or analysed again.
 */
void
plumb_workspace_forget (PlumbWorkspace *self, const char *database)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_hash_table_remove (self->entries, database);
}

/** plumb_workspace_allows: Returns: whether the access role shows the table */
gboolean
plumb_workspace_allows (PlumbWorkspace *self, const char *database, const char *schema,
                        const char *table)
{
  return plumb_access_allows_database (self->access, database) &&
         plumb_access_allows_table (self->access, database, schema, table);
}

/**
 * plumb_workspace_search:
 * @self: a workspace
 * @question: what to look for
 * @databases: (nullable): search these alone
 * @limit: candidates wanted
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Table search as the role sees it: tables outside it are named in `no_permission`, those that the
 * account can't select are left out, and hidden columns are not in the cards.
 *
 * Returns: (transfer full): what was found
 */
PlumbCandidates *
plumb_workspace_search (PlumbWorkspace *self, const char *question, const char *const *databases,
                        guint limit, GCancellable *cancellable, GError **error)
{
  PlumbSearchRequest request = make_request (self, question);

  request.databases = databases;
  request.limit = limit;
  return plumb_search_run (self->search, &request, cancellable, error);
}
