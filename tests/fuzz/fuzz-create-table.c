/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "sqlite/plumb-sqlite-private.h"

#include <stdint.h>
#include <string.h>

/* The text of CREATE TABLE, read for its comments. What is found is text that stands in it. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_comment (const char *comment, gsize size)
{
  /* A byte that isn't UTF-8 becomes the three of the replacement character. */
  if (comment != NULL)
    g_assert_true (*comment != '\0' && strlen (comment) <= 3 * size &&
                   g_utf8_validate (comment, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (PlumbCatalog) catalog = plumb_catalog_new ("shop");
  PlumbTable *table = plumb_table_new ("main", "t");

  plumb_catalog_add_table (catalog, table);
  g_ptr_array_add (table->columns, plumb_column_new ("a", "INT"));
  g_ptr_array_add (table->columns, plumb_column_new ("b c", "TEXT"));
  plumb_sqlite_read_comments (text, table);
  check_comment (table->comment, size);
  for (guint i = 0; i < table->columns->len; i++) {
    const PlumbColumn *column = g_ptr_array_index (table->columns, i);

    check_comment (column->comment, size);
  }
  return 0;
}
