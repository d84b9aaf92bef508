/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index.h"

G_BEGIN_DECLS

/* A temporary folder with an index in it that holds the source "sales". */
typedef struct {
  char *folder;
  char *path;
  PlumbIndex *index;
} IndexFixture;

void          index_fixture_set_up    (IndexFixture *fixture, gconstpointer data);
void          index_fixture_tear_down (IndexFixture *fixture, gconstpointer data);
void          index_fixture_reopen    (IndexFixture *fixture);
void          add_source              (PlumbIndex *index, const char *name);
PlumbCard    *make_card               (const char *database, const char *schema, const char *table);
void          put_card                (PlumbIndex *index, const char *database, const char *schema, const char *table);
GHashTable   *make_set                (const char *first, ...) G_GNUC_NULL_TERMINATED;
PlumbJoinEdge *make_edge              (const char *left, const char *left_column, const char *right,
                                       const char *right_column, const char *basis, int trust);

G_END_DECLS
