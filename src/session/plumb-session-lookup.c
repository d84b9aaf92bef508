/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#define DEFAULT_CANDIDATES 8
#define MAX_CANDIDATES 1000

/**
 * plumb_session_search:
 * @self: a session
 * @question: what to look for
 * @databases: (nullable): search these alone
 * @limit: candidates wanted, 0 for 8
 * @cancellable: (nullable): cancels
 * @error: return location
 *
 * Returns: (transfer full): tables for the question, as the role sees them
 */
PlumbCandidates *
plumb_session_search (PlumbSession *self, const char *question, const char *const *databases,
                      guint limit, GCancellable *cancellable, GError **error)
{
  if (databases != NULL && databases[0] == NULL)
    databases = NULL;
  for (guint i = 0; databases != NULL && databases[i] != NULL; i++) {
    g_autoptr (PlumbSource) source =
        plumb_workspace_get_source (self->workspace, databases[i], error);

    if (source == NULL)
      return NULL;
  }
  return plumb_workspace_search (self->workspace, question, databases,
                                 limit == 0 ? DEFAULT_CANDIDATES : MIN (limit, MAX_CANDIDATES),
                                 cancellable, error);
}

/** plumb_session_get_card: Returns: (transfer full): a table's card, without what the role hides */
PlumbCard *
plumb_session_get_card (PlumbSession *self, const char *table, GError **error)
{
  return plumb_workspace_find_table (self->workspace, table, NULL, NULL, error);
}

/** plumb_session_list_cards: Returns: (transfer full) (element-type PlumbCard): the cards of a
 * database that the role shows and the account may read */
GPtrArray *
plumb_session_list_cards (PlumbSession *self, const char *database, GError **error)
{
  g_autoptr (PlumbSource) source = plumb_workspace_get_source (self->workspace, database, error);
  g_autoptr (GPtrArray) cards =
      source != NULL ? plumb_index_list_cards (self->index, database, error) : NULL;
  g_autoptr (GPtrArray) shown = NULL;

  if (cards == NULL)
    return NULL;
  shown = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  for (guint i = 0; i < cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (cards, i);

    if (card->selectable &&
        plumb_workspace_allows (self->workspace, card->database, card->schema, card->name))
      g_ptr_array_add (shown, plumb_workspace_filter_card (self->workspace, card));
  }
  return g_steal_pointer (&shown);
}

/** plumb_session_list_edges: Returns: (transfer full) (element-type PlumbJoinEdge): join edges of a
 *  database, %NULL for all, that the role shows */
GPtrArray *
plumb_session_list_edges (PlumbSession *self, const char *database, GError **error)
{
  g_autoptr (PlumbSource) source = NULL;

  if (database != NULL) {
    source = plumb_workspace_get_source (self->workspace, database, error);
    if (source == NULL)
      return NULL;
  }
  return plumb_workspace_list_edges (self->workspace, database, error);
}

/* The tables by name, all of one database. */
static GPtrArray *
find_tables (PlumbSession *self, const char *const *names, GError **error)
{
  g_autoptr (GPtrArray) tables =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_table_name_free);

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (PlumbCard) card =
        plumb_workspace_find_table (self->workspace, names[i], NULL, NULL, error);
    const PlumbTableName *first = tables->len > 0 ? g_ptr_array_index (tables, 0) : NULL;

    if (card == NULL)
      return NULL;
    if (first != NULL && !g_str_equal (first->database, card->database)) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "Tables of two databases (%s and %s) can't be joined by one statement.",
                   first->database, card->database);
      return NULL;
    }
    g_ptr_array_add (tables, plumb_table_name_new (card->database, card->schema, card->name));
  }
  if (tables->len >= 2)
    return g_steal_pointer (&tables);
  g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                       "Name two tables or more.");
  return NULL;
}

/**
 * plumb_session_find_path:
 * @self: a session
 * @tables: (array zero-terminated=1): two tables or more of one database
 * @error: return location
 *
 * Returns: (transfer full): the safest way to join them, or the reason why there is none
 */
PlumbJoinPath *
plumb_session_find_path (PlumbSession *self, const char *const *tables, GError **error)
{
  g_autoptr (GPtrArray) names = find_tables (self, tables, error);
  g_autoptr (PlumbJoinGraph) graph = NULL;

  if (names == NULL)
    return NULL;
  graph = plumb_workspace_load_joins (
      self->workspace, ((PlumbTableName *) g_ptr_array_index (names, 0))->database, error);
  return graph != NULL ? plumb_join_graph_find_path (graph, names, error) : NULL;
}
