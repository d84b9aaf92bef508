/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-error.h"

G_BEGIN_DECLS

/**
 * PlumbAccess:
 *
 * One access role, read from policy.ini (DESIGN section 10). The system-wide file wins over the
 * user's. Immutable and reference counted: a changed file gives a new one.
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
GStrv        plumb_access_list_roles       (const char *system_path, const char *user_path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbAccess, plumb_access_unref)

G_END_DECLS
