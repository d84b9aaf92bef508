/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source.h"

G_BEGIN_DECLS

/**
 * PlumbCatalogSource:
 *
 * A schema without rows, for planning against a database that is out of reach and for evaluation:
 * `catalog:///file.json`, or a folder of such files. `?dialect=` says which SQL to check with where
 * the file doesn't.
 */
#define PLUMB_TYPE_CATALOG_SOURCE (plumb_catalog_source_get_type ())
G_DECLARE_FINAL_TYPE (PlumbCatalogSource, plumb_catalog_source, PLUMB, CATALOG_SOURCE, PlumbSource)

G_END_DECLS
