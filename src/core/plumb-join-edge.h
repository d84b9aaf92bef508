/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-json.h"
#include "plumb-table-name.h"

G_BEGIN_DECLS

typedef enum {
  PLUMB_CARDINALITY_UNKNOWN,
  PLUMB_CARDINALITY_ONE_TO_ONE,
  PLUMB_CARDINALITY_MANY_TO_ONE,
  PLUMB_CARDINALITY_ONE_TO_MANY,
  PLUMB_CARDINALITY_MANY_TO_MANY,
} PlumbCardinality;

typedef enum {
  PLUMB_EDGE_ACTIVE,
  PLUMB_EDGE_STALE,
  PLUMB_EDGE_REJECTED,
} PlumbEdgeState;

/**
 * PlumbJoinEdge:
 * @id: number in the index, 0 before it is stored
 * @name: (nullable): tells several edges between two tables apart
 * @left: one table
 * @right: the other; can be the same table
 * @left_columns: key columns of @left
 * @right_columns: key columns of @right, in the same order
 * @cardinality: read from left to right
 * @trust: 1 confirmed, 2 validated on data, 3 unconfirmed, 4 weak, 5 guess (DESIGN section 6)
 * @basis: "declared", "person", "verified", "names", "meaning", "model"
 * @temporal_rule: (nullable): condition on validity dates that the join needs
 * @evidence: (nullable): what was seen, with its date
 * @state: active, stale or rejected
 * @usage: successful queries that joined this way
 *
 * A known way to join two tables. Reference counted.
 */
typedef struct {
  gint64 id;
  char *name;
  PlumbTableName *left;
  PlumbTableName *right;
  GStrv left_columns;
  GStrv right_columns;
  PlumbCardinality cardinality;
  int trust;
  char *basis;
  char *temporal_rule;
  char *evidence;
  PlumbEdgeState state;
  gint64 usage;
} PlumbJoinEdge;

/**
 * PlumbJoinStep:
 * @edge: the edge taken
 * @reversed: whether it is taken from its right side to its left
 * @warning: (nullable): fan-out, trust, staleness, in words
 */
typedef struct {
  PlumbJoinEdge *edge;
  gboolean reversed;
  char *warning;
} PlumbJoinStep;

/**
 * PlumbJoinPath:
 * @steps: (element-type PlumbJoinStep): in the order of joining
 * @alternatives: (element-type PlumbJoinEdge): other edges between tables of the path
 * @penalty: the least total penalty
 * @reason: (nullable): why there is no path, where there is none
 */
typedef struct {
  GPtrArray *steps;
  GPtrArray *alternatives;
  double penalty;
  char *reason;
} PlumbJoinPath;

PlumbJoinEdge   *plumb_join_edge_new           (const PlumbTableName *left, const PlumbTableName *right);
PlumbJoinEdge   *plumb_join_edge_ref           (PlumbJoinEdge *self);
void             plumb_join_edge_unref         (PlumbJoinEdge *self);
PlumbJoinStep   *plumb_join_step_new           (PlumbJoinEdge *edge, gboolean reversed);
PlumbJoinPath   *plumb_join_path_new           (void);
void             plumb_join_path_free          (PlumbJoinPath *self);
void             plumb_join_edge_write_json    (PlumbJoinEdge *self, PlumbJsonWriter *writer);
void             plumb_join_path_write_json    (PlumbJoinPath *self, PlumbJsonWriter *writer);
const char      *plumb_cardinality_to_string   (PlumbCardinality cardinality);
PlumbCardinality plumb_cardinality_from_string (const char *text);
PlumbCardinality plumb_cardinality_reverse     (PlumbCardinality cardinality);
const char      *plumb_edge_state_to_string    (PlumbEdgeState state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbJoinEdge, plumb_join_edge_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbJoinPath, plumb_join_path_free)

G_END_DECLS
