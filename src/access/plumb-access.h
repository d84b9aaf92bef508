/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-table-name.h"

G_BEGIN_DECLS

/**
 * PlumbAccess:
 *
 * One access role, read from policy.ini (DESIGN section 10). Immutable and reference counted: a
 * changed file gives a new one.
 *
 * A policy is a key file. `[role NAME]` holds `allow=` (required; empty for nothing) and `deny=`,
 * lists of patterns with semicolons between them. `[policy]` may hold `default-role=`. Anything
 * else in it is an error, and a file that can't be read gives an error, never access.
 *
 * A pattern is `database.schema.table.column`. In each part `*` stands for any text and `?` for one
 * character; a part in double quotes is taken as it is. Case doesn't matter. Shortened:
 *
 * - three parts are `database.schema.table`, with all columns;
 * - two parts are `database.schema` or `database.table`, and in `deny=` `schema.table` besides;
 * - one part is a database, and in `deny=` a table anywhere besides.
 *
 * A column is therefore written with all four parts. What is denied stays denied whatever is
 * allowed, and what is not allowed is denied.
 *
 * The system-wide file wins over the user's: a role that both define is the system's; without a
 * choice the system's default role is taken. Where there is a system-wide file, a role of the
 * user's file gives at most what the system's default role gives, and where that has none it gives
 * an error. Access is unrestricted only where there is no policy at all, or where the user's file
 * is the only one and neither it nor the caller names a role.
 */
typedef struct _PlumbAccess PlumbAccess;

PlumbAccess *plumb_access_new_unrestricted (void);
PlumbAccess *plumb_access_load             (const char *role, const char *system_path, const char *user_path, GError **error);
PlumbAccess *plumb_access_load_from_data   (const char *role, const char *data, gssize length, GError **error);
PlumbAccess *plumb_access_ref              (PlumbAccess *self);
void         plumb_access_unref            (PlumbAccess *self);
const char  *plumb_access_get_role         (PlumbAccess *self);
gboolean     plumb_access_allows_database  (PlumbAccess *self, const char *database);
gboolean     plumb_access_allows_table     (PlumbAccess *self, const char *database, const char *schema, const char *table);
gboolean     plumb_access_allows_column    (PlumbAccess *self, const char *database, const char *schema, const char *table, const char *column);
gboolean     plumb_access_hides_columns    (PlumbAccess *self, const char *database, const char *schema, const char *table);
gboolean plumb_access_denies_original (PlumbAccess *self, const PlumbTableName *copy,
                                       const char *schema, const char *table);
GStrv        plumb_access_list_roles       (const char *system_path, const char *user_path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbAccess, plumb_access_unref)

G_END_DECLS
