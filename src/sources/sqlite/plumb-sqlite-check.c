/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sqlite-private.h"

#include <string.h>

/* What a view stands for: the text behind AS of its CREATE VIEW. Quoted names and comments may hold
 * the word too, so they are stepped over. */
static const char *
find_select (const char *create_sql)
{
  const char *at = create_sql;

  while (*at != '\0') {
    char close = *at == '[' ? ']' : *at;

    if (strchr ("\"`['", *at) != NULL) {
      at = strchr (at + 1, close);
      if (at == NULL)
        return NULL;
    } else if (g_str_has_prefix (at, "--")) {
      at += strcspn (at, "\n");
      continue;
    } else if (g_str_has_prefix (at, "/*")) {
      at = strstr (at + 2, "*/");
      if (at == NULL)
        return NULL;
    } else if (g_ascii_strncasecmp (at, "as", 2) == 0 && g_ascii_isspace (at[-1]) &&
               !g_ascii_isalnum (at[2]) && at[2] != '_') {
      return at + 2;
    }
    at++;
  }
  return NULL;
}

/** plumb_sqlite_get_view_definition: Returns: (transfer full) (nullable): the view's SELECT */
char *
plumb_sqlite_get_view_definition (PlumbSqliteConnection *self, const char *name)
{
  g_autoptr (PlumbSqliteStatement) statement = NULL;
  gboolean guarded = self->guarded;
  const char *create_sql = NULL;
  const char *select = NULL;
  char *definition = NULL;

  self->guarded = FALSE;
  statement = plumb_sqlite_connection_prepare (
    self, "SELECT sql FROM main.sqlite_master WHERE type = 'view' AND name = ?1", NULL);
  if (statement != NULL) {
    sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step (statement) == SQLITE_ROW)
      create_sql = (const char *) sqlite3_column_text (statement, 0);
    select = create_sql != NULL ? find_select (create_sql) : NULL;
    definition = g_strdup (select);
  }
  self->guarded = guarded;
  return definition;
}

/* Names of SQLite compare without regard to ASCII case. */
static GHashTable *
name_set_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static gboolean
has_name (GHashTable *names, const char *name)
{
  GHashTableIter iter;
  gpointer member;

  if (g_hash_table_contains (names, name))
    return TRUE;
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &member, NULL)) {
    if (g_ascii_strcasecmp (member, name) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Compiles @sql under the authorizer and gathers what it reads. Returns the statement, or NULL. */
static sqlite3_stmt *
compile_and_watch (PlumbSqliteConnection *self, const char *sql, GHashTable *reads, GError **error)
{
  sqlite3_stmt *statement;

  g_clear_pointer (&self->refused, g_free);
  self->guarded = TRUE;
  self->reads = g_hash_table_ref (reads);
  statement = plumb_sqlite_connection_prepare (self, sql, error);
  g_clear_pointer (&self->reads, g_hash_table_unref);
  return statement;
}

/* Adds the tables behind a view, and the shadow tables of a virtual one, which SQLite reports as if
 * the statement itself had named them. */
static void
add_behind (PlumbSqliteConnection *self, const char *table, GHashTable *behind)
{
  g_autofree char *quoted = plumb_sql_quote_identifier (PLUMB_DIALECT_SQLITE, table);
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM main.%s", quoted);
  g_autoptr (PlumbSqliteStatement) shadows = NULL;

  sqlite3_finalize (compile_and_watch (self, sql, behind, NULL));
  self->guarded = FALSE;
  shadows = plumb_sqlite_connection_prepare (
    self,
    "SELECT s.name FROM pragma_table_list AS v, pragma_table_list AS s "
    "WHERE lower(v.name) = lower(?1) AND v.type = 'virtual' AND s.type = 'shadow' "
    "AND substr(s.name, 1, length(v.name) + 1) = v.name || '_'",
    NULL);
  self->guarded = TRUE;
  if (shadows == NULL)
    return;
  sqlite3_bind_text (shadows, 1, table, -1, SQLITE_STATIC);
  while (sqlite3_step (shadows) == SQLITE_ROW)
    g_hash_table_add (behind, g_strdup ((const char *) sqlite3_column_text (shadows, 0)));
}

/* Whether the database has anything of that name; a module of virtual tables counts too. */
static gboolean
is_known_name (PlumbSqliteConnection *self, const char *name)
{
  gboolean guarded = self->guarded;
  g_autoptr (PlumbSqliteStatement) statement = NULL;
  gboolean known = TRUE;

  self->guarded = FALSE;
  statement = plumb_sqlite_connection_prepare (
    self,
    "SELECT EXISTS (SELECT 1 FROM pragma_table_list WHERE lower(name) = lower(?1) "
    "UNION ALL SELECT 1 FROM pragma_module_list WHERE lower(name) = lower(?1))",
    NULL);
  if (statement != NULL) {
    sqlite3_bind_text (statement, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step (statement) == SQLITE_ROW)
      known = sqlite3_column_int (statement, 0) != 0;
  }
  self->guarded = guarded;
  return known;
}

/* The first table that SQLite reads and that the statement neither names nor reaches through a
 * view. */
static const char *
find_hidden (PlumbSqliteConnection *self, GHashTable *reads, GPtrArray *tables)
{
  g_autoptr (GHashTable) named = name_set_new ();
  g_autoptr (GHashTable) behind = name_set_new ();
  GHashTableIter iter;
  gpointer name, resolved;

  for (guint i = 0; i < tables->len; i++) {
    const PlumbSqlTable *table = g_ptr_array_index (tables, i);

    g_hash_table_add (named, g_strdup (table->table));
    add_behind (self, table->table, behind);
  }
  g_hash_table_iter_init (&iter, reads);
  while (g_hash_table_iter_next (&iter, &name, &resolved)) {
    if (!has_name (named, name) && !has_name (behind, name) &&
        (resolved != NULL || is_known_name (self, name)))
      return name;
  }
  return NULL;
}

static void
refuse (PlumbStatement *statement, char *reason)
{
  statement->allowed = FALSE;
  g_free (statement->reason);
  statement->reason = reason;
}

/* SQLite reads a word in double quotes as text where no column has that name, so a misspelled
 * column compares as text and gives a wrong number without an error. */
static void
warn_of_quoted_text (PlumbSqliteConnection *self, const char *sql, PlumbStatement *statement)
{
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *strict;

  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  strict = plumb_sqlite_connection_prepare (self, sql, &error);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DQS_DML, 1, NULL);
  sqlite3_finalize (strict);
  if (strict == NULL)
    g_ptr_array_add (
      statement->warnings,
      g_strdup_printf ("A word in double quotes is no column here and is read as text "
                       "(%s). If it is text, write it in single quotes.",
                       error->message));
}

/**
 * plumb_sqlite_check_reads:
 * @sql: the statement
 * @statement: what the parse says of it, allowed so far
 *
 * Compiles the statement under the authorizer, and refuses it where SQLite would do anything but
 * read the tables that the parse found. A statement that SQLite can't compile stays as it was: it
 * can't be run either, and running it gives SQLite's own message.
 *
 * Returns: %FALSE with an error where SQLite couldn't be asked
 */
gboolean
plumb_sqlite_check_reads (PlumbSqliteConnection *self, const char *sql, PlumbStatement *statement,
                          GError **error)
{
  g_autoptr (GHashTable) reads = name_set_new ();
  g_autoptr (PlumbSqliteStatement) compiled = NULL;
  g_autoptr (GError) inner = NULL;
  const char *hidden;

  compiled = compile_and_watch (self, sql, reads, &inner);
  if (compiled == NULL && g_error_matches (inner, PLUMB_ERROR, PLUMB_ERROR_REFUSED)) {
    refuse (statement, g_strdup (inner->message));
    return TRUE;
  }
  if (compiled == NULL &&
      g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT)) {
    g_ptr_array_add (statement->warnings, g_strdup (inner->message));
    return TRUE;
  }
  if (compiled == NULL) {
    g_propagate_error (error, g_steal_pointer (&inner));
    return FALSE;
  }
  warn_of_quoted_text (self, sql, statement);
  hidden = find_hidden (self, reads, statement->tables);
  if (hidden != NULL)
    refuse (statement,
            g_strdup_printf ("SQLite says that this reads the table %s, which the statement "
                             "doesn't name. Name it in FROM.",
                             hidden));
  return TRUE;
}
