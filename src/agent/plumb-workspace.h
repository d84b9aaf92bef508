/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-access.h"
#include "plumb-index.h"
#include "plumb-join-graph.h"
#include "plumb-search.h"
#include "plumb-source.h"

G_BEGIN_DECLS

/* Gives the password of a source, %NULL where there is none. */
typedef char *(*PlumbPasswordFunc) (const char *name, gpointer user_data);

/**
 * PlumbWorkspace:
 *
 * What a turn works on: the index, its search, the access role, and the sources with their
 * catalogs, connected when they are first used and kept. Safe from any thread.
 */
#define PLUMB_TYPE_WORKSPACE (plumb_workspace_get_type ())
G_DECLARE_FINAL_TYPE (PlumbWorkspace, plumb_workspace, PLUMB, WORKSPACE, GObject)

PlumbWorkspace *plumb_workspace_new (PlumbIndex *index, PlumbAccess *access,
                                     PlumbPasswordFunc password, gpointer user_data);
void plumb_workspace_set_concurrency (PlumbWorkspace *self, guint at_most);
PlumbIndex *plumb_workspace_get_index (PlumbWorkspace *self);
PlumbSearch *plumb_workspace_get_search (PlumbWorkspace *self);
PlumbAccess *plumb_workspace_get_access (PlumbWorkspace *self);

/* Sources and their catalogs. */
GPtrArray *plumb_workspace_list_databases (PlumbWorkspace *self, GPtrArray **no_permission,
                                           GError **error);
gboolean   plumb_workspace_shows_whole (PlumbWorkspace *self, const char *database);
GPtrArray *plumb_workspace_rank_databases (PlumbWorkspace *self, const char *question,
                                           GPtrArray **no_permission, GError **error);
PlumbSource *plumb_workspace_get_source (PlumbWorkspace *self, const char *database,
                                         GError **error);
PlumbCatalog *plumb_workspace_get_catalog (PlumbWorkspace *self, const char *database,
                                           gboolean read_again, GCancellable *cancellable,
                                           GError **error);
void plumb_workspace_forget (PlumbWorkspace *self, const char *database);
char *plumb_workspace_suggest_database (PlumbWorkspace *self, const char *database);

/* Tables, as the access role shows them. */
PlumbCard *plumb_workspace_find_table (PlumbWorkspace *self, const char *name,
                                       const char *const *scope, GCancellable *cancellable,
                                       GError **error);
gboolean       plumb_workspace_prepare_search (PlumbWorkspace *self, GError **error);
PlumbCandidates *plumb_workspace_search (PlumbWorkspace *self, const char *question,
                                         const char *const *databases, guint limit,
                                         GCancellable *cancellable, GError **error);
GPtrArray *plumb_workspace_list_edges (PlumbWorkspace *self, const char *database, GError **error);
PlumbJoinGraph *plumb_workspace_load_joins (PlumbWorkspace *self, const char *database,
                                            GError **error);
PlumbCard *plumb_workspace_filter_card (PlumbWorkspace *self, PlumbCard *card);
char *plumb_workspace_find_hidden_original (PlumbWorkspace *self, PlumbCard *card);
gboolean plumb_workspace_allows (PlumbWorkspace *self, const char *database, const char *schema,
                                 const char *table);

/* The scope of a turn: databases that it is bound to, all where there are none. */
gboolean plumb_scope_contains (const char *const *scope, const char *database);
gboolean plumb_scope_require (const char *const *scope, const char *database, GError **error);

G_END_DECLS
