/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-catalog-source.h"

#include "plumb-catalog-file.h"
#include "plumb-source-private.h"

#include <string.h>

struct _PlumbCatalogSource {
  PlumbSource parent_instance;
  GMutex lock;
  gboolean dialect_known;
  PlumbDialect dialect;
  char *default_schema;
};

G_DEFINE_FINAL_TYPE (PlumbCatalogSource, plumb_catalog_source, PLUMB_TYPE_SOURCE)

static const char *const known_parameters[] = { "dialect", NULL };

/* Names that schema files use beside our own, and the schema that an unqualified name means there.
 */
static const struct {
  const char *name;
  PlumbDialect dialect;
  const char *schema;
} dialects[] = {
  { "sqlite", PLUMB_DIALECT_SQLITE, "main" },
  { "postgres", PLUMB_DIALECT_POSTGRES, "public" },
  { "postgresql", PLUMB_DIALECT_POSTGRES, "public" },
  { "mysql", PLUMB_DIALECT_MARIADB, NULL },
  { "mariadb", PLUMB_DIALECT_MARIADB, NULL },
  { "clickhouse", PLUMB_DIALECT_CLICKHOUSE, NULL },
  { "oracle", PLUMB_DIALECT_ORACLE, NULL },
  { "tibero", PLUMB_DIALECT_ORACLE, NULL },
  { "tsql", PLUMB_DIALECT_SQLSERVER, "dbo" },
  { "sqlserver", PLUMB_DIALECT_SQLSERVER, "dbo" },
};

static guint
find_dialect (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++) {
    if (g_strcmp0 (dialects[i].name, name) == 0)
      return i;
  }
  return G_N_ELEMENTS (dialects);
}

static gboolean
plumb_catalog_source_accept_address (PlumbSource *source, GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);
  const char *dialect = plumb_source_uri_get_parameter (address, "dialect");

  if (!plumb_source_only_parameters (address, known_parameters, error))
    return FALSE;
  if (dialect == NULL || find_dialect (dialect) < G_N_ELEMENTS (dialects))
    return TRUE;
  g_set_error_literal (
    error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
    "The dialect in the address is not known. Known are sqlite, postgres, mariadb, "
    "clickhouse, oracle and sqlserver.");
  return FALSE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
list_folder (const char *folder, GPtrArray *paths, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      list_folder (path, paths, NULL);
    else if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  if (paths->len > 0)
    return TRUE;
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
               "There is no schema file (*.json) in the folder.");
  return FALSE;
}

static GPtrArray *
list_files (const char *path, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    g_ptr_array_add (paths, g_strdup (path));
  else if (!list_folder (path, paths, error))
    return NULL;
  g_ptr_array_sort (paths, compare_paths);
  return g_steal_pointer (&paths);
}

/* The schema of a database that stands alone; several are told apart by their names. */
static char *
choose_schema (const PlumbCatalogFile *file, const char *dialect, gboolean alone)
{
  guint i = find_dialect (dialect);
  const char *last = strrchr (file->database, '/');

  if (!alone)
    return g_strdup (file->database);
  if (i < G_N_ELEMENTS (dialects) && dialects[i].schema != NULL)
    return g_strdup (dialects[i].schema);
  return g_strdup (last != NULL && last[1] != '\0' ? last + 1 : file->database);
}

static void
take_tables (PlumbCatalogFile *file, const char *schema, PlumbCatalog *catalog)
{
  for (guint i = 0; i < file->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (file->tables, i);

    if (*table->schema == '\0') {
      g_free (table->schema);
      table->schema = g_strdup (schema);
    }
    plumb_catalog_add_table (catalog, table);
  }
  g_ptr_array_set_size (file->tables, 0);
}

/* What the first file says of its dialect holds for the source, unless the address says more. */
static void
remember (PlumbCatalogSource *self, const char *dialect, const char *schema)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  guint i = find_dialect (dialect);

  self->dialect = i < G_N_ELEMENTS (dialects) ? dialects[i].dialect : PLUMB_DIALECT_GENERIC;
  self->dialect_known = TRUE;
  g_free (self->default_schema);
  self->default_schema = g_strdup (schema);
}

static PlumbCatalog *
plumb_catalog_source_read_catalog (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);
  const char *asked = plumb_source_uri_get_parameter (address, "dialect");
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new (plumb_source_get_name (source));
  g_autoptr (GPtrArray) paths = list_files (address->path, error);

  for (guint i = 0; paths != NULL && i < paths->len; i++) {
    g_autoptr (PlumbCatalogFile) file = NULL;
    g_autofree char *schema = NULL;

    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return NULL;
    file = plumb_catalog_file_read (g_ptr_array_index (paths, i), error);
    if (file == NULL)
      return NULL;
    schema = choose_schema (file, asked != NULL ? asked : file->dialect, paths->len == 1);
    if (i == 0)
      remember (PLUMB_CATALOG_SOURCE (source), asked != NULL ? asked : file->dialect, schema);
    take_tables (file, schema, catalog);
  }
  plumb_catalog_sort (catalog);
  return paths != NULL ? g_steal_pointer (&catalog) : NULL;
}

static PlumbDialect
plumb_catalog_source_get_dialect (PlumbSource *source)
{
  PlumbCatalogSource *self = PLUMB_CATALOG_SOURCE (source);
  g_autoptr (PlumbCatalog) catalog = NULL;
  gboolean known;

  g_mutex_lock (&self->lock);
  known = self->dialect_known;
  g_mutex_unlock (&self->lock);
  if (!known)
    catalog = plumb_catalog_source_read_catalog (source, NULL, NULL);
  return self->dialect;
}

static gboolean
plumb_catalog_source_connect (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_source_read_catalog (source, cancellable, error);

  return catalog != NULL;
}

static char *
plumb_catalog_source_get_version (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  return g_strdup ("");
}

static PlumbAccountProbe *
plumb_catalog_source_probe (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_source_read_catalog (source, cancellable, error);
  PlumbAccountProbe *probe;

  if (catalog == NULL)
    return NULL;
  probe = plumb_account_probe_new ();
  probe->version = g_strdup ("");
  probe->account = g_strdup (g_get_user_name ());
  probe->read_only_proven = TRUE;
  probe->read_only_detail = g_strdup (
    "A schema without rows: there is nothing that could be written.");
  probe->encoding = g_strdup ("UTF-8");
  probe->n_tables = catalog->tables->len;
  probe->n_selectable = 0;
  return probe;
}

static PlumbStatement *
plumb_catalog_source_check (PlumbSource *source, const char *sql, PlumbCatalog *catalog,
                            GCancellable *cancellable, GError **error)
{
  PlumbCatalogSource *self = PLUMB_CATALOG_SOURCE (source);
  PlumbDialect dialect = plumb_catalog_source_get_dialect (source);
  g_autoptr (PlumbCatalog) own = NULL;
  g_autofree char *schema = NULL;
  PlumbCheckContext context = { .catalog = catalog };

  if (catalog == NULL)
    context.catalog = own = plumb_catalog_source_read_catalog (source, cancellable, error);
  if (context.catalog == NULL)
    return NULL;
  g_mutex_lock (&self->lock);
  context.default_schema = schema = g_strdup (self->default_schema);
  g_mutex_unlock (&self->lock);
  return plumb_statement_check (dialect, sql, -1, &context);
}

static void
plumb_catalog_source_finalize (GObject *object)
{
  PlumbCatalogSource *self = PLUMB_CATALOG_SOURCE (object);

  g_free (self->default_schema);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (plumb_catalog_source_parent_class)->finalize (object);
}

static void
plumb_catalog_source_class_init (PlumbCatalogSourceClass *klass)
{
  PlumbSourceClass *source_class = PLUMB_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = plumb_catalog_source_finalize;
  source_class->dialect = PLUMB_DIALECT_GENERIC;
  source_class->engine = "Schema file";
  source_class->get_dialect = plumb_catalog_source_get_dialect;
  source_class->accept_address = plumb_catalog_source_accept_address;
  source_class->connect = plumb_catalog_source_connect;
  source_class->read_catalog = plumb_catalog_source_read_catalog;
  source_class->probe = plumb_catalog_source_probe;
  source_class->check = plumb_catalog_source_check;
  source_class->get_version = plumb_catalog_source_get_version;
}

static void
plumb_catalog_source_init (PlumbCatalogSource *self)
{
  self->dialect = PLUMB_DIALECT_GENERIC;
  g_mutex_init (&self->lock);
}
