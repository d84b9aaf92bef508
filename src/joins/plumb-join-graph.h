/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index.h"
#include "plumb-statement.h"

G_BEGIN_DECLS

/**
 * PlumbJoinGraph:
 *
 * The join edges of the index as a graph, DESIGN section 6. A snapshot: made for one question.
 */
typedef struct _PlumbJoinGraph PlumbJoinGraph;

PlumbJoinGraph *plumb_join_graph_load      (PlumbIndex *index, const char *database, GError **error);
PlumbJoinGraph *plumb_join_graph_new       (GPtrArray *edges);
gboolean        plumb_join_graph_read_tables (PlumbJoinGraph *self, PlumbIndex *index, const char *database, GError **error);
void            plumb_join_graph_free      (PlumbJoinGraph *self);
void            plumb_join_graph_hide      (PlumbJoinGraph *self, const PlumbTableName *table);
PlumbJoinPath  *plumb_join_graph_find_path (PlumbJoinGraph *self, GPtrArray *tables, GError **error);
GPtrArray      *plumb_join_graph_list_edges (PlumbJoinGraph *self, const PlumbTableName *table);
GPtrArray      *plumb_join_graph_check     (PlumbJoinGraph *self, const char *database, PlumbStatement *statement);
char           *plumb_join_step_describe   (const PlumbJoinStep *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbJoinGraph, plumb_join_graph_free)

G_END_DECLS
