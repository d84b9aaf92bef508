/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-statement.h"

#include <string.h>

#include "plumb-sql-check.h"
#include "plumb-sql-parser.h"
#include "plumb-sql-postgres.h"

/* Longer ones can't be read by anyone, and no question needs them. */
#define MAX_LENGTH (4 * 1024 * 1024)

/** plumb_user_object_new: Returns: (transfer full): an object of a user; see
 * plumb_user_object_free() */
PlumbUserObject *
plumb_user_object_new (const char *schema, const char *name)
{
  PlumbUserObject *self = g_new0 (PlumbUserObject, 1);

  self->schema = g_strdup (schema);
  self->name = g_strdup (name);
  return self;
}

/** plumb_user_object_free: frees @self */
void
plumb_user_object_free (PlumbUserObject *self)
{
  if (self == NULL)
    return;
  g_free (self->schema);
  g_free (self->name);
  g_strfreev (self->arguments);
  g_free (self->extension);
  g_free (self->base);
  g_strfreev (self->fields);
  g_free (self);
}

static void
free_table (gpointer data)
{
  PlumbSqlTable *table = data;

  g_free (table->schema);
  g_free (table->table);
  g_free (table);
}

static void
free_column (gpointer data)
{
  PlumbSqlColumn *column = data;

  g_free (column->schema);
  g_free (column->table);
  g_free (column->column);
  g_free (column);
}

static void
free_join (gpointer data)
{
  PlumbSqlJoin *join = data;

  g_strfreev (join->left_columns);
  g_strfreev (join->right_columns);
  g_free (join);
}

static void
free_aggregate (gpointer data)
{
  PlumbSqlAggregate *aggregate = data;

  g_free (aggregate->function);
  g_free (aggregate->column);
  g_free (aggregate);
}

static PlumbStatement *
statement_new (void)
{
  PlumbStatement *self = g_new0 (PlumbStatement, 1);

  self->tables = g_ptr_array_new_with_free_func (free_table);
  self->behind = g_ptr_array_new_with_free_func (free_table);
  self->columns = g_ptr_array_new_with_free_func (free_column);
  self->joins = g_ptr_array_new_with_free_func (free_join);
  self->aggregates = g_ptr_array_new_with_free_func (free_aggregate);
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  self->joins_known = TRUE;
  return self;
}

/** plumb_statement_free: frees @self */
void
plumb_statement_free (PlumbStatement *self)
{
  if (self == NULL)
    return;
  g_free (self->reason);
  g_free (self->text);
  g_ptr_array_unref (self->tables);
  g_ptr_array_unref (self->behind);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->joins);
  g_ptr_array_unref (self->aggregates);
  g_ptr_array_unref (self->warnings);
  g_free (self);
}

/* What was found of a statement that is refused may be half of the truth: it isn't given out. */
static void
refuse (PlumbStatement *self, char *reason)
{
  self->allowed = FALSE;
  self->reason = reason;
  self->joins_known = FALSE;
  g_ptr_array_set_size (self->tables, 0);
  g_ptr_array_set_size (self->behind, 0);
  g_ptr_array_set_size (self->columns, 0);
  g_ptr_array_set_size (self->joins, 0);
  g_ptr_array_set_size (self->aggregates, 0);
}

/**
 * plumb_statement_check:
 * @dialect: whose SQL
 * @sql: the whole text, as the model sent it
 * @length: its length in bytes, -1 where it ends with a NUL
 * @context: (nullable): what the source can tell. Without it, what only a source can tell is
 * refused where the text names it (a user's function, type, operator), and taken as usual where the
 * text gives no sign (a table that is a view, a user's function behind a built-in's name)
 *
 * Parses the statement and finds what it reads. Fails closed: what isn't understood as a whole is
 * refused. Nothing is run, and no table is read; @context may ask the server's catalog. Can be
 * called from any thread.
 *
 * Returns: (transfer full): what was found; never %NULL
 */
PlumbStatement *
plumb_statement_check (PlumbDialect dialect, const char *sql, gssize length,
                       const PlumbCheckContext *context)
{
  g_autoptr (SqlArena) arena = sql_arena_new ();
  PlumbStatement *statement = statement_new ();
  SqlCheck check = {
    .arena = arena, .dialect = dialect, .context = context, .statement = statement
  };
  gsize size = length < 0 ? strlen (sql) : (gsize) length;
  guint text_end = 0;
  char *reason = NULL;
  SqlQuery *query = NULL;

  if (size > MAX_LENGTH)
    reason = g_strdup_printf ("The statement is longer than %d MB.", MAX_LENGTH / 1024 / 1024);
  else if (dialect == PLUMB_DIALECT_POSTGRES)
    query = sql_parse_postgres (arena, sql, size, &text_end, &reason);
  else
    query = sql_parse (arena, dialect, context, sql, size, &text_end, &reason);
  if (query != NULL) {
    sql_check_query (&check, query);
    reason = check.reason;
  }
  if (reason != NULL) {
    refuse (statement, reason);
  } else {
    statement->allowed = TRUE;
    statement->text = g_strndup (sql, text_end);
  }
  g_clear_pointer (&check.columns, g_hash_table_unref);
  g_clear_pointer (&check.views, g_hash_table_unref);
  g_clear_pointer (&check.indexes, g_ptr_array_unref);
  return statement;
}

static void
write_table (PlumbJsonWriter *writer, PlumbStatement *self, int number)
{
  PlumbSqlTable *table = number >= 0 ? g_ptr_array_index (self->tables, number) : NULL;
  g_autofree char *name = table != NULL ? plumb_table_name_join (NULL, table->schema, table->table)
                                        : NULL;

  plumb_json_writer_string (writer, name);
}

static void
write_columns (PlumbStatement *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_name (writer, "columns");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->columns->len; i++) {
    PlumbSqlColumn *column = g_ptr_array_index (self->columns, i);
    g_autofree char *table = plumb_table_name_join (NULL, column->schema, column->table);
    g_autofree char *part = strcmp (column->column, "*") == 0
                                ? g_strdup ("*")
                                : plumb_table_name_quote_part (column->column);
    g_autofree char *name = g_strconcat (table, ".", part, NULL);

    plumb_json_writer_string (writer, name);
  }
  plumb_json_writer_end_array (writer);
}

static void
write_joins (PlumbStatement *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_name (writer, "joins");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->joins->len; i++) {
    PlumbSqlJoin *join = g_ptr_array_index (self->joins, i);

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "kind");
    plumb_json_writer_string (writer, join->kind);
    plumb_json_writer_name (writer, "left");
    write_table (writer, self, join->left);
    plumb_json_writer_name (writer, "right");
    write_table (writer, self, join->right);
    plumb_json_writer_name (writer, "keys");
    plumb_json_writer_begin_array (writer);
    for (guint k = 0; join->left_columns[k] != NULL; k++) {
      plumb_json_writer_begin_array (writer);
      plumb_json_writer_string (writer, join->left_columns[k]);
      plumb_json_writer_string (writer, join->right_columns[k]);
      plumb_json_writer_end_array (writer);
    }
    plumb_json_writer_end_array (writer);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

/**
 * plumb_statement_write_json:
 * @writer: a writer inside of an object
 *
 * Writes the members of DESIGN section 11, `check`: "verdict", "reason" (null where it is allowed),
 * "tables", "columns", "joins" and "warnings". The caller opens the object, adds members of its own
 * (such as "id"), and closes it. A join's side that is no table is null.
 */
void
plumb_statement_write_json (PlumbStatement *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_name (writer, "verdict");
  plumb_json_writer_string (writer, self->allowed ? "allow" : "refuse");
  plumb_json_writer_name (writer, "reason");
  plumb_json_writer_string (writer, self->reason);
  plumb_json_writer_name (writer, "tables");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->tables->len; i++)
    write_table (writer, self, i);
  plumb_json_writer_end_array (writer);
  write_columns (self, writer);
  write_joins (self, writer);
  plumb_json_writer_name (writer, "warnings");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->warnings->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (self->warnings, i));
  plumb_json_writer_end_array (writer);
}
