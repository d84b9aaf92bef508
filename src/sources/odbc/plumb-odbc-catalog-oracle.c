/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

#include <string.h>

/* Oracle and Tibero, from the views of the data dictionary that both have, with the columns that
 * both have (Oracle Database Reference, “Static Data Dictionary Views”; Tibero Reference Guide). A
 * statement for all tables each, not one a table. */

/* Schemas that come with the servers. */
#define OF_USERS(owner) \
  owner " NOT IN ('SYS', 'SYSTEM', 'SYSGIS', 'SYSCAT', 'TIBERO_SYS', 'PUBLIC', 'OUTLN', 'XDB', " \
        "'MDSYS', 'CTXSYS', 'ORDSYS', 'ORDDATA', 'ORDPLUGINS', 'WMSYS', 'DBSNMP', 'APPQOSSYS', " \
        "'OLAPSYS', 'LBACSYS', 'DVSYS', 'DVF', 'AUDSYS', 'OJVMSYS', 'EXFSYS', 'SYSMAN', " \
        "'DBSFWUSER', 'GSMADMIN_INTERNAL', 'GSMCATUSER', 'REMOTE_SCHEDULER_AGENT', 'ANONYMOUS', " \
        "'FLOWS_FILES', 'SI_INFORMTN_SCHEMA', 'SPATIAL_CSW_ADMIN_USR', 'DIP', 'XS$NULL') AND " \
  owner " NOT LIKE 'APEX@_%' ESCAPE '@'"

/* Tables that are no tables of anyone: the recycle bin, logs of materialized views, parts of text
 * indexes and of index-organised tables. */
#define NO_INNER_TABLE(name) \
  name " NOT LIKE 'BIN$%' AND " name " NOT LIKE 'MLOG$@_%' ESCAPE '@' AND " \
  name " NOT LIKE 'RUPD$@_%' ESCAPE '@' AND " name " NOT LIKE 'DR$%' AND " \
  name " NOT LIKE 'SYS@_IOT@_OVER@_%' ESCAPE '@'"

static const char tables_question[] =
  "SELECT OWNER, TABLE_NAME, NUM_ROWS, PARTITIONED FROM ALL_TABLES WHERE " OF_USERS ("OWNER")
  " AND " NO_INNER_TABLE ("TABLE_NAME");

static const char views_question[] =
  "SELECT OWNER, VIEW_NAME FROM ALL_VIEWS WHERE " OF_USERS ("OWNER");

static const char materialized_views_question[] =
  "SELECT OWNER, MVIEW_NAME FROM ALL_MVIEWS WHERE " OF_USERS ("OWNER");

static const char external_tables_question[] =
  "SELECT OWNER, TABLE_NAME FROM ALL_EXTERNAL_TABLES WHERE " OF_USERS ("OWNER");

static const char columns_question[] =
  "SELECT OWNER, TABLE_NAME, COLUMN_NAME, DATA_TYPE, DATA_LENGTH, DATA_PRECISION, DATA_SCALE, "
  "NULLABLE FROM ALL_TAB_COLUMNS WHERE " OF_USERS ("OWNER") " ORDER BY OWNER, TABLE_NAME, COLUMN_ID";

static const char comments_question[] =
  "SELECT OWNER, TABLE_NAME, COMMENTS FROM ALL_TAB_COMMENTS WHERE COMMENTS IS NOT NULL AND "
  OF_USERS ("OWNER");

static const char column_comments_question[] =
  "SELECT OWNER, TABLE_NAME, COLUMN_NAME, COMMENTS FROM ALL_COL_COMMENTS WHERE COMMENTS IS NOT NULL "
  "AND " OF_USERS ("OWNER");

/* A constraint that is disabled promises nothing. */
static const char keys_question[] =
  "SELECT c.OWNER, c.TABLE_NAME, c.CONSTRAINT_NAME, c.CONSTRAINT_TYPE, k.COLUMN_NAME "
  "FROM ALL_CONSTRAINTS c JOIN ALL_CONS_COLUMNS k ON k.OWNER = c.OWNER "
  "AND k.CONSTRAINT_NAME = c.CONSTRAINT_NAME AND k.TABLE_NAME = c.TABLE_NAME "
  "WHERE c.CONSTRAINT_TYPE IN ('P', 'U') AND c.STATUS = 'ENABLED' AND " OF_USERS ("c.OWNER")
  " ORDER BY c.OWNER, c.TABLE_NAME, c.CONSTRAINT_NAME, k.POSITION";

static const char foreign_keys_question[] =
  "SELECT c.OWNER, c.TABLE_NAME, c.CONSTRAINT_NAME, k.COLUMN_NAME, r.OWNER, r.TABLE_NAME, "
  "r.COLUMN_NAME FROM ALL_CONSTRAINTS c JOIN ALL_CONS_COLUMNS k ON k.OWNER = c.OWNER "
  "AND k.CONSTRAINT_NAME = c.CONSTRAINT_NAME AND k.TABLE_NAME = c.TABLE_NAME "
  "JOIN ALL_CONS_COLUMNS r ON r.OWNER = c.R_OWNER AND r.CONSTRAINT_NAME = c.R_CONSTRAINT_NAME "
  "AND r.POSITION = k.POSITION "
  "WHERE c.CONSTRAINT_TYPE = 'R' AND c.STATUS = 'ENABLED' AND " OF_USERS ("c.OWNER")
  " ORDER BY c.OWNER, c.TABLE_NAME, c.CONSTRAINT_NAME, k.POSITION";

/* Where statistics are kept a partition, the table itself may have none. */
static const char partitions_question[] =
  "SELECT TABLE_OWNER, TABLE_NAME, SUM(NUM_ROWS) FROM ALL_TAB_PARTITIONS WHERE "
  OF_USERS ("TABLE_OWNER") " GROUP BY TABLE_OWNER, TABLE_NAME";

static const char grants_question[] =
  "SELECT TABLE_SCHEMA, TABLE_NAME FROM ALL_TAB_PRIVS WHERE PRIVILEGE IN ('SELECT', 'READ') "
  "UNION SELECT USER, PRIVILEGE FROM SESSION_PRIVS "
  "WHERE PRIVILEGE IN ('SELECT ANY TABLE', 'READ ANY TABLE')";

typedef void (*TakeRow) (PlumbOdbcRows *rows, guint i, PlumbTable *table);

static char *
text_or_null (const char *text)
{
  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

static const char *
get (PlumbOdbcRows *rows, guint i, guint column)
{
  const char *text = plumb_odbc_rows_get (rows, i, column);

  return text != NULL ? text : "";
}

/* Asks about tables that are there, and hands each row to what takes it. */
static gboolean
read_rows (PlumbOdbcConnection *self, const char *question, PlumbCatalog *catalog, TakeRow take,
           GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, question, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table = plumb_catalog_find (catalog, get (rows, i, 0), get (rows, i, 1));

    if (table != NULL)
      take (rows, i, table);
  }
  return rows != NULL;
}

/* Like read_rows(), for what not every server has or lets everyone read; without it less is known.
 */
static gboolean
read_if_there (PlumbOdbcConnection *self, const char *question, PlumbCatalog *catalog, TakeRow take,
               GError **error)
{
  g_autoptr (GError) inner = NULL;

  if (read_rows (self, question, catalog, take, &inner) ||
      g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT) ||
      g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_DENIED))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&inner));
  return FALSE;
}

static gboolean
read_tables (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, tables_question, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table = plumb_table_new (get (rows, i, 0), get (rows, i, 1));

    if (plumb_odbc_rows_get (rows, i, 2) != NULL)
      table->row_estimate = g_ascii_strtoll (get (rows, i, 2), NULL, 10);
    if (strcmp (get (rows, i, 3), "YES") == 0)
      table->kind = PLUMB_TABLE_KIND_PARTITIONED;
    plumb_catalog_add_table (catalog, table);
  }
  return rows != NULL;
}

static gboolean
read_views (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (PlumbOdbcRows) rows = plumb_odbc_ask (self, views_question, error);

  for (guint i = 0; rows != NULL && i < rows->rows->len; i++) {
    PlumbTable *table;

    if (plumb_catalog_find (catalog, get (rows, i, 0), get (rows, i, 1)) != NULL)
      continue;
    table = plumb_table_new (get (rows, i, 0), get (rows, i, 1));
    table->kind = PLUMB_TABLE_KIND_VIEW;
    plumb_catalog_add_table (catalog, table);
  }
  return rows != NULL;
}

static void
take_materialized_view (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  table->kind = PLUMB_TABLE_KIND_MATERIALIZED_VIEW;
}

static void
take_external_table (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  table->kind = PLUMB_TABLE_KIND_FOREIGN;
}

/* VARCHAR2(40), NUMBER(10,2), NUMBER(9), TIMESTAMP(6): as it was declared. */
static char *
join_type (const char *type, const char *length, const char *precision, const char *scale)
{
  if (strstr (type, "CHAR") != NULL || strcmp (type, "RAW") == 0)
    return g_strdup_printf ("%s(%s)", type, length != NULL ? length : "");
  if (strcmp (type, "NUMBER") != 0 || precision == NULL)
    return g_strdup (type);
  return scale != NULL && strcmp (scale, "0") != 0
             ? g_strdup_printf ("%s(%s,%s)", type, precision, scale)
             : g_strdup_printf ("%s(%s)", type, precision);
}

static void
take_column (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  g_autofree char *type = join_type (get (rows, i, 3), plumb_odbc_rows_get (rows, i, 4),
                                     plumb_odbc_rows_get (rows, i, 5),
                                     plumb_odbc_rows_get (rows, i, 6));
  PlumbColumn *column = plumb_column_new (get (rows, i, 2), type);

  column->nullable = strcmp (get (rows, i, 7), "N") != 0;
  g_ptr_array_add (table->columns, column);
}

static void
take_comment (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  g_free (table->comment);
  table->comment = text_or_null (get (rows, i, 2));
}

static void
take_column_comment (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  PlumbColumn *column = plumb_table_find_column (table, get (rows, i, 2));

  if (column == NULL)
    return;
  g_free (column->comment);
  column->comment = text_or_null (get (rows, i, 3));
}

static void
take_key (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  plumb_odbc_take_key (rows, i, table, strcmp (get (rows, i, 3), "P") == 0);
}

static void
take_partitions (PlumbOdbcRows *rows, guint i, PlumbTable *table)
{
  table->kind = PLUMB_TABLE_KIND_PARTITIONED;
  if (table->row_estimate < 0 && plumb_odbc_rows_get (rows, i, 2) != NULL)
    table->row_estimate = g_ascii_strtoll (get (rows, i, 2), NULL, 10);
}

/* The dictionary also lists tables that the account may only write to. Its own are always readable;
 * where its grants can't be read, all are taken to be. */
static gboolean
read_grants (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  g_autoptr (GError) inner = NULL;
  g_autofree char *account = plumb_odbc_ask_one (self, "SELECT USER FROM DUAL", error);
  g_autoptr (PlumbOdbcRows) rows = NULL;
  gboolean any = FALSE;

  if (account == NULL)
    return FALSE;
  rows = plumb_odbc_ask (self, grants_question, &inner);
  if (rows == NULL) {
    if (g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT) ||
        g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_DENIED))
      return TRUE;
    g_propagate_error (error, g_steal_pointer (&inner));
    return FALSE;
  }
  for (guint i = 0; i < rows->rows->len; i++)
    any = any || g_str_has_suffix (get (rows, i, 1), " ANY TABLE");
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);

    table->selectable = any || strcmp (table->schema, account) == 0;
  }
  for (guint i = 0; i < rows->rows->len; i++) {
    PlumbTable *table = plumb_catalog_find (catalog, get (rows, i, 0), get (rows, i, 1));

    if (table != NULL)
      table->selectable = TRUE;
  }
  return TRUE;
}

/** plumb_odbc_read_oracle: fills @catalog from the data dictionary of Oracle or Tibero. Returns:
 *   whether it could be read */
gboolean
plumb_odbc_read_oracle (PlumbOdbcConnection *self, PlumbCatalog *catalog, GError **error)
{
  return read_tables (self, catalog, error) && read_views (self, catalog, error) &&
         read_if_there (self, materialized_views_question, catalog, take_materialized_view,
                        error) &&
         read_if_there (self, external_tables_question, catalog, take_external_table, error) &&
         read_rows (self, columns_question, catalog, take_column, error) &&
         read_rows (self, comments_question, catalog, take_comment, error) &&
         read_rows (self, column_comments_question, catalog, take_column_comment, error) &&
         read_rows (self, keys_question, catalog, take_key, error) &&
         read_rows (self, foreign_keys_question, catalog, plumb_odbc_take_foreign_key, error) &&
         read_if_there (self, partitions_question, catalog, take_partitions, error) &&
         read_grants (self, catalog, error);
}
