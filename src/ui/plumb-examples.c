/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-examples.h"

#include <glib/gi18n-lib.h>

#define MAX_EXAMPLES 4

static const char *const demo_questions[] = {
  N_("How many orders have been unprocessed for more than 30 days?"),
  N_("Which 5 customers have the highest total order amount?"),
  N_("How many customers are there per country?"),
  N_("What is the order amount per month in 2026?"),
};

static gboolean
add_example (GPtrArray *examples, const char *question)
{
  if (examples->len >= MAX_EXAMPLES)
    return FALSE;
  if (!g_ptr_array_find_with_equal_func (examples, question, g_str_equal, NULL))
    g_ptr_array_add (examples, g_strdup (question));
  return TRUE;
}

/* Questions that a person marked as answered right are the best examples there can be. */
static void
add_approved (GPtrArray *examples, PlumbSession *session)
{
  g_autoptr (GPtrArray) approved = plumb_session_list_approved (session, NULL);

  for (guint i = 0; approved != NULL && i < approved->len; i++) {
    const PlumbApproved *question = g_ptr_array_index (approved, i);

    if (!add_example (examples, question->question))
      return;
  }
}

/* The built-in planner reads English alone; a model is asked in the user's language. */
static gboolean
is_asked_in_english (PlumbSession *session)
{
  g_autoptr (PlumbModelSettings) model = plumb_session_get_model (session);

  return model->is_planner;
}

static const char *G_GNUC_FORMAT (1)
word_question (const char *question, gboolean in_english)
{
  return in_english ? question : _(question);
}

static void
add_from_demo (GPtrArray *examples, gboolean in_english)
{
  for (guint i = 0; i < G_N_ELEMENTS (demo_questions); i++)
    add_example (examples, word_question (demo_questions[i], in_english));
}

/* A plain question about a table that is worth asking about: live, analysed, with rows. */
static void
add_from_cards (GPtrArray *examples, PlumbSession *session, const char *database,
                gboolean in_english)
{
  g_autoptr (GPtrArray) cards = plumb_session_list_cards (session, database, NULL);

  for (guint i = 0; cards != NULL && i < cards->len; i++) {
    const PlumbCard *card = g_ptr_array_index (cards, i);
    const char *name = card->label != NULL ? card->label : card->name;
    g_autofree char *question = NULL;

    if (card->status != PLUMB_STATUS_LIVE || card->analyzed_at == 0 || card->row_estimate == 0 ||
        (card->role != PLUMB_ROLE_FACT && card->role != PLUMB_ROLE_DIMENSION))
      continue;
    question = g_strdup_printf (
        word_question (N_("How many rows are there in %s?"), in_english), name);
    if (!add_example (examples, question))
      return;
  }
}

/**
 * plumb_examples_collect:
 * @session: the session
 * @cancellable: (nullable): ends the collecting
 * @error: return location
 *
 * Blocks. Finds questions that can be offered to someone who has not asked anything yet: approved
 * ones, those of the demo where it is installed, and plain ones about the tables at hand.
 *
 * Returns: (transfer full) (nullable): a few questions, possibly none
 */
GStrv
plumb_examples_collect (PlumbSession *session, GCancellable *cancellable, GError **error)
{
  GPtrArray *examples = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) sources = NULL;
  gboolean in_english = is_asked_in_english (session);

  add_approved (examples, session);
  if (plumb_session_has_demo (session))
    add_from_demo (examples, in_english);
  if (examples->len < MAX_EXAMPLES)
    sources = plumb_session_list_sources (session, NULL);
  for (guint i = 0;
       sources != NULL && i < sources->len && !g_cancellable_is_cancelled (cancellable); i++) {
    const PlumbSourceRecord *source = g_ptr_array_index (sources, i);

    add_from_cards (examples, session, source->name, in_english);
  }
  g_ptr_array_add (examples, NULL);
  return (GStrv) g_ptr_array_free (examples, FALSE);
}
