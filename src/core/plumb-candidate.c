/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-candidate.h"

#include "plumb-table-name.h"

#include <string.h>

/** plumb_candidate_new: Returns: (transfer full): a candidate that holds a reference to @card */
PlumbCandidate *
plumb_candidate_new (PlumbCard *card, double score)
{
  PlumbCandidate *self = g_new0 (PlumbCandidate, 1);

  self->card = plumb_card_ref (card);
  self->score = score;
  self->notes = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_note_free);
  return self;
}

/** plumb_candidate_free: frees @self */
void
plumb_candidate_free (PlumbCandidate *self)
{
  if (self == NULL)
    return;
  plumb_card_unref (self->card);
  g_free (self->excerpt);
  g_strfreev (self->matched_by);
  g_ptr_array_unref (self->notes);
  g_strfreev (self->copies);
  g_strfreev (self->partitions);
  g_free (self->helped_by);
  g_free (self->helped_by_domain);
  g_free (self);
}

/** plumb_candidates_new: Returns: (transfer full): nothing found yet */
PlumbCandidates *
plumb_candidates_new (void)
{
  PlumbCandidates *self = g_atomic_rc_box_new0 (PlumbCandidates);

  self->candidates = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_candidate_free);
  self->no_permission = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/** plumb_candidates_ref: Returns: (transfer full): @self with one more reference */
PlumbCandidates *
plumb_candidates_ref (PlumbCandidates *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
candidates_clear (PlumbCandidates *self)
{
  g_ptr_array_unref (self->candidates);
  g_ptr_array_unref (self->no_permission);
  g_strfreev (self->lists);
  g_free (self->embedding_model);
  g_free (self->warning);
}

/** plumb_candidates_unref: gives a reference back */
void
plumb_candidates_unref (PlumbCandidates *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) candidates_clear);
}

static void
write_candidate (PlumbCandidate *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, self->card->database);
  plumb_json_writer_name (writer, "schema");
  plumb_json_writer_string (writer, self->card->schema);
  plumb_json_writer_name (writer, "table");
  plumb_json_writer_string (writer, self->card->name);
  plumb_json_writer_name (writer, "score");
  plumb_json_writer_double (writer, self->score);
  plumb_json_writer_name (writer, "status");
  plumb_json_writer_string (writer, plumb_status_to_string (self->card->status));
  plumb_json_writer_name (writer, "copy_of");
  plumb_json_writer_string (writer, self->card->copy_of);
  plumb_json_writer_name (writer, "role");
  plumb_json_writer_string (writer, plumb_role_to_string (self->card->role));
  plumb_json_writer_name (writer, "matched_by");
  plumb_json_writer_strv (writer, (const char *const *) self->matched_by);
  plumb_json_writer_name (writer, "excerpt");
  plumb_json_writer_string (writer, self->excerpt);
  plumb_json_writer_name (writer, "notes");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->notes->len; i++) {
    PlumbNote *note = g_ptr_array_index (self->notes, i);

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "text");
    plumb_json_writer_string (writer, note->excerpt != NULL ? note->excerpt : note->text);
    plumb_json_writer_name (writer, "author");
    plumb_json_writer_string (writer, note->author);
    plumb_json_writer_name (writer, "hit");
    plumb_json_writer_boolean (writer, note->excerpt != NULL);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "copies");
  plumb_json_writer_strv (writer, (const char *const *) self->copies);
  if (self->partitions != NULL && self->partitions[0] != NULL) {
    plumb_json_writer_name (writer, "partitions");
    plumb_json_writer_strv (writer, (const char *const *) self->partitions);
  }
  if (self->helped_by != NULL) {
    plumb_json_writer_name (writer, "helped_by");
    plumb_json_writer_string (writer, self->helped_by);
  }
  if (self->helped_by_domain != NULL) {
    plumb_json_writer_name (writer, "helped_by_domain");
    plumb_json_writer_string (writer, self->helped_by_domain);
  }
  plumb_json_writer_end_object (writer);
}

static gboolean
same_name (const char *one, const char *other)
{
  g_autofree char *one_folded = g_utf8_casefold (one, -1);
  g_autofree char *other_folded = g_utf8_casefold (other, -1);

  return strcmp (one_folded, other_folded) == 0;
}

/* Whether a candidate is the table of that name, or stands for the partitions that it is one of. */
static gboolean
stands_for (const PlumbCandidate *candidate, const char *table)
{
  const PlumbCard *card = candidate->card;
  g_autofree char *with_schema = g_strdup_printf ("%s.%s", card->schema, card->name);
  g_autofree char *quoted = plumb_table_name_join (NULL, card->schema, card->name);
  g_autofree char *partition = plumb_table_name_join (NULL, card->schema, table);

  if (same_name (card->name, table) || same_name (with_schema, table) || same_name (quoted, table))
    return TRUE;
  for (guint i = 0; candidate->partitions != NULL && candidate->partitions[i] != NULL; i++) {
    if (same_name (candidate->partitions[i], partition) || same_name (candidate->partitions[i], table))
      return TRUE;
  }
  return FALSE;
}

/**
 * plumb_candidates_find:
 * @database: a source
 * @table: a table's name, with its schema or without, in any case
 *
 * A family of partitions is one candidate, and counts as each of them.
 *
 * Returns: its place among the candidates from 0, -1 where it is not among them
 */
int
plumb_candidates_find (PlumbCandidates *self, const char *database, const char *table)
{
  for (guint i = 0; i < self->candidates->len; i++) {
    const PlumbCandidate *candidate = g_ptr_array_index (self->candidates, i);

    if (strcmp (candidate->card->database, database) == 0 && stands_for (candidate, table))
      return i;
  }
  return -1;
}

/** plumb_candidates_write_json: writes the document of `plumbline-cli search` (DESIGN section 11) */
void
plumb_candidates_write_json (PlumbCandidates *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "candidates");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->candidates->len; i++)
    write_candidate (g_ptr_array_index (self->candidates, i), writer);
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "no_permission");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->no_permission->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (self->no_permission, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "searched");
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "databases");
  plumb_json_writer_int (writer, self->searched);
  plumb_json_writer_name (writer, "of");
  plumb_json_writer_int (writer, self->of);
  plumb_json_writer_end_object (writer);
  plumb_json_writer_name (writer, "lists");
  plumb_json_writer_strv (writer, (const char *const *) self->lists);
  if (self->embedding_model != NULL) {
    plumb_json_writer_name (writer, "embedding_model");
    plumb_json_writer_string (writer, self->embedding_model);
  }
  plumb_json_writer_name (writer, "reranked");
  plumb_json_writer_boolean (writer, self->reranked);
  if (self->warning != NULL) {
    plumb_json_writer_name (writer, "warning");
    plumb_json_writer_string (writer, self->warning);
  }
  plumb_json_writer_name (writer, "elapsed_ms");
  plumb_json_writer_double (writer, self->elapsed_us / 1000.0);
  plumb_json_writer_end_object (writer);
}
