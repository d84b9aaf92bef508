/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-shown.h"

#include "plumb-index-private.h"
#include "plumb-table-name.h"
#include "plumb-text.h"

#include <string.h>

struct _PlumbSearchShown {
  GMutex lock;
  PlumbSearchRequest request;   /* who it is for: its three functions and data alone */
  PlumbSearchState state;
  PlumbSearchEngine *engine;
  GHashTable *hidden;           /* names that aren't shown, see make_key() */
  gboolean names_some;
};

/** plumb_search_shown_new: Returns: (transfer full): nobody's view yet */
PlumbSearchShown *
plumb_search_shown_new (void)
{
  PlumbSearchShown *self = g_new0 (PlumbSearchShown, 1);

  g_mutex_init (&self->lock);
  return self;
}

static void
clear (PlumbSearchShown *self)
{
  g_clear_pointer (&self->engine, plumb_search_engine_unref);
  g_clear_pointer (&self->hidden, g_hash_table_unref);
}

/** plumb_search_shown_free: frees @self */
void
plumb_search_shown_free (PlumbSearchShown *self)
{
  if (self == NULL)
    return;
  clear (self);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static char *
make_key (const char *database, const char *schema, const char *table)
{
  g_autofree char *schema_folded = plumb_text_fold (schema);
  g_autofree char *table_folded = plumb_text_fold (table);

  return g_strjoin ("\n", database, schema_folded, table_folded, NULL);
}

static void
hide (PlumbSearchShown *self, const PlumbCard *card)
{
  g_hash_table_add (self->hidden, make_key (card->database, card->schema, card->name));
  g_hash_table_add (self->hidden, make_key (card->database, "", card->name));
}

/* @schema is "" where it isn't known, which is taken for the strictest. */
static gboolean
is_hidden (const PlumbSearchShown *self, const char *database, const char *schema, const char *table)
{
  g_autofree char *key = make_key (database, schema, table);

  return g_hash_table_contains (self->hidden, key);
}

/* What may be seen of @card; %NULL for nothing. */
static PlumbCard *
show (PlumbSearchShown *self, PlumbCard *card)
{
  const PlumbSearchRequest *request = &self->request;
  PlumbVisibility visibility = request->visibility != NULL
                                   ? request->visibility (card->database, card->schema, card->name, request->visibility_data)
                                   : PLUMB_VISIBLE;

  self->names_some = self->names_some || visibility == PLUMB_VISIBLE_BY_NAME;
  if (visibility != PLUMB_VISIBLE)
    return NULL;
  return request->show != NULL ? request->show (card, request->visibility_data) : plumb_card_ref (card);
}

/* The name of a hidden table in a key is a word on the table that refers to it. */
static void
drop_keys (const PlumbSearchShown *self, PlumbCard *card)
{
  for (guint i = card->foreign_keys->len; i > 0; i--) {
    const PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, i - 1);

    if (is_hidden (self, card->database, key->ref_schema != NULL ? key->ref_schema : card->schema, key->ref_table))
      g_ptr_array_remove_index (card->foreign_keys, i - 1);
  }
}

/* The cards as they are seen. Those of @cards are nobody else's yet. */
static GPtrArray *
filter_cards (PlumbSearchShown *self, GPtrArray *cards)
{
  GPtrArray *shown = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);

  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->names_some = FALSE;
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = show (self, g_ptr_array_index (cards, i));

    if (card != NULL)
      g_ptr_array_add (shown, card);
    else
      hide (self, g_ptr_array_index (cards, i));
  }
  for (guint i = 0; i < shown->len; i++)
    drop_keys (self, g_ptr_array_index (shown, i));
  return shown;
}

static gboolean
needs_hidden (const PlumbSearchShown *self, const PlumbApproved *answered)
{
  for (guint i = 0; answered->tables != NULL && answered->tables[i] != NULL; i++) {
    const char *name = answered->tables[i];
    const char *dot = strrchr (name, '.');
    g_autoptr (PlumbTableName) parsed = plumb_table_name_parse (name, NULL);

    if (is_hidden (self, answered->database, "", name) || (dot != NULL && is_hidden (self, answered->database, "", dot + 1)) ||
        (parsed != NULL && is_hidden (self, answered->database, parsed->schema != NULL ? parsed->schema : "", parsed->table)))
      return TRUE;
  }
  return FALSE;
}

/* An earlier question that was answered from a hidden table isn't shown, and says nothing of the others. */
static void
filter_answered (const PlumbSearchShown *self, GPtrArray *answered)
{
  for (guint i = answered->len; i > 0; i--) {
    if (needs_hidden (self, g_ptr_array_index (answered, i - 1)))
      g_ptr_array_remove_index (answered, i - 1);
  }
}

static gboolean
make_engine (PlumbSearchShown *self, PlumbIndex *index, PlumbSearchState *state, GPtrArray *notes, GPtrArray *answered,
             GPtrArray *edges, GError **error)
{
  PlumbSearchState now;
  g_autoptr (GPtrArray) cards = plumb_index_list_present_cards (index, &now, error);
  g_autoptr (GPtrArray) shown = NULL;
  g_autoptr (PlumbImage) image = NULL;

  if (cards == NULL)
    return FALSE;
  state->cards = now.cards;
  clear (self);
  shown = filter_cards (self, cards);
  filter_answered (self, answered);
  image = plumb_search_engine_build (shown, NULL);
  self->engine = plumb_search_engine_open (image, notes, answered, edges);
  return TRUE;
}

static gboolean
is_for (const PlumbSearchShown *self, const PlumbSearchRequest *request)
{
  return self->engine != NULL && self->request.visibility == request->visibility && self->request.show == request->show &&
         self->request.visibility_data == request->visibility_data;
}

static gboolean
bring_up_to_date (PlumbSearchShown *self, PlumbIndex *index, const PlumbSearchRequest *request, PlumbSearchState state,
                  GError **error)
{
  gboolean same_cards = is_for (self, request) && self->state.cards == state.cards;
  g_autoptr (GPtrArray) notes = plumb_index_list_notes (index, NULL, NULL, NULL, FALSE, error);
  g_autoptr (GPtrArray) answered = notes != NULL ? plumb_index_list_answered (index, error) : NULL;
  g_autoptr (GPtrArray) edges = answered != NULL ? plumb_index_list_edges (index, NULL, error) : NULL;

  if (edges == NULL)
    return FALSE;
  if (same_cards) {
    PlumbSearchEngine *engine;

    filter_answered (self, answered);
    engine = plumb_search_engine_new_with_notes (self->engine, notes, answered, edges);
    plumb_search_engine_unref (self->engine);
    self->engine = engine;
  } else {
    self->request = (PlumbSearchRequest) { .visibility = request->visibility,
                                           .show = request->show,
                                           .visibility_data = request->visibility_data };
    if (!make_engine (self, index, &state, notes, answered, edges, error))
      return FALSE;
  }
  self->state = state;
  return TRUE;
}

/**
 * plumb_search_shown_get:
 * @index: the index
 * @request: who asks: its functions and data, which are taken to say the same as long as they are the same
 * @state: what @index holds now
 * @names_some: (out): whether there are tables that may be seen by name alone
 *
 * What a person may not see must not tell on what they may: not by the rarity of a word, a key that leads over it, a
 * note, an earlier question or a count. So there is an index of words over what they see alone. It is kept in memory
 * for the one who asked last.
 *
 * Returns: (transfer full): the engine over what @request shows; %NULL with an error
 */
PlumbSearchEngine *
plumb_search_shown_get (PlumbSearchShown *self, PlumbIndex *index, const PlumbSearchRequest *request,
                        const PlumbSearchState *state, gboolean *names_some, GError **error)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->lock);

  if ((!is_for (self, request) || self->state.generation != state->generation || self->state.cards != state->cards) &&
      !bring_up_to_date (self, index, request, *state, error))
    return NULL;
  *names_some = self->names_some;
  return plumb_search_engine_ref (self->engine);
}
