/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-private.h"

#include <string.h>

/* Built-in types; their numbers never change (src/include/catalog/pg_type.dat). What isn't here is
 * asked of the server. */
static const struct {
  Oid oid;
  const char *name;
  PlumbValueKind kind;
} types[] = {
  { 16, "boolean", PLUMB_VALUE_BOOLEAN },
  { 17, "bytea", PLUMB_VALUE_BINARY },
  { 18, "\"char\"", PLUMB_VALUE_TEXT },
  { 19, "name", PLUMB_VALUE_TEXT },
  { 20, "bigint", PLUMB_VALUE_INTEGER },
  { 21, "smallint", PLUMB_VALUE_INTEGER },
  { 23, "integer", PLUMB_VALUE_INTEGER },
  { 25, "text", PLUMB_VALUE_TEXT },
  { 26, "oid", PLUMB_VALUE_INTEGER },
  { 114, "json", PLUMB_VALUE_JSON },
  { 700, "real", PLUMB_VALUE_FLOAT },
  { 701, "double precision", PLUMB_VALUE_FLOAT },
  { 1042, "character", PLUMB_VALUE_TEXT },
  { 1043, "character varying", PLUMB_VALUE_TEXT },
  { 1082, "date", PLUMB_VALUE_DATE },
  { 1083, "time without time zone", PLUMB_VALUE_TIME },
  { 1114, "timestamp without time zone", PLUMB_VALUE_TIMESTAMP },
  { 1184, "timestamp with time zone", PLUMB_VALUE_TIMESTAMP },
  { 1186, "interval", PLUMB_VALUE_INTERVAL },
  { 1266, "time with time zone", PLUMB_VALUE_TIME },
  { 1700, "numeric", PLUMB_VALUE_DECIMAL },
  { 2950, "uuid", PLUMB_VALUE_TEXT },
  { 3802, "jsonb", PLUMB_VALUE_JSON },
};

typedef struct {
  guint n_columns;
  PlumbValueKind *kinds;
  PlumbCell *cells;
  GByteArray **binary; /* a buffer for each column that has raw bytes */
} RowReader;

static gint
find_type (Oid oid)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    if (types[i].oid == oid)
      return i;
  }
  return -1;
}

/* As format_type() of the server writes it, for the types whose modifier people look at. */
static char *
name_type (Oid oid, int modifier, PlumbPostgresTypeName type_name, gpointer user_data)
{
  gint i = find_type (oid);

  if (i < 0)
    return type_name (oid, modifier, user_data);
  if (modifier >= 4 && oid == 1700)
    return g_strdup_printf ("numeric(%d,%d)", ((modifier - 4) >> 16) & 0xffff,
                            (((modifier - 4) & 0x7ff) ^ 1024) - 1024);
  if (modifier >= 4 && (oid == 1042 || oid == 1043))
    return g_strdup_printf ("%s(%d)", types[i].name, modifier - 4);
  return g_strdup (types[i].name);
}

static gboolean
hand_on_columns (RowReader *self, const PGresult *result, PlumbRowSink *sink,
                 PlumbPostgresTypeName type_name, gpointer user_data, GError **error)
{
  g_autoptr (GPtrArray) columns =
    g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_result_column_free);

  self->n_columns = PQnfields (result);
  self->kinds = g_new0 (PlumbValueKind, self->n_columns);
  self->cells = g_new0 (PlumbCell, self->n_columns);
  self->binary = g_new0 (GByteArray *, self->n_columns);
  for (guint i = 0; i < self->n_columns; i++) {
    gint type = find_type (PQftype (result, i));
    g_autofree char *name = name_type (PQftype (result, i), PQfmod (result, i), type_name,
                                       user_data);

    self->kinds[i] = type >= 0 ? types[type].kind : PLUMB_VALUE_OTHER;
    if (self->kinds[i] == PLUMB_VALUE_BINARY)
      self->binary[i] = g_byte_array_new ();
    g_ptr_array_add (columns, plumb_result_column_new (PQfname (result, i), name, self->kinds[i]));
  }
  return sink->columns (columns, sink->user_data, error);
}

/* bytea arrives as \x and hex digits, since the transaction asks for that. */
static void
decode_binary (GByteArray *bytes, PlumbCell *cell)
{
  gsize n = cell->length >= 2 ? (cell->length - 2) / 2 : 0;
  const char *digits = cell->text + 2;

  g_byte_array_set_size (bytes, n + 1);
  for (gsize i = 0; i < n; i++)
    bytes->data[i] = g_ascii_xdigit_value (digits[2 * i]) << 4 |
                     g_ascii_xdigit_value (digits[2 * i + 1]);
  bytes->data[n] = '\0';
  cell->text = (const char *) bytes->data;
  cell->length = n;
}

static PlumbRowsNext
hand_on_row (RowReader *self, const PGresult *result, int row, PlumbRowSink *sink, GError **error)
{
  for (guint i = 0; i < self->n_columns; i++) {
    PlumbCell *cell = &self->cells[i];

    *cell = (PlumbCell) { NULL, 0, PLUMB_VALUE_NULL, FALSE };
    if (PQgetisnull (result, row, i))
      continue;
    cell->kind = self->kinds[i];
    cell->text = PQgetvalue (result, row, i);
    cell->length = PQgetlength (result, row, i);
    if (cell->kind == PLUMB_VALUE_BINARY)
      decode_binary (self->binary[i], cell);
    else if (cell->kind == PLUMB_VALUE_BOOLEAN) {
      cell->text = cell->text[0] == 't' ? "true" : "false";
      cell->length = strlen (cell->text);
    }
  }
  return sink->row (self->cells, self->n_columns, sink->user_data, error);
}

static void
reader_clear (RowReader *self)
{
  for (guint i = 0; self->binary != NULL && i < self->n_columns; i++)
    g_clear_pointer (&self->binary[i], g_byte_array_unref);
  g_free (self->kinds);
  g_free (self->cells);
  g_free (self->binary);
}

static gboolean
take_result (RowReader *self, PGconn *pg, const PGresult *result, PlumbRowSink *sink,
             PlumbRowsNext *next, GError **error)
{
  ExecStatusType status = PQresultStatus (result);

  if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK) {
    if (PQstatus (pg) == CONNECTION_BAD)
      return plumb_postgres_set_lost_error (pg, error);
    return plumb_postgres_set_result_error (result, error);
  }
  for (int row = 0; row < PQntuples (result) && *next == PLUMB_ROWS_CONTINUE; row++)
    *next = hand_on_row (self, result, row, sink, error);
  return *next != PLUMB_ROWS_ERROR;
}

/* FALSE with an error, or when the sink has enough; *next tells which. */
static gboolean
read_rows (RowReader *self, PGconn *pg, PlumbRowSink *sink, PlumbRowsNext *next,
           GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) inner = NULL;

  while (*next == PLUMB_ROWS_CONTINUE) {
    g_autoptr (PGresult) result = plumb_postgres_next_result (pg, 0, cancellable, &inner);

    if (result == NULL || !take_result (self, pg, result, sink, next, &inner))
      break;
  }
  if (inner == NULL)
    return *next == PLUMB_ROWS_CONTINUE;
  g_propagate_error (error, g_steal_pointer (&inner));
  return FALSE;
}

/**
 * plumb_postgres_stream:
 * @sql: one statement
 * @sink: where its rows go
 * @type_name: asked for the names of types that aren't built in
 *
 * Runs a statement in the transaction that is open and hands its rows on as they arrive.
 *
 * Returns: whether it ran to its end, or until the sink had enough
 */
gboolean
plumb_postgres_stream (PlumbPostgresConnection *connection, const char *sql, PlumbRowSink *sink,
                       PlumbPostgresTypeName type_name, gpointer user_data,
                       GCancellable *cancellable, GError **error)
{
  PGconn *pg = connection->pg;
  g_autoptr (PGresult) description = plumb_postgres_prepare (pg, sql, cancellable, error);
  RowReader self = { 0 };
  PlumbRowsNext next = PLUMB_ROWS_CONTINUE;
  gboolean good;

  if (description == NULL)
    return FALSE;
  good = hand_on_columns (&self, description, sink, type_name, user_data, error);
  if (good && sink->csv_line != NULL) {
    reader_clear (&self);
    return plumb_postgres_copy (pg, sql, description, sink, cancellable, error);
  }
  if (good && (!PQsendQueryPrepared (pg, "", 0, NULL, NULL, NULL, 0) || !PQsetSingleRowMode (pg)))
    good = plumb_postgres_set_lost_error (pg, error);
  good = good && read_rows (&self, pg, sink, &next, cancellable, error);
  reader_clear (&self);
  if (next == PLUMB_ROWS_STOP || next == PLUMB_ROWS_ERROR)
    plumb_postgres_stop_early (pg);
  return good || next == PLUMB_ROWS_STOP;
}
