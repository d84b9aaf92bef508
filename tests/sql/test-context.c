/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-context.h"

#include <string.h>

struct _TestContext {
  PlumbCheckContext context;
  JsonNode *root;
  GHashTable *definitions;
  GHashTable *harmful;
  GPtrArray *objects;
  GPtrArray *visible;
  GPtrArray *answers;
  GStrv search_path;
};

static const char *const kinds[] = {
  [PLUMB_OBJECT_FUNCTION] = "function",
  [PLUMB_OBJECT_OPERATOR] = "operator",
  [PLUMB_OBJECT_CAST] = "cast",
  [PLUMB_OBJECT_TYPE] = "type",
};

static GPtrArray *
find_objects (PlumbObjectKind kind, const char *schema, const char *name, gpointer user_data)
{
  TestContext *self = user_data;
  GPtrArray *found = g_ptr_array_new ();

  g_ptr_array_add (self->answers, found);
  for (guint i = 0; i < self->objects->len; i++) {
    PlumbUserObject *object = g_ptr_array_index (self->objects, i);
    JsonObject *json = g_ptr_array_index (self->visible, i);

    if (strcmp (plumb_json_get_string (json, "kind", ""), kinds[kind]) != 0)
      continue;
    if (name != NULL && strcmp (object->name, name) != 0)
      continue;
    if (schema != NULL
            ? strcmp (object->schema, schema) != 0
            : !plumb_json_get_boolean (json, "visible", TRUE) && kind != PLUMB_OBJECT_CAST)
      continue;
    g_ptr_array_add (found, object);
  }
  return found;
}

static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  TestContext *self = user_data;
  g_autofree char *key = g_strdup_printf ("%s.%s", schema, name);

  return g_strdup (g_hash_table_lookup (self->definitions, key));
}

static PlumbObjectVerdict
check_relation (const char *schema, const char *name, gpointer user_data)
{
  TestContext *self = user_data;
  g_autofree char *key = g_strdup_printf ("%s.%s", schema, name);

  return g_hash_table_contains (self->harmful, key) ? PLUMB_OBJECT_HARMFUL : PLUMB_OBJECT_HARMLESS;
}

static void
load_table (TestContext *self, JsonObject *json)
{
  const char *schema = plumb_json_get_string (json, "schema", "");
  const char *name = plumb_json_get_string (json, "name", "");
  const char *definition = plumb_json_get_string (json, "definition", NULL);
  JsonArray *columns = plumb_json_get_array (json, "columns");
  PlumbTable *table = plumb_table_new (schema, name);

  table->kind = plumb_table_kind_from_string (plumb_json_get_string (json, "kind", "table"));
  for (guint i = 0; columns != NULL && i < json_array_get_length (columns); i++) {
    JsonArray *column = json_array_get_array_element (columns, i);

    g_ptr_array_add (table->columns, plumb_column_new (json_array_get_string_element (column, 0),
                                                       json_array_get_string_element (column, 1)));
  }
  if (definition != NULL)
    g_hash_table_insert (self->definitions, g_strdup_printf ("%s.%s", schema, name),
                         g_strdup (definition));
  if (plumb_json_get_boolean (json, "harmful", FALSE))
    g_hash_table_add (self->harmful, g_strdup_printf ("%s.%s", schema, name));
  plumb_catalog_add_table (self->context.catalog, table);
}

static void
load_object (TestContext *self, JsonObject *json)
{
  PlumbUserObject *object = plumb_user_object_new (plumb_json_get_string (json, "schema", ""),
                                                   plumb_json_get_string (json, "name", ""));
  const char *verdict = plumb_json_get_string (json, "verdict", "");

  object->arguments = plumb_json_get_strv (json, "arguments");
  object->n_defaults = plumb_json_get_int (json, "defaults", 0);
  object->variadic = plumb_json_get_boolean (json, "variadic", FALSE);
  object->implicit = plumb_json_get_boolean (json, "implicit", FALSE);
  object->extension = g_strdup (plumb_json_get_string (json, "extension", NULL));
  object->base = g_strdup (plumb_json_get_string (json, "base", NULL));
  object->fields = plumb_json_get_strv (json, "fields");
  if (strcmp (verdict, "harmless") == 0)
    object->verdict = PLUMB_OBJECT_HARMLESS;
  g_ptr_array_add (self->objects, object);
  g_ptr_array_add (self->visible, json);
}

/** test_context_load: Returns: (transfer full) (nullable): the context of a file; %NULL without
 * one */
TestContext *
test_context_load (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  TestContext *self;
  JsonObject *root;
  JsonArray *list;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  self = g_new0 (TestContext, 1);
  self->root = plumb_json_parse (text, -1, &error);
  g_assert_no_error (error);
  root = json_node_get_object (self->root);
  self->definitions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->harmful = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->objects = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_user_object_free);
  self->visible = g_ptr_array_new ();
  self->answers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self->context.user_data = self;
  self->context.default_schema = plumb_json_get_string (root, "default_schema", NULL);
  self->search_path = plumb_json_get_strv (root, "search_path");
  self->context.search_path = (const char *const *) self->search_path;
  list = plumb_json_get_array (root, "tables");
  if (list != NULL) {
    self->context.catalog = plumb_catalog_new ("test");
    self->context.get_view_definition = get_view_definition;
    self->context.check_relation = check_relation;
    self->context.find_objects = find_objects;
  }
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    load_table (self, json_array_get_object_element (list, i));
  list = plumb_json_get_array (root, "objects");
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    load_object (self, json_array_get_object_element (list, i));
  return self;
}

/** test_context_free: frees @self */
void
test_context_free (TestContext *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->context.catalog, plumb_catalog_unref);
  g_hash_table_unref (self->definitions);
  g_hash_table_unref (self->harmful);
  g_ptr_array_unref (self->objects);
  g_ptr_array_unref (self->visible);
  g_ptr_array_unref (self->answers);
  g_strfreev (self->search_path);
  json_node_unref (self->root);
  g_free (self);
}

/** test_context_get: Returns: (transfer none) (nullable): what the check is given */
const PlumbCheckContext *
test_context_get (TestContext *self)
{
  return self != NULL ? &self->context : NULL;
}
