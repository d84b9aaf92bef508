/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-catalog-file.h"

#include "plumb-json.h"
#include "plumb-source.h"

#include <string.h>

/** plumb_catalog_file_free: frees @self, with the tables that nobody took */
void
plumb_catalog_file_free (PlumbCatalogFile *self)
{
  g_autoptr (PlumbCatalog) left = plumb_catalog_new ("");

  if (self == NULL)
    return;
  for (guint i = 0; i < self->tables->len; i++)
    plumb_catalog_add_table (left, g_ptr_array_index (self->tables, i));
  g_free (self->database);
  g_free (self->dialect);
  g_ptr_array_unref (self->tables);
  g_free (self);
}

static gboolean
refuse (const char *path, const char *what, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS, "The schema file “%s” %s",
               shown, what);
  return FALSE;
}

static JsonObject *
get_element (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static void
read_columns (JsonObject *object, PlumbTable *table)
{
  JsonArray *columns = plumb_json_get_array (object, "columns");
  guint n = columns != NULL ? json_array_get_length (columns) : 0;

  for (guint i = 0; i < n; i++) {
    JsonObject *member = get_element (columns, i);
    const char *name = member != NULL ? plumb_json_get_string (member, "name", NULL) : NULL;
    PlumbColumn *column;

    if (name == NULL)
      continue;
    column = plumb_column_new (name, plumb_json_get_string (member, "type", ""));
    column->comment = g_strdup (plumb_json_get_string (member, "comment", NULL));
    column->label = g_strdup (plumb_json_get_string (member, "label", NULL));
    column->samples = plumb_json_get_strv (member, "samples");
    column->nullable = plumb_json_get_boolean (member, "nullable", TRUE);
    g_ptr_array_add (table->columns, column);
  }
}

static void
copy_columns (const PlumbTable *from, PlumbTable *to)
{
  for (guint i = 0; i < from->columns->len; i++) {
    const PlumbColumn *column = g_ptr_array_index (from->columns, i);
    PlumbColumn *copy = plumb_column_new (column->name, column->type);

    copy->comment = g_strdup (column->comment);
    copy->label = g_strdup (column->label);
    copy->samples = g_strdupv (column->samples);
    copy->nullable = column->nullable;
    g_ptr_array_add (to->columns, copy);
  }
}

/* A key of one column as `column` and `ref_column`, of several as `columns` and `ref_columns`. */
static GStrv
get_names (JsonObject *object, const char *one, const char *several)
{
  const char *name = plumb_json_get_string (object, one, NULL);
  const char *names[] = { name, NULL };

  return name != NULL ? g_strdupv ((GStrv) names) : plumb_json_get_strv (object, several);
}

static void
read_foreign_keys (JsonObject *object, PlumbTable *table)
{
  JsonArray *keys = plumb_json_get_array (object, "foreign_keys");
  guint n = keys != NULL ? json_array_get_length (keys) : 0;

  for (guint i = 0; i < n; i++) {
    JsonObject *member = get_element (keys, i);
    const char *ref_table = member != NULL ? plumb_json_get_string (member, "ref_table", NULL)
                                           : NULL;
    g_auto (GStrv) columns = ref_table != NULL ? get_names (member, "column", "columns") : NULL;
    g_auto (GStrv) ref_columns = ref_table != NULL ? get_names (member, "ref_column", "ref_columns")
                                                   : NULL;
    PlumbForeignKey *key;

    if (columns == NULL || ref_columns == NULL || *columns == NULL ||
        g_strv_length (columns) != g_strv_length (ref_columns))
      continue;
    key = plumb_foreign_key_new (plumb_json_get_string (member, "ref_schema", NULL), ref_table);
    key->columns = g_steal_pointer (&columns);
    key->ref_columns = g_steal_pointer (&ref_columns);
    g_ptr_array_add (table->foreign_keys, key);
  }
}

static PlumbTable *
read_table (JsonObject *object)
{
  const char *name = plumb_json_get_string (object, "name", NULL);
  PlumbTable *table;

  if (name == NULL)
    return NULL;
  table = plumb_table_new (plumb_json_get_string (object, "schema", ""), name);
  table->kind = plumb_table_kind_from_string (plumb_json_get_string (object, "kind", NULL));
  table->comment = g_strdup (plumb_json_get_string (object, "comment", NULL));
  table->label = g_strdup (plumb_json_get_string (object, "label", NULL));
  table->row_estimate = plumb_json_get_int (object, "row_count", -1);
  table->primary_key = plumb_json_get_strv (object, "primary_key");
  if (table->primary_key != NULL && *table->primary_key == NULL)
    g_clear_pointer (&table->primary_key, g_strfreev);
  read_columns (object, table);
  read_foreign_keys (object, table);
  return table;
}

/* Members of a long family of tables say whose columns they have. */
static gboolean
share_columns (const char *path, JsonArray *tables, PlumbCatalogFile *self, GError **error)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (self->tables, i);

    g_hash_table_insert (by_name, table->name, table);
  }
  for (guint i = 0; i < self->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (self->tables, i);
    const char *other = plumb_json_get_string (get_element (tables, i), "same_columns_as", NULL);
    const PlumbTable *model = other != NULL ? g_hash_table_lookup (by_name, other) : NULL;

    if (other != NULL && model == NULL)
      return refuse (
        path, "says of a table that it has the columns of another one that isn't in it.", error);
    if (model != NULL && table->columns->len == 0)
      copy_columns (model, table);
  }
  return TRUE;
}

static gboolean
read_tables (const char *path, JsonObject *object, PlumbCatalogFile *self, GError **error)
{
  JsonArray *tables = plumb_json_get_array (object, "tables");

  if (tables == NULL)
    return refuse (path, "has no list “tables”. It must be an object with “db” and “tables”.",
                   error);
  for (guint i = 0; i < json_array_get_length (tables); i++) {
    JsonObject *member = get_element (tables, i);
    PlumbTable *table = member != NULL ? read_table (member) : NULL;

    if (table == NULL)
      return refuse (path, "has an entry in “tables” that is no object with a “name”.", error);
    g_ptr_array_add (self->tables, table);
  }
  return share_columns (path, tables, self, error);
}

/**
 * plumb_catalog_file_read:
 * @path: a JSON file with `db`, `dialect` and `tables`
 * @error: return location
 *
 * Returns: (transfer full): what it holds, or %NULL with PLUMB_SOURCE_ERROR_ADDRESS
 */
PlumbCatalogFile *
plumb_catalog_file_read (const char *path, GError **error)
{
  g_autoptr (PlumbCatalogFile) self = g_new0 (PlumbCatalogFile, 1);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) inner = NULL;
  JsonObject *object;
  gsize length;

  self->tables = g_ptr_array_new ();
  if (!g_file_get_contents (path, &text, &length, &inner)) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                 "The schema file can't be read: %s.", inner->message);
    return NULL;
  }
  node = plumb_json_parse (text, length, &inner);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node)) {
    refuse (path, "is no JSON object. Choose a file with “db” and “tables”.", error);
    return NULL;
  }
  object = json_node_get_object (node);
  self->database = g_strdup (plumb_json_get_string (object, "db", NULL));
  self->dialect = g_strdup (plumb_json_get_string (object, "dialect", NULL));
  if (self->database == NULL) {
    refuse (path, "doesn't name its database: “db” is missing.", error);
    return NULL;
  }
  return read_tables (path, object, self, error) ? g_steal_pointer (&self) : NULL;
}
