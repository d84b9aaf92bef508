/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

G_BEGIN_DECLS

/**
 * PlumbJoinPicture:
 * @tables: (element-type PlumbTableName): the tables to draw, those that were asked for first
 * @n_asked: how many of them were asked for; the others are their neighbours
 * @edges: (element-type PlumbJoinEdge): the joins between them
 */
typedef struct {
  GPtrArray *tables;
  guint n_asked;
  GPtrArray *edges;
} PlumbJoinPicture;

PlumbJoinPicture *plumb_join_picture_collect (PlumbSession *session, const char *const *tables,
                                              GCancellable *cancellable, GError **error);
void              plumb_join_picture_free    (PlumbJoinPicture *self);
int               plumb_join_picture_find    (PlumbJoinPicture *self, const PlumbTableName *table);
char             *plumb_join_picture_keys    (const PlumbJoinEdge *edge);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbJoinPicture, plumb_join_picture_free)

G_END_DECLS
