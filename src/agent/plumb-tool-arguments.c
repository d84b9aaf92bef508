/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-tool.h"

#include "plumb-names.h"
#include "plumb-text.h"

#include <string.h>

/* No call of a tool needs more; what is longer or deeper is a mistake, and costs the parser. */
#define MAX_BYTES (512 * 1024)
#define MAX_DEPTH 16

/* What a message shows of a text that the model wrote. */
#define SHOWN_CHARACTERS 60

/* Brackets that are open at most, outside of strings. */
static guint
get_depth (const char *text)
{
  guint depth = 0, deepest = 0;
  gboolean in_string = FALSE;

  for (const char *p = text; *p != '\0'; p++) {
    if (in_string) {
      if (*p == '\\' && p[1] != '\0')
        p++;
      else if (*p == '"')
        in_string = FALSE;
    } else if (*p == '"') {
      in_string = TRUE;
    } else if (*p == '{' || *p == '[') {
      depth++;
      deepest = MAX (deepest, depth);
    } else if ((*p == '}' || *p == ']') && depth > 0) {
      depth--;
    }
  }
  return deepest;
}

static JsonNode *
parse_text (const PlumbTool *tool, const char *text, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  JsonNode *node;

  if (strlen (text) > MAX_BYTES || get_depth (text) > MAX_DEPTH) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "The arguments of %s are too long or too deeply nested.", tool->name);
    return NULL;
  }
  node = plumb_json_parse (text, -1, &local_error);
  if (node != NULL)
    return node;
  g_set_error (
      error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
      "The arguments of %s are no JSON (%s). Call it again with one JSON object of this schema: %s",
      tool->name, local_error->message, tool->parameters);
  return NULL;
}

static gboolean
holds_type (JsonNode *node, GType type)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

static gboolean
is_whole_number (JsonNode *node)
{
  double number;

  if (holds_type (node, G_TYPE_INT64))
    return TRUE;
  if (!holds_type (node, G_TYPE_DOUBLE))
    return FALSE;
  number = json_node_get_double (node);
  return number >= -1e15 && number <= 1e15 && number == (double) (gint64) number;
}

/* What a member is instead of what it should be. */
static const char *
describe (JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    return "an object";
  if (JSON_NODE_HOLDS_ARRAY (node))
    return "an array";
  if (JSON_NODE_HOLDS_NULL (node))
    return "null";
  if (holds_type (node, G_TYPE_STRING))
    return "a string";
  return holds_type (node, G_TYPE_BOOLEAN) ? "true or false" : "a number";
}

/* What a message about an argument adds where it is one that names databases. */
static char *
list_after (const char *name, const char *databases)
{
  if (!g_str_has_prefix (name, "database"))
    return g_strdup (".");
  return g_strdup_printf ("; known databases: %s.", *databases != '\0' ? databases : "none");
}

static gboolean
set_wrong_type (const char *name, const char *wanted, JsonNode *node, const char *databases,
                GError **error)
{
  g_autofree char *after = list_after (name, databases);

  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT, "%s must be %s, not %s%s", name,
               wanted, describe (node), after);
  return FALSE;
}

static gboolean
check_strings (const char *name, JsonNode *node, guint least, const char *databases, GError **error)
{
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return set_wrong_type (name, "an array of strings", node, databases, error);
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++) {
    if (!holds_type (json_array_get_element (array, i), G_TYPE_STRING))
      return set_wrong_type (name, "an array of strings", json_array_get_element (array, i),
                             databases, error);
  }
  if (json_array_get_length (array) >= least)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT, "%s must hold at least %u names.",
               name, least);
  return FALSE;
}

static gboolean
check_choice (const char *name, JsonObject *schema, const char *text, GError **error)
{
  g_auto (GStrv) choices = plumb_json_get_strv (schema, "enum");
  g_autofree char *list = NULL;
  g_autofree char *shown = NULL;

  if (choices == NULL || g_strv_contains ((const char *const *) choices, text))
    return TRUE;
  list = plumb_names_list ((const char *const *) choices, 10);
  shown = plumb_text_first_line (text, SHOWN_CHARACTERS);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "%s must be one of %s, not “%s”.", name, list, shown);
  return FALSE;
}

static gboolean
check_number (const char *name, JsonObject *schema, JsonObject *arguments, GError **error)
{
  gint64 number = plumb_json_get_int (arguments, name, 0);
  gint64 minimum = plumb_json_get_int (schema, "minimum", G_MININT64);
  gint64 maximum = plumb_json_get_int (schema, "maximum", G_MAXINT64);

  if (number >= minimum && number <= maximum)
    return TRUE;
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "%s must be a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ".", name,
               minimum, maximum);
  return FALSE;
}

/* A single string where an array of strings is wanted means an array of one. */
static void
accept_single_string (JsonObject *arguments, const char *name)
{
  JsonNode *node = json_object_get_member (arguments, name);
  JsonArray *array;

  if (!holds_type (node, G_TYPE_STRING))
    return;
  array = json_array_new ();
  json_array_add_string_element (array, json_node_get_string (node));
  json_object_set_array_member (arguments, name, array);
}

/* Holds one member that is there against its part of the schema. */
static gboolean
check_member (JsonObject *arguments, const char *name, JsonObject *schema, const char *databases,
              GError **error)
{
  const char *type = plumb_json_get_string (schema, "type", "string");
  JsonNode *node;

  if (g_str_equal (type, "array")) {
    accept_single_string (arguments, name);
    return check_strings (name, json_object_get_member (arguments, name),
                          plumb_json_get_int (schema, "minItems", 0), databases, error);
  }
  node = json_object_get_member (arguments, name);
  if (g_str_equal (type, "integer")) {
    if (!is_whole_number (node))
      return set_wrong_type (name, "a whole number such as 8", node, databases, error);
    return check_number (name, schema, arguments, error);
  }
  if (!holds_type (node, G_TYPE_STRING))
    return set_wrong_type (name, "a string", node, databases, error);
  if (*json_node_get_string (node) == '\0') {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT, "%s must not be empty.", name);
    return FALSE;
  }
  return check_choice (name, schema, json_node_get_string (node), error);
}

static void
set_unknown_member (const PlumbTool *tool, const char *name, JsonObject *properties, GError **error)
{
  g_autoptr (GStrvBuilder) known = g_strv_builder_new ();
  g_autoptr (GList) members = json_object_get_members (properties);
  g_auto (GStrv) all = NULL;
  g_autofree char *list = NULL;
  g_autofree char *shown = plumb_text_first_line (name, SHOWN_CHARACTERS);

  for (GList *l = members; l != NULL; l = l->next)
    g_strv_builder_add (known, l->data);
  all = g_strv_builder_end (known);
  list = plumb_names_list ((const char *const *) all, 20);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
               "%s has no argument “%s”. Its arguments: %s.", tool->name, shown, list);
}

/* Members that are null count as left out, and unknown ones are refused. */
static gboolean
check_members (const PlumbTool *tool, JsonObject *arguments, JsonObject *properties,
               const char *databases, GError **error)
{
  g_autoptr (GList) members = json_object_get_members (arguments);

  for (GList *l = members; l != NULL; l = l->next) {
    /* The object's own name goes away when its member is replaced or removed. */
    g_autofree char *name = g_strdup (l->data);
    JsonObject *schema = plumb_json_get_object (properties, name);

    if (schema == NULL) {
      set_unknown_member (tool, name, properties, error);
      return FALSE;
    }
    if (JSON_NODE_HOLDS_NULL (json_object_get_member (arguments, name)))
      json_object_remove_member (arguments, name);
    else if (!check_member (arguments, name, schema, databases, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_required (const PlumbTool *tool, JsonObject *arguments, JsonObject *schema,
                const char *databases, GError **error)
{
  g_auto (GStrv) required = plumb_json_get_strv (schema, "required");

  for (guint i = 0; required != NULL && required[i] != NULL; i++) {
    g_autofree char *after = NULL;

    if (json_object_has_member (arguments, required[i]))
      continue;
    after = list_after (required[i], databases);
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT, "%s needs the argument %s%s",
                 tool->name, required[i], after);
    return FALSE;
  }
  return TRUE;
}

/* A copy of the object that can be changed: what the parser gives is immutable. */
static JsonObject *
copy_object (JsonObject *from)
{
  JsonObject *copy = json_object_new ();
  g_autoptr (GList) members = json_object_get_members (from);

  for (GList *l = members; l != NULL; l = l->next)
    json_object_set_member (copy, l->data, json_node_copy (json_object_get_member (from, l->data)));
  return copy;
}

/**
 * plumb_tool_arguments_parse:
 * @tool: the tool that is called
 * @text: (nullable): the arguments as the model wrote them; nothing counts as an empty object
 * @databases: the known databases as a list, for messages
 * @error: return location
 *
 * Reads the arguments of a call and holds them against the tool's schema. Lenient where that is
 * harmless: null for an argument that may be left out, a string for an array of one, 8.0 for 8.
 *
 * Returns: (transfer full): the arguments, or %NULL with PLUMB_ERROR_INVALID_ARGUMENT and a message
 *   that a model can act on
 */
JsonObject *
plumb_tool_arguments_parse (const PlumbTool *tool, const char *text, const char *databases,
                            GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) schema_node = plumb_json_parse (tool->parameters, -1, NULL);
  JsonObject *schema = json_node_get_object (schema_node);
  g_autoptr (JsonObject) arguments = NULL;
  g_autofree char *stripped = g_strstrip (g_strdup (text != NULL ? text : ""));

  if (*stripped != '\0') {
    node = parse_text (tool, stripped, error);
    if (node == NULL)
      return NULL;
    if (!JSON_NODE_HOLDS_OBJECT (node)) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "The arguments of %s must be one JSON object, not %s.", tool->name,
                   describe (node));
      return NULL;
    }
  }
  arguments = node != NULL ? copy_object (json_node_get_object (node)) : json_object_new ();
  if (!check_members (tool, arguments, plumb_json_get_object (schema, "properties"), databases,
                      error) ||
      !check_required (tool, arguments, schema, databases, error))
    return NULL;
  return g_steal_pointer (&arguments);
}
