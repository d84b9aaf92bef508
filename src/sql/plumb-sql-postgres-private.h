/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-sql-postgres.h"

#include <pg_query/pg_query.pb-c.h>

G_BEGIN_DECLS

/* From PostgreSQL's own tree to ours. What isn't named here refuses the statement. */

typedef PgQuery__Node PgNode;

/**
 * SqlConverter:
 * @reason: (nullable): why the statement is refused
 */
typedef struct {
  SqlArena *arena;
  guint depth;
  char *reason;
} SqlConverter;

void        sql_convert_fail   (SqlConverter *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean    sql_convert_enter  (SqlConverter *self);
const char *sql_convert_string (SqlConverter *self, const char *text);
SqlName    *sql_convert_names  (SqlConverter *self, PgNode **nodes, gsize n_nodes, guint *n_names);
SqlQuery   *sql_convert_select (SqlConverter *self, PgQuery__SelectStmt *select);
SqlFrom    *sql_convert_from   (SqlConverter *self, PgNode *node);
SqlExpr    *sql_convert_expr   (SqlConverter *self, PgNode *node);
SqlExpr    *sql_convert_type   (SqlConverter *self, PgQuery__TypeName *type, SqlExpr *value);
void        sql_convert_window (SqlConverter *self, PgQuery__WindowDef *window, SqlList *list);
void        sql_convert_list   (SqlConverter *self, PgNode **nodes, gsize n_nodes, SqlList *list);
void        sql_convert_texts  (SqlConverter *self, PgNode **nodes, gsize n_nodes, SqlList *list);

G_END_DECLS
