/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-join-graph.h"

G_BEGIN_DECLS

/* What the files of this folder share: the graph with its tables as numbers. */

#define PLUMB_NO_NODE G_MAXUINT

/* What it costs a path to multiply rows on both sides: as much as two joins that nobody has
 * confirmed, since a sum over it is wrong however well its keys are known. */
#define PLUMB_MULTIPLY_PENALTY 6

/**
 * PlumbGraphNode:
 * @name: the table
 * @hidden: never used: outside the access role, gone, or not to be selected
 * @no_way: a copy or a code table, which can stand at the end of a path and not in its middle
 */
typedef struct {
  PlumbTableName *name;
  gboolean hidden;
  gboolean no_way;
} PlumbGraphNode;

typedef struct {
  PlumbJoinEdge *edge;
  guint left;
  guint right;
} PlumbGraphEdge;

struct _PlumbJoinGraph {
  GArray *nodes;
  GArray *edges;
  GHashTable *by_name;
};

PlumbGraphNode *plumb_join_graph_get_node   (PlumbJoinGraph *self, guint node);
guint           plumb_join_graph_find_node  (PlumbJoinGraph *self, const char *database, const char *schema,
                                             const char *table);
guint           plumb_join_graph_add_node   (PlumbJoinGraph *self, const PlumbTableName *name);
gboolean        plumb_join_graph_is_offered (PlumbJoinGraph *self, const PlumbGraphEdge *edge);
double          plumb_join_edge_get_penalty (PlumbJoinEdge *edge);
PlumbCardinality plumb_join_step_get_cardinality (const PlumbJoinStep *step);
char           *plumb_join_edge_format_keys (PlumbJoinEdge *edge, gboolean reversed);
char           *plumb_join_step_warn        (const PlumbJoinStep *step, guint n_rivals, gboolean passes);

G_END_DECLS
