/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-eval-private.h"

#include <string.h>

/* An earlier result complete within @k places? */
static gboolean
was_complete (JsonObject *result, guint k)
{
  JsonArray *ranks = plumb_json_get_array (result, "ranks");
  guint n = ranks != NULL ? json_array_get_length (ranks) : 0;

  for (guint i = 0; i < n; i++) {
    JsonNode *rank = json_array_get_element (ranks, i);

    if (JSON_NODE_HOLDS_NULL (rank) || !JSON_NODE_HOLDS_VALUE (rank) || json_node_get_int (rank) > k)
      return FALSE;
  }
  return n > 0;
}

/* The results of the set called @name, by id. */
static GHashTable *
find_results (JsonObject *run, const char *name)
{
  JsonArray *sets = plumb_json_get_array (run, "sets");
  GHashTable *by_id = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; sets != NULL && i < json_array_get_length (sets); i++) {
    JsonNode *node = json_array_get_element (sets, i);
    JsonObject *set = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
    JsonArray *results = set != NULL ? plumb_json_get_array (set, "results") : NULL;

    if (results == NULL || strcmp (plumb_json_get_string (set, "set", ""), name) != 0)
      continue;
    for (guint j = 0; j < json_array_get_length (results); j++) {
      JsonNode *result = json_array_get_element (results, j);

      if (JSON_NODE_HOLDS_OBJECT (result))
        g_hash_table_insert (by_id, (gpointer) plumb_json_get_string (json_node_get_object (result), "id", ""),
                             json_node_get_object (result));
    }
  }
  return by_id;
}

static void
compare_set (PlumbEvalSet *set, JsonObject *run, guint k)
{
  g_autoptr (GHashTable) earlier = find_results (run, set->name);

  set->better = g_ptr_array_new_with_free_func (g_free);
  set->worse = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < set->results->len; i++) {
    const PlumbEvalResult *result = g_ptr_array_index (set->results, i);
    JsonObject *other = g_hash_table_lookup (earlier, result->id);
    gboolean now = plumb_eval_result_complete (result, k);

    if (other == NULL || now == was_complete (other, k))
      continue;
    g_ptr_array_add (now ? set->better : set->worse, g_strdup (result->id));
  }
}

/**
 * plumb_eval_report_compare:
 * @path: the JSON of an earlier run
 *
 * Notes which questions got better or worse: all their gold tables are among the first k now and
 * were not then, or the other way round.
 *
 * Returns: %FALSE with an error where @path is no earlier run
 */
gboolean
plumb_eval_report_compare (PlumbEvalReport *self, const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  node = plumb_json_parse (text, length, NULL);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node) ||
      plumb_json_get_array (json_node_get_object (node), "sets") == NULL) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                 "%s is no earlier run. Write one with --json and keep what it prints.", path);
    return FALSE;
  }
  for (guint i = 0; i < self->sets->len; i++)
    compare_set (g_ptr_array_index (self->sets, i), json_node_get_object (node), self->k);
  return TRUE;
}
