/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-catalog.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PlumbCatalogFile:
 * @database: the name that the file gives its database
 * @dialect: (nullable): the SQL that it says the database speaks
 * @tables: (element-type PlumbTable): its tables; who takes them clears the list
 */
typedef struct {
  char *database;
  char *dialect;
  GPtrArray *tables;
} PlumbCatalogFile;

PlumbCatalogFile *plumb_catalog_file_read (const char *path, GError **error);
void plumb_catalog_file_free (PlumbCatalogFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbCatalogFile, plumb_catalog_file_free)

G_END_DECLS
