/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-private.h"

#include <string.h>

/* Accounts had no grants before 20.5, but a list of databases in their profile, and the server shows
 * nothing of others. */
#define FIRST_WITH_GRANTS 20.5

/* What one line of SHOW GRANTS says about SELECT: GRANT or REVOKE, of some columns or all, on a
 * database and a table, each of them a name, the beginning of names ("ord*", since 24.10), or all. A
 * revocation takes away a part of what a wider line grants (GRANT of ClickHouse's manual). */
typedef struct {
  guint grantee;
  gboolean revokes;
  char *database; /* NULL for all */
  char *table;    /* NULL for all */
  gboolean is_database_prefix;
  gboolean is_table_prefix;
  GStrv columns; /* NULL for all */
} Rule;

/* Lines as the server gave them, and the rules among them; a role is a grantee of its own. */
struct _PlumbClickhouseGrants {
  GPtrArray *lines;
  GPtrArray *rules;
  guint n_grantees;
};

static void
rule_free (Rule *self)
{
  g_free (self->database);
  g_free (self->table);
  g_strfreev (self->columns);
  g_free (self);
}

/** plumb_clickhouse_grants_free: frees @self */
void
plumb_clickhouse_grants_free (PlumbClickhouseGrants *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->rules);
  g_free (self);
}

/** plumb_clickhouse_grants_get_lines: Returns: (transfer none) (element-type utf8): what SHOW GRANTS
 *   says of the account and of each role that is in force for it */
GPtrArray *
plumb_clickhouse_grants_get_lines (PlumbClickhouseGrants *self)
{
  return self->lines;
}

/* Where @word stands in @text outside of quotes and parentheses; NULL where it doesn't. */
static const char *
find_outside (const char *text, const char *word)
{
  int depth = 0;
  gboolean quoted = FALSE;

  for (const char *at = text; *at != '\0'; at++) {
    if (quoted && *at == '\\' && at[1] != '\0')
      at++;
    else if (*at == '`')
      quoted = !quoted;
    else if (!quoted && depth == 0 && g_str_has_prefix (at, word))
      return at;
    else if (!quoted)
      depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
  }
  return NULL;
}

/* A name as SHOW GRANTS spells it, in backquotes where it needs them; a star behind it takes it for
 * a beginning, and a star alone for all. */
static char *
read_name (const char *text, gsize length, gboolean *is_prefix)
{
  g_autofree char *name = g_strstrip (g_strndup (text, length));
  g_autoptr (GString) plain = g_string_new (NULL);
  gsize end = strlen (name);

  *is_prefix = end > 1 && name[end - 1] == '*';
  if (strcmp (name, "*") == 0)
    return NULL;
  if (*is_prefix)
    name[--end] = '\0';
  if (end < 2 || name[0] != '`' || name[end - 1] != '`')
    return g_steal_pointer (&name);
  for (gsize i = 1; i + 1 < end; i++) {
    if (name[i] == '\\' && i + 2 < end)
      i++;
    g_string_append_c (plain, name[i]);
  }
  return g_string_free (g_steal_pointer (&plain), FALSE);
}

/* "(a, `b c`)": the columns that a right is limited to. */
static GStrv
read_columns (const char *text)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const char *at = text + 1;
  const char *close = find_outside (at, ")");

  while (close != NULL && at < close) {
    const char *comma = find_outside (at, ",");
    const char *end = comma != NULL && comma < close ? comma : close;
    gboolean is_prefix;
    g_autofree char *name = read_name (at, end - at, &is_prefix);

    if (name != NULL)
      g_strv_builder_add (names, name);
    at = end + 1;
  }
  return g_strv_builder_end (names);
}

/* One right of a line's list; whether it is one to read. */
static gboolean
read_right (const char *text, gsize length, GStrv *columns)
{
  g_autofree char *right = g_strstrip (g_strndup (text, length));
  const char *parenthesis = strchr (right, '(');
  gsize name_length = parenthesis != NULL ? (gsize) (parenthesis - right) : strlen (right);

  *columns = NULL;
  if (!(name_length == 6 && g_ascii_strncasecmp (right, "SELECT", 6) == 0) &&
      !(name_length == 3 && g_ascii_strncasecmp (right, "ALL", 3) == 0))
    return FALSE;
  if (parenthesis != NULL)
    *columns = read_columns (parenthesis);
  return TRUE;
}

static void
add_rule (PlumbClickhouseGrants *self, gboolean revokes, const char *object, gsize length,
          GStrv columns)
{
  g_autofree char *text = g_strndup (object, length);
  const char *dot = find_outside (text, ".");
  Rule *rule;

  /* Rights on something else than tables name no table. */
  if (dot == NULL) {
    g_strfreev (columns);
    return;
  }
  rule = g_new0 (Rule, 1);
  rule->grantee = self->n_grantees;
  rule->revokes = revokes;
  rule->columns = columns;
  rule->database = read_name (text, dot - text, &rule->is_database_prefix);
  rule->table = read_name (dot + 1, strlen (dot + 1), &rule->is_table_prefix);
  g_ptr_array_add (self->rules, rule);
}

/* GRANT right[(column, …)], … ON database.table TO grantee, or REVOKE … FROM it. */
static void
read_line (PlumbClickhouseGrants *self, const char *line)
{
  gboolean revokes = g_str_has_prefix (line, "REVOKE ");
  const char *at = line + (revokes ? strlen ("REVOKE ") : strlen ("GRANT "));
  const char *on, *end;

  if (!revokes && !g_str_has_prefix (line, "GRANT "))
    return;
  on = find_outside (at, " ON ");
  end = on != NULL ? find_outside (on + 4, revokes ? " FROM " : " TO ") : NULL;
  while (end != NULL && at < on) {
    const char *comma = find_outside (at, ", ");
    const char *right_end = comma != NULL && comma < on ? comma : on;
    GStrv columns;

    if (read_right (at, right_end - at, &columns))
      add_rule (self, revokes, on + 4, end - on - 4, columns);
    at = right_end == on ? on : right_end + 2;
  }
}

static gboolean
read_grantee (PlumbClickhouseGrants *self, PlumbSource *source, PlumbClickhouseServer *server,
              const char *role, GCancellable *cancellable)
{
  g_autofree char *quoted = role != NULL
                              ? plumb_sql_quote_identifier (PLUMB_DIALECT_CLICKHOUSE, role)
                              : NULL;
  g_autofree char *sql = role != NULL ? g_strconcat ("SHOW GRANTS FOR ", quoted, NULL)
                                      : g_strdup ("SHOW GRANTS");
  g_autoptr (GPtrArray) lines = plumb_clickhouse_ask (source, server, sql, cancellable, NULL);
  g_autoptr (GString) buffer = g_string_new (NULL);

  for (guint i = 0; lines != NULL && i < lines->len; i++) {
    const char *escaped = g_ptr_array_index (lines, i);
    char *line = g_utf8_make_valid (
      plumb_clickhouse_unescape (escaped, strlen (escaped), buffer)->str, -1);

    g_ptr_array_add (self->lines, line);
    read_line (self, line);
  }
  self->n_grantees++;
  return lines != NULL;
}

/**
 * plumb_clickhouse_grants_read:
 *
 * Every account may see its own grants and those of the roles that are in force for it, whatever it
 * may see of the system tables that list all of them.
 *
 * Returns: (transfer full) (nullable): what the account may do; %NULL where the server knows no
 *   grants or doesn't tell them
 */
PlumbClickhouseGrants *
plumb_clickhouse_grants_read (PlumbSource *source, PlumbClickhouseServer *server,
                              GCancellable *cancellable)
{
  g_autoptr (PlumbClickhouseGrants) self = NULL;
  g_autoptr (GPtrArray) roles = NULL;
  g_autoptr (GString) buffer = g_string_new (NULL);

  if (g_ascii_strtod (server->version, NULL) < FIRST_WITH_GRANTS)
    return NULL;
  self = g_new0 (PlumbClickhouseGrants, 1);
  self->lines = g_ptr_array_new_with_free_func (g_free);
  self->rules = g_ptr_array_new_with_free_func ((GDestroyNotify) rule_free);
  if (!read_grantee (self, source, server, NULL, cancellable))
    return NULL;
  roles = plumb_clickhouse_ask (source, server, "SELECT role_name FROM system.enabled_roles",
                                cancellable, NULL);
  if (roles == NULL)
    return NULL;
  for (guint i = 0; i < roles->len; i++) {
    const char *escaped = g_ptr_array_index (roles, i);
    g_autofree char *role = g_strdup (
      plumb_clickhouse_unescape (escaped, strlen (escaped), buffer)->str);

    if (!read_grantee (self, source, server, role, cancellable))
      return NULL;
  }
  return g_steal_pointer (&self);
}

/* How narrow a part of a rule is that covers @name; -1 where it doesn't. */
static gint64
cover (const char *pattern, gboolean is_prefix, const char *name)
{
  if (pattern == NULL)
    return 0;
  if (is_prefix)
    return g_str_has_prefix (name, pattern) ? 1 + (gint64) MIN (strlen (pattern), 998) : -1;
  return strcmp (pattern, name) == 0 ? 1000 : -1;
}

static gint64
cover_column (const Rule *rule, const char *database, const char *table, const char *column)
{
  gint64 by_database = cover (rule->database, rule->is_database_prefix, database);
  gint64 by_table = cover (rule->table, rule->is_table_prefix, table);

  if (by_database < 0 || by_table < 0)
    return -1;
  if (rule->columns == NULL)
    return by_database * 10000 + by_table * 2;
  return column != NULL && g_strv_contains ((const char *const *) rule->columns, column)
           ? by_database * 10000 + by_table * 2 + 1
           : -1;
}

/**
 * plumb_clickhouse_grants_allow:
 * @column: (nullable): a column; %NULL asks for one that no line names
 *
 * Of each grantee the narrowest line counts, and what one of them may is allowed.
 *
 * Returns: whether the account may SELECT it
 */
gboolean
plumb_clickhouse_grants_allow (PlumbClickhouseGrants *self, const char *database, const char *table,
                               const char *column)
{
  gboolean allowed = FALSE;
  gboolean by_this = FALSE;
  gint64 narrowest = -1;
  guint grantee = 0;

  for (guint i = 0; i < self->rules->len; i++) {
    const Rule *rule = g_ptr_array_index (self->rules, i);
    gint64 narrow = cover_column (rule, database, table, column);

    if (rule->grantee != grantee) {
      allowed = allowed || by_this;
      by_this = FALSE;
      narrowest = -1;
      grantee = rule->grantee;
    }
    if (narrow > narrowest || (narrow >= 0 && narrow == narrowest && rule->revokes)) {
      narrowest = narrow;
      by_this = !rule->revokes;
    }
  }
  return allowed || by_this;
}
