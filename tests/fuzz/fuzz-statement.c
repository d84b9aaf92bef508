/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdint.h>

#include "plumb-statement.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* A catalog with little in it, so that names are found as well as missed. */
static PlumbCatalog *
make_catalog (void)
{
  PlumbCatalog *catalog = plumb_catalog_new ("fuzz");
  static const char *const names[] = { "a", "members", "loans", "T" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    PlumbTable *table = plumb_table_new (i == 0 ? "main" : "lib", names[i]);

    g_ptr_array_add (table->columns, plumb_column_new ("id", "integer"));
    g_ptr_array_add (table->columns, plumb_column_new ("name", "text"));
    g_ptr_array_add (table->columns, plumb_column_new ("attrs.key", "text"));
    if (i == 3)
      table->kind = PLUMB_TABLE_KIND_VIEW;
    plumb_catalog_add_table (catalog, table);
  }
  return catalog;
}

static char *
get_view_definition (const char *schema, const char *name, gpointer user_data)
{
  return g_strdup ("CREATE VIEW T AS SELECT id FROM members");
}

/* The first byte chooses the dialect and the context, the others are the statement. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (PlumbStatement) statement = NULL;
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autofree char *json = NULL;
  static PlumbCatalog *catalog;
  PlumbCheckContext context = { .default_schema = "lib",
                                .get_view_definition = get_view_definition };

  if (size == 0)
    return 0;
  if (catalog == NULL)
    catalog = make_catalog ();
  context.catalog = (data[0] & 0x20) != 0 ? catalog : NULL;
  context.ansi_quotes = (data[0] & 0x40) != 0;
  context.no_backslash_escapes = (data[0] & 0x80) != 0;
  statement = plumb_statement_check ((data[0] & 0x1f) % (PLUMB_DIALECT_GENERIC + 1),
                                     (const char *) data + 1, size - 1,
                                     (data[0] & 0x10) != 0 ? NULL : &context);
  if (statement->allowed != (statement->reason == NULL))
    g_abort ();
  plumb_json_writer_begin_object (writer);
  plumb_statement_write_json (statement, writer);
  plumb_json_writer_end_object (writer);
  json = plumb_json_writer_finish (writer);
  return 0;
}
