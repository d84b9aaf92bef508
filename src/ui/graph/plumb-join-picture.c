/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-picture.h"

/* Neighbours that are drawn around a single table, and edges in all. */
#define MAX_NEIGHBOURS 8
#define MAX_EDGES 60

static PlumbJoinPicture *
plumb_join_picture_new (void)
{
  PlumbJoinPicture *self = g_new0 (PlumbJoinPicture, 1);

  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_table_name_free);
  self->edges = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  return self;
}

/** plumb_join_picture_free: frees @self */
void
plumb_join_picture_free (PlumbJoinPicture *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->edges);
  g_free (self);
}

/** plumb_join_picture_find: Returns: the place of @table, -1 where it isn't there */
int
plumb_join_picture_find (PlumbJoinPicture *self, const PlumbTableName *table)
{
  for (guint i = 0; i < self->tables->len; i++) {
    if (plumb_table_name_equal (g_ptr_array_index (self->tables, i), table))
      return i;
  }
  return -1;
}

static void
add_table (PlumbJoinPicture *self, const PlumbTableName *table)
{
  if (plumb_join_picture_find (self, table) < 0)
    g_ptr_array_add (self->tables, plumb_table_name_copy (table));
}

/* Names as a model wrote them may be short; the card has the whole name. */
static gboolean
add_asked (PlumbJoinPicture *self, PlumbSession *session, const char *name, GError **error)
{
  g_autoptr (PlumbCard) card = plumb_session_get_card (session, name, error);
  g_autoptr (PlumbTableName) table = NULL;

  if (card == NULL)
    return FALSE;
  table = plumb_table_name_new (card->database, card->schema, card->name);
  add_table (self, table);
  return TRUE;
}

static gboolean
is_shown (const PlumbJoinEdge *edge)
{
  return edge->state != PLUMB_EDGE_REJECTED && edge->trust <= 3;
}

/* The other end of @edge where one end was asked for, or NULL. */
static const PlumbTableName *
other_end (PlumbJoinPicture *self, const PlumbJoinEdge *edge)
{
  int left = plumb_join_picture_find (self, edge->left);
  int right = plumb_join_picture_find (self, edge->right);

  if (left >= 0 && (guint) left < self->n_asked && right < 0)
    return edge->right;
  if (right >= 0 && (guint) right < self->n_asked && left < 0)
    return edge->left;
  return NULL;
}

static void
add_neighbours (PlumbJoinPicture *self, GPtrArray *edges)
{
  for (int trust = 1; trust <= 3; trust++) {
    for (guint i = 0; i < edges->len; i++) {
      const PlumbJoinEdge *edge = g_ptr_array_index (edges, i);
      const PlumbTableName *other = edge->trust == trust && is_shown (edge) ? other_end (self, edge)
                                                                            : NULL;

      if (self->tables->len - self->n_asked >= MAX_NEIGHBOURS)
        return;
      if (other != NULL)
        add_table (self, other);
    }
  }
}

static void
add_edges (PlumbJoinPicture *self, GPtrArray *edges)
{
  for (guint i = 0; i < edges->len && self->edges->len < MAX_EDGES; i++) {
    PlumbJoinEdge *edge = g_ptr_array_index (edges, i);
    int left = plumb_join_picture_find (self, edge->left);
    int right = plumb_join_picture_find (self, edge->right);

    /* Between two neighbours a join says nothing about the tables at hand. */
    if (is_shown (edge) && left >= 0 && right >= 0 &&
        MIN ((guint) left, (guint) right) < self->n_asked)
      g_ptr_array_add (self->edges, plumb_join_edge_ref (edge));
  }
}

static GPtrArray *
list_databases (PlumbJoinPicture *self)
{
  GPtrArray *databases = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->tables->len; i++) {
    const PlumbTableName *table = g_ptr_array_index (self->tables, i);

    if (!g_ptr_array_find_with_equal_func (databases, table->database, g_str_equal, NULL))
      g_ptr_array_add (databases, g_strdup (table->database));
  }
  return databases;
}

/**
 * plumb_join_picture_collect:
 * @session: the session
 * @tables: names of the tables at hand
 * @cancellable: (nullable): ends the collecting
 * @error: return location
 *
 * Blocks. Gathers what a drawing of @tables and their joins needs; a single table comes with its
 * neighbours. Names that no table has are left out.
 *
 * Returns: (transfer full) (nullable): the picture
 */
PlumbJoinPicture *
plumb_join_picture_collect (PlumbSession *session, const char *const *tables,
                            GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbJoinPicture) self = plumb_join_picture_new ();
  g_autoptr (GPtrArray) databases = NULL;

  for (guint i = 0; tables[i] != NULL; i++) {
    g_autoptr (GError) local_error = NULL;

    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return NULL;
    if (!add_asked (self, session, tables[i], &local_error))
      g_debug ("No card of %s: %s", tables[i], local_error->message);
  }
  self->n_asked = self->tables->len;
  databases = list_databases (self);
  for (guint i = 0; i < databases->len; i++) {
    g_autoptr (GPtrArray)
        edges = plumb_session_list_edges (session, g_ptr_array_index (databases, i), error);

    if (edges == NULL)
      return NULL;
    if (self->n_asked == 1)
      add_neighbours (self, edges);
    add_edges (self, edges);
  }
  return g_steal_pointer (&self);
}

/** plumb_join_picture_keys: Returns: (transfer full): the edge's keys, in one line */
char *
plumb_join_picture_keys (const PlumbJoinEdge *edge)
{
  GString *keys = g_string_new (NULL);

  for (guint i = 0; edge->left_columns != NULL && edge->right_columns != NULL &&
                    edge->left_columns[i] != NULL && edge->right_columns[i] != NULL;
       i++) {
    if (i > 0)
      g_string_append (keys, ", ");
    g_string_append (keys, edge->left_columns[i]);
    if (!g_str_equal (edge->left_columns[i], edge->right_columns[i]))
      g_string_append_printf (keys, " = %s", edge->right_columns[i]);
  }
  return g_string_free (keys, FALSE);
}
