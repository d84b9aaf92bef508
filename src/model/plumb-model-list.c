/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-json.h"
#include "plumb-endpoint.h"
#include "plumb-text.h"

/* The model's name in an entry of the list: a string, or an object with an id or a name. */
static const char *
get_entry_name (JsonNode *entry)
{
  JsonObject *object;

  if (JSON_NODE_HOLDS_VALUE (entry) && json_node_get_value_type (entry) == G_TYPE_STRING)
    return json_node_get_string (entry);
  if (!JSON_NODE_HOLDS_OBJECT (entry))
    return NULL;
  object = json_node_get_object (entry);
  return plumb_json_get_string (object, "id", plumb_json_get_string (object, "name", NULL));
}

static JsonArray *
find_list (JsonNode *root)
{
  JsonObject *object;
  JsonArray *list;

  if (root == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_ARRAY (root))
    return json_node_get_array (root);
  if (!JSON_NODE_HOLDS_OBJECT (root))
    return NULL;
  object = json_node_get_object (root);
  list = plumb_json_get_array (object, "data");
  return list != NULL ? list : plumb_json_get_array (object, "models");
}

static GStrv
read_list (GString *body, const char *where, GError **error)
{
  g_autofree char *valid = plumb_text_make_valid (body->str, body->len, NULL);
  g_autoptr (JsonNode) root = plumb_json_parse (valid, -1, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  JsonArray *list = find_list (root);
  guint found = 0;

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++) {
    const char *name = get_entry_name (json_array_get_element (list, i));

    if (name != NULL && *name != '\0') {
      g_strv_builder_add (names, name);
      found++;
    }
  }
  if (list == NULL || (found == 0 && json_array_get_length (list) > 0)) {
    g_set_error (
        error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL,
        "What answers at %s gives no list of models, so it is no OpenAI-compatible server. "
        "Check the address in the model settings.",
        where);
    return NULL;
  }
  return g_strv_builder_end (names);
}

static GStrv
fetch_from (const char *address, const char *key, const PlumbModelLimits *limits,
            GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbHttpCall) call = plumb_http_call_new ("GET", address, key, NULL, limits, error);
  g_autoptr (GString) body = NULL;
  guint status;

  if (call == NULL || !plumb_http_call_send (call, cancellable, error))
    return NULL;
  body = plumb_http_call_read_all (call, limits->max_reply_bytes, cancellable, error);
  if (body == NULL)
    return NULL;
  status = plumb_http_call_get_status (call);
  if (status / 100 != 2) {
    plumb_model_fault_from_status (status, body->str, body->len, plumb_http_call_get_where (call),
                                   NULL, error);
    return NULL;
  }
  return read_list (body, plumb_http_call_get_where (call), error);
}

/**
 * plumb_model_list_fetch:
 * @base_address: the endpoint's address as typed
 * @key: (nullable): the key
 * @limits: time limits
 * @cancellable: (nullable): ends the call
 * @error: return location for a PLUMB_MODEL_ERROR or G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full): names of the models there, or %NULL with an error
 */
GStrv
plumb_model_list_fetch (const char *base_address, const char *key, const PlumbModelLimits *limits,
                        GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) addresses = plumb_endpoint_get_addresses (base_address, "/models");
  g_autoptr (GError) fault = NULL;

  if (addresses->len == 0)
    g_ptr_array_add (addresses, g_strdup (""));
  for (guint i = 0; i < addresses->len; i++) {
    g_autoptr (GError) later = NULL;
    GStrv models = fetch_from (g_ptr_array_index (addresses, i), key, limits, cancellable,
                               fault == NULL ? &fault : &later);

    if (models != NULL)
      return models;
    if (!g_error_matches (later != NULL ? later : fault, PLUMB_MODEL_ERROR,
                          PLUMB_MODEL_ERROR_NOT_FOUND))
      break;
  }
  plumb_model_fault_hide_key (&fault, key);
  g_propagate_error (error, g_steal_pointer (&fault));
  return NULL;
}
