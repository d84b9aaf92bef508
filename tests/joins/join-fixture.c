/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "join-fixture.h"

#include <stdlib.h>

static PlumbJoinEdge *
parse_edge (const char *text, gint64 id)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_auto (GStrv) sides = g_strsplit (words[0], "=", -1);
  g_auto (GStrv) left_parts = g_strsplit (sides[0], ".", -1);
  g_auto (GStrv) right_parts = g_strsplit (sides[1], ".", -1);
  g_autoptr (PlumbTableName) left = plumb_table_name_new ("d", "m", left_parts[0]);
  g_autoptr (PlumbTableName) right = plumb_table_name_new ("d", "m", right_parts[0]);
  PlumbJoinEdge *edge = plumb_join_edge_new (left, right);

  edge->id = id;
  edge->left_columns = g_strsplit (left_parts[1], ",", -1);
  edge->right_columns = g_strsplit (right_parts[1], ",", -1);
  edge->cardinality = plumb_cardinality_from_string (words[1]);
  edge->trust = atoi (words[2]);
  edge->basis = g_strdup (words[3]);
  return edge;
}

GPtrArray *
make_edges (const char *first, ...)
{
  GPtrArray *edges = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  va_list texts;

  va_start (texts, first);
  for (const char *text = first; text != NULL; text = va_arg (texts, const char *))
    g_ptr_array_add (edges, parse_edge (text, edges->len + 1));
  va_end (texts);
  return edges;
}
