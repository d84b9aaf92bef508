/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-join-graph-private.h"

G_BEGIN_DECLS

/**
 * PlumbCheckedJoin:
 * @left: index into the statement's tables
 * @right: likewise
 * @cardinality: read from left to right, unknown where no known join says
 *
 * A join of the statement, after it was held against the graph.
 */
typedef struct {
  int left;
  int right;
  PlumbCardinality cardinality;
} PlumbCheckedJoin;

/* A statement that is being checked, a SELECT at a time. @nodes are the graph's numbers of its
 * tables,
 * @joins those of @select that were checked. */
typedef struct {
  PlumbJoinGraph *graph;
  const char *database;
  PlumbStatement *statement;
  guint *nodes;
  int select;
  GArray *joins;
  GPtrArray *warnings;
} PlumbJoinCheck;

void  plumb_join_check_warn       (PlumbJoinCheck *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
char *plumb_join_check_name_table (PlumbJoinCheck *self, int table);
void  plumb_join_check_keys       (PlumbJoinCheck *self, const PlumbSqlJoin *join);
void  plumb_join_check_aggregates (PlumbJoinCheck *self);

G_END_DECLS
