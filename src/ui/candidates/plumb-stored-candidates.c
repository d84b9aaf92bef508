/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-stored-candidates.h"

/* Reads back what a search gave in an earlier turn, from the document that the tool returned. */

static void
parse_note (JsonNode *node, PlumbCandidate *candidate)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  PlumbCard *card = candidate->card;
  PlumbNote *note;

  if (object == NULL)
    return;
  note = plumb_note_new (card->database, card->schema, card->name,
                         plumb_json_get_string (object, "text", ""));
  g_free (note->author);
  note->author = g_strdup (plumb_json_get_string (object, "author", ""));
  if (plumb_json_get_boolean (object, "hit", FALSE))
    note->excerpt = g_strdup (note->text);
  g_ptr_array_add (candidate->notes, note);
}

static PlumbCandidate *
parse_candidate (JsonObject *object)
{
  g_autoptr (PlumbCard) card = plumb_card_new (plumb_json_get_string (object, "database", ""),
                                               plumb_json_get_string (object, "schema", ""),
                                               plumb_json_get_string (object, "table", ""));
  JsonArray *notes = plumb_json_get_array (object, "notes");
  PlumbCandidate *candidate;

  card->status = plumb_status_from_string (plumb_json_get_string (object, "status", "live"));
  card->role = plumb_role_from_string (plumb_json_get_string (object, "role", ""));
  card->copy_of = g_strdup (plumb_json_get_string (object, "copy_of", NULL));
  card->purpose = g_strdup (plumb_json_get_string (object, "purpose", NULL));
  /* A search gives no table that was never analysed; when, its document doesn't say. */
  card->analyzed_at = 1;
  card->selectable = TRUE;
  candidate = plumb_candidate_new (card, plumb_json_get_double (object, "score", 0));
  candidate->excerpt = g_strdup (plumb_json_get_string (object, "excerpt", NULL));
  candidate->matched_by = plumb_json_get_strv (object, "matched_by");
  candidate->copies = plumb_json_get_strv (object, "copies");
  candidate->partitions = plumb_json_get_strv (object, "partitions");
  candidate->helped_by = g_strdup (plumb_json_get_string (object, "helped_by", NULL));
  candidate->helped_by_domain = g_strdup (plumb_json_get_string (object, "helped_by_domain", NULL));
  for (guint i = 0; notes != NULL && i < json_array_get_length (notes); i++)
    parse_note (json_array_get_element (notes, i), candidate);
  return candidate;
}

/**
 * plumb_stored_candidates_parse:
 * @json: the result of search_tables
 *
 * Returns: (transfer full) (nullable): the candidates, with as much of each card as the result
 *   holds; %NULL where it is none
 */
PlumbCandidates *
plumb_stored_candidates_parse (const char *json)
{
  g_autoptr (JsonNode) node = plumb_json_parse (json, -1, NULL);
  g_auto (GStrv) no_permission = NULL;
  PlumbCandidates *self;
  JsonObject *object, *searched;
  JsonArray *array;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  object = json_node_get_object (node);
  array = plumb_json_get_array (object, "candidates");
  if (array == NULL)
    return NULL;
  self = plumb_candidates_new ();
  for (guint i = 0; i < json_array_get_length (array); i++) {
    JsonNode *element = json_array_get_element (array, i);

    if (JSON_NODE_HOLDS_OBJECT (element))
      g_ptr_array_add (self->candidates, parse_candidate (json_node_get_object (element)));
  }
  no_permission = plumb_json_get_strv (object, "no_permission");
  for (guint i = 0; no_permission != NULL && no_permission[i] != NULL; i++)
    g_ptr_array_add (self->no_permission, g_strdup (no_permission[i]));
  searched = plumb_json_get_object (object, "searched");
  if (searched != NULL) {
    self->searched = plumb_json_get_int (searched, "databases", 0);
    self->of = plumb_json_get_int (searched, "of", 0);
  }
  self->lists = plumb_json_get_strv (object, "lists");
  self->reranked = plumb_json_get_boolean (object, "reranked", FALSE);
  self->warning = g_strdup (plumb_json_get_string (object, "warning", NULL));
  return self;
}
