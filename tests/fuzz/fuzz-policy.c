/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-access.h"

#include <stdint.h>

/* A policy file. Whatever stands in it, a column is allowed only in an allowed table, and a table only
 * in an allowed database. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const roles[] = { NULL, "r", "analyst" };

  for (guint i = 0; i < G_N_ELEMENTS (roles); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbAccess) access =
        plumb_access_load_from_data (roles[i], (const char *) data, size, &error);
    gboolean database, table, column, all;

    g_assert_true ((access != NULL) == (error == NULL));
    if (access == NULL)
      continue;
    database = plumb_access_allows_database (access, "sales");
    table = plumb_access_allows_table (access, "sales", "main", "ORD");
    column = plumb_access_allows_column (access, "sales", "main", "ORD", "ID");
    all = plumb_access_allows_column (access, "sales", "main", "ORD", "*");
    g_assert_true (database || !table);
    g_assert_true (table || !column);
    g_assert_true (column || !all);
    g_assert_true (!all || !plumb_access_hides_columns (access, "sales", "main", "ORD"));
  }
  return 0;
}
