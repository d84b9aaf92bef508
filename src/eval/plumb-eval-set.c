/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-eval-private.h"

static void
question_free (PlumbEvalQuestion *self)
{
  g_free (self->id);
  g_free (self->database);
  g_free (self->text);
  g_free (self->language);
  g_strfreev (self->gold_tables);
  g_free (self->gold_sql);
  g_free (self->file);
  g_free (self);
}

/**
 * plumb_eval_read_lines:
 * @path: a file with a JSON object a line; empty lines are left out
 *
 * Returns: (transfer full) (element-type JsonNode): the objects, %NULL with an error that names the
 *   line that is none
 */
GPtrArray *
plumb_eval_read_lines (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    JsonNode *node;

    if (*g_strstrip (lines[i]) == '\0')
      continue;
    node = plumb_json_parse (lines[i], -1, NULL);
    if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node)) {
      g_clear_pointer (&node, json_node_unref);
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "Line %u of %s is no JSON object. A set holds one object a line.", i + 1, path);
      return NULL;
    }
    g_ptr_array_add (nodes, node);
  }
  return g_steal_pointer (&nodes);
}

static PlumbEvalQuestion *
read_question (JsonObject *object)
{
  PlumbEvalQuestion *self = g_new0 (PlumbEvalQuestion, 1);

  self->id = g_strdup (plumb_json_get_string (object, "id", ""));
  self->database = g_strdup (plumb_json_get_string (object, "db", ""));
  self->text = g_strdup (plumb_json_get_string (object, "question", ""));
  self->language = g_strdup (plumb_json_get_string (object, "language", ""));
  self->gold_tables = plumb_json_get_strv (object, "gold_tables");
  self->gold_sql = g_strdup (plumb_json_get_string (object, "gold_sql", NULL));
  self->file = g_strdup (plumb_json_get_string (object, "sqlite_file", NULL));
  return self;
}

/**
 * plumb_eval_read_questions:
 * @path: a set
 * @limit: the most questions to take, spread over the set; 0 for all
 *
 * Returns: (transfer full) (element-type PlumbEvalQuestion): questions that have gold tables
 */
GPtrArray *
plumb_eval_read_questions (const char *path, guint limit, GError **error)
{
  g_autoptr (GPtrArray) nodes = plumb_eval_read_lines (path, error);
  g_autoptr (GPtrArray) questions = NULL;
  g_autoptr (GPtrArray) taken = NULL;

  if (nodes == NULL)
    return NULL;
  questions = g_ptr_array_new_with_free_func ((GDestroyNotify) question_free);
  for (guint i = 0; i < nodes->len; i++) {
    PlumbEvalQuestion *question = read_question (json_node_get_object (g_ptr_array_index (nodes, i)));

    if (question->gold_tables != NULL && question->gold_tables[0] != NULL)
      g_ptr_array_add (questions, question);
    else
      question_free (question);
  }
  if (limit == 0 || questions->len <= limit)
    return g_steal_pointer (&questions);
  taken = g_ptr_array_new_with_free_func ((GDestroyNotify) question_free);
  for (guint i = 0; i < limit; i++) {
    gpointer *place = &g_ptr_array_index (questions, (guint64) i * questions->len / limit);

    g_ptr_array_add (taken, g_steal_pointer (place));
  }
  g_ptr_array_set_free_func (questions, NULL);
  for (guint i = 0; i < questions->len; i++) {
    if (g_ptr_array_index (questions, i) != NULL)
      question_free (g_ptr_array_index (questions, i));
  }
  return g_steal_pointer (&taken);
}
