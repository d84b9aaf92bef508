/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-records.h"

/** plumb_source_record_new: Returns: (transfer full): a source that was never analysed */
PlumbSourceRecord *
plumb_source_record_new (const char *name, const char *uri)
{
  PlumbSourceRecord *self = g_new0 (PlumbSourceRecord, 1);

  self->name = g_strdup (name);
  self->uri = g_strdup (uri);
  self->added_at = g_get_real_time () / G_USEC_PER_SEC;
  return self;
}

/** plumb_source_record_free: frees @self */
void
plumb_source_record_free (PlumbSourceRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->uri);
  g_free (self->engine);
  g_free (self->version);
  g_free (self->summary);
  g_free (self);
}

/** plumb_approved_new: Returns: (transfer full): a question answered right, not stored yet */
PlumbApproved *
plumb_approved_new (const char *question, const char *database, const char *sql)
{
  PlumbApproved *self = g_new0 (PlumbApproved, 1);

  self->question = g_strdup (question);
  self->database = g_strdup (database);
  self->sql = g_strdup (sql);
  self->author = g_strdup (g_get_user_name ());
  self->at = g_get_real_time () / G_USEC_PER_SEC;
  return self;
}

/** plumb_approved_free: frees @self */
void
plumb_approved_free (PlumbApproved *self)
{
  if (self == NULL)
    return;
  g_free (self->domain);
  g_free (self->question);
  g_free (self->database);
  g_free (self->sql);
  g_strfreev (self->tables);
  g_free (self->author);
  g_free (self);
}

/** plumb_known_question_new: Returns: (transfer full): a question with its tables, not stored yet */
PlumbKnownQuestion *
plumb_known_question_new (const char *database, const char *question, const char *const *tables)
{
  PlumbKnownQuestion *self = g_new0 (PlumbKnownQuestion, 1);

  self->database = g_strdup (database);
  self->question = g_strdup (question);
  self->tables = g_strdupv ((char **) tables);
  self->author = g_strdup (g_get_user_name ());
  self->at = g_get_real_time () / G_USEC_PER_SEC;
  self->places = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

/** plumb_known_question_free: frees @self */
void
plumb_known_question_free (PlumbKnownQuestion *self)
{
  if (self == NULL)
    return;
  g_free (self->database);
  g_free (self->question);
  g_strfreev (self->tables);
  g_free (self->author);
  g_array_unref (self->places);
  g_free (self);
}

/** plumb_known_question_is_complete: Returns: whether search was run on it and found all its tables
 *  among the first PLUMB_KNOWN_QUESTION_PLACES */
gboolean
plumb_known_question_is_complete (const PlumbKnownQuestion *self)
{
  for (guint i = 0; i < self->places->len; i++) {
    guint place = g_array_index (self->places, guint, i);

    if (place == 0 || place > PLUMB_KNOWN_QUESTION_PLACES)
      return FALSE;
  }
  return self->places->len > 0;
}

/** plumb_account_probe_new: Returns: (transfer full): a probe that found nothing yet */
PlumbAccountProbe *
plumb_account_probe_new (void)
{
  PlumbAccountProbe *self = g_new0 (PlumbAccountProbe, 1);

  self->superuser_rights = g_ptr_array_new_with_free_func (g_free);
  self->write_rights = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/** plumb_account_probe_free: frees @self */
void
plumb_account_probe_free (PlumbAccountProbe *self)
{
  if (self == NULL)
    return;
  g_free (self->engine);
  g_free (self->version);
  g_free (self->account);
  g_ptr_array_unref (self->superuser_rights);
  g_ptr_array_unref (self->write_rights);
  g_free (self->read_only_detail);
  g_free (self->time_zone);
  g_free (self->encoding);
  g_free (self);
}

/** plumb_analysis_report_new: Returns: (transfer full): a report of nothing */
PlumbAnalysisReport *
plumb_analysis_report_new (void)
{
  PlumbAnalysisReport *self = g_new0 (PlumbAnalysisReport, 1);

  self->failures = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/** plumb_analysis_report_free: frees @self */
void
plumb_analysis_report_free (PlumbAnalysisReport *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->failures);
  g_free (self);
}

/** plumb_embedding_progress_new: Returns: (transfer full): nothing embedded yet */
PlumbEmbeddingProgress *
plumb_embedding_progress_new (void)
{
  PlumbEmbeddingProgress *self = g_new0 (PlumbEmbeddingProgress, 1);

  self->failures = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/** plumb_embedding_progress_free: frees @self */
void
plumb_embedding_progress_free (PlumbEmbeddingProgress *self)
{
  if (self == NULL)
    return;
  g_free (self->model);
  g_free (self->serving_model);
  g_ptr_array_unref (self->failures);
  g_free (self);
}
