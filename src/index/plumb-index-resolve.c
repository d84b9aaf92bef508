/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include "plumb-table-name.h"
#include "plumb-text.h"

#include <string.h>

/* Full names that an error lists at most. */
#define MAX_FITTING 10
#define MAX_SUGGESTIONS 5

/* Bytes of a name that an error repeats; nothing is near to a longer one. */
#define MAX_NAME_BYTES 200

/* A table that fits a name, and how well: one that can be read and is there beats one that isn't.
 */
typedef struct {
  PlumbTableName *name;
  gboolean usable;
} Fit;

static void
fit_free (Fit *self)
{
  plumb_table_name_free (self->name);
  g_free (self);
}

static gboolean
part_equal (const char *wanted, const char *part, gboolean fold)
{
  g_autofree char *folded_wanted = NULL;
  g_autofree char *folded_part = NULL;

  if (!fold)
    return g_str_equal (wanted, part);
  folded_wanted = plumb_text_fold (wanted);
  folded_part = plumb_text_fold (part);
  return g_str_equal (folded_wanted, folded_part);
}

static gboolean
name_fits (const PlumbTableName *wanted, const char *database, const char *schema, gboolean fold)
{
  if (wanted->database != NULL)
    return part_equal (wanted->database, database, fold) &&
           part_equal (wanted->schema, schema, fold);
  if (wanted->schema != NULL)
    return part_equal (wanted->schema, schema, fold) || part_equal (wanted->schema, database, fold);
  return TRUE;
}

static gboolean
in_scope (const char *const *databases, const char *database)
{
  return databases == NULL || g_strv_contains (databases, database);
}

/* The tables that fit @wanted, those that can be used alone where there are any. */
static GPtrArray *
find_fitting (PlumbTransaction *read, const PlumbTableName *wanted, const char *const *databases,
              gboolean fold, GError **error)
{
  g_autoptr (GPtrArray) fits = g_ptr_array_new_with_free_func ((GDestroyNotify) fit_free);
  g_autofree char *folded = plumb_text_fold (wanted->table);
  gboolean any_usable = FALSE;
  sqlite3_stmt *row;
  int code;

  row = fold ? plumb_transaction_bind (read, error, "SELECT database_name, schema_name, table_name,"
                                       " selectable AND NOT gone FROM card WHERE folded_name = ?1"
                                       " ORDER BY 1, 2, 3", "s", folded)
             : plumb_transaction_bind (read, error, "SELECT database_name, schema_name, table_name,"
                                       " selectable AND NOT gone FROM card WHERE table_name = ?1"
                                       " ORDER BY 1, 2, 3", "s", wanted->table);
  if (row == NULL)
    return NULL;
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW) {
    const char *database = (const char *) sqlite3_column_text (row, 0);
    const char *schema = (const char *) sqlite3_column_text (row, 1);
    Fit *fit;

    if (!in_scope (databases, database) || !name_fits (wanted, database, schema, fold))
      continue;
    fit = g_new0 (Fit, 1);
    fit->name = plumb_table_name_new (database, schema,
                                      (const char *) sqlite3_column_text (row, 2));
    fit->usable = sqlite3_column_int (row, 3);
    any_usable = any_usable || fit->usable;
    g_ptr_array_add (fits, fit);
  }
  for (guint i = fits->len; any_usable && i > 0; i--) {
    if (!((Fit *) g_ptr_array_index (fits, i - 1))->usable)
      g_ptr_array_remove_index (fits, i - 1);
  }
  return code == SQLITE_DONE ? g_steal_pointer (&fits) : NULL;
}

static void
set_ambiguous (GPtrArray *fits, const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < MIN (fits->len, MAX_FITTING); i++) {
    g_autofree char *full =
        plumb_table_name_format (((Fit *) g_ptr_array_index (fits, i))->name);

    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", full);
  }
  if (fits->len > MAX_FITTING)
    g_string_append_printf (names, " and %u more", fits->len - MAX_FITTING);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_AMBIGUOUS,
               "“%s” fits %u tables: %s. Use one of these names.", name, fits->len, names->str);
}

/* Edits (insert, delete, replace, swap neighbours) that lead from @a to @b, or @limit where there
 * are as many or more. Optimal string alignment distance, on bytes of folded names. */
static guint
count_edits (const char *a, const char *b, guint limit)
{
  gsize n = strlen (a), m = strlen (b);
  guint rows[3][128];
  guint *before = rows[0], *last = rows[1], *now = rows[2];

  if (m >= G_N_ELEMENTS (rows[0]) || MAX (n, m) - MIN (n, m) >= limit)
    return limit;
  for (gsize j = 0; j <= m; j++)
    last[j] = j;
  for (gsize i = 1; i <= n; i++) {
    guint best = now[0] = i;
    guint *unused = before;

    for (gsize j = 1; j <= m; j++) {
      now[j] = MIN (MIN (last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = MIN (now[j], before[j - 2] + 1);
      best = MIN (best, now[j]);
    }
    if (best >= limit)
      return limit;
    before = last;
    last = now;
    now = unused;
  }
  return MIN (last[m], limit);
}

typedef struct {
  char *name;
  guint distance;
} Suggestion;

static void
suggestion_clear (gpointer data)
{
  g_free (((Suggestion *) data)->name);
}

static int
compare_suggestions (gconstpointer a, gconstpointer b)
{
  const Suggestion *left = a, *right = b;

  if (left->distance != right->distance)
    return left->distance < right->distance ? -1 : 1;
  return strcmp (left->name, right->name);
}

/* How far @folded is from @wanted; a name that holds the other whole is near too. */
static guint
get_distance (const char *wanted, const char *folded, guint limit)
{
  guint edits = count_edits (wanted, folded, limit);

  if (edits < limit || strlen (wanted) < 3)
    return edits;
  return strstr (folded, wanted) != NULL || (strlen (folded) > 3 && strstr (wanted, folded) != NULL)
             ? limit - 1
             : limit;
}

static GArray *
find_near (PlumbTransaction *read, const char *table, const char *const *databases)
{
  GArray *near = g_array_new (FALSE, FALSE, sizeof (Suggestion));
  g_autofree char *wanted = plumb_text_fold (table);
  guint limit = CLAMP (strlen (wanted) / 3, 1, 3) + 1;
  sqlite3_stmt *row = plumb_transaction_bind (read, NULL,
                                              "SELECT folded_name, database_name, schema_name,"
                                              " table_name FROM card WHERE selectable AND NOT gone",
                                              "");

  g_array_set_clear_func (near, suggestion_clear);
  while (row != NULL && strlen (wanted) <= MAX_NAME_BYTES &&
         plumb_transaction_step (read, row, NULL) == SQLITE_ROW) {
    const char *database = (const char *) sqlite3_column_text (row, 1);
    guint distance = get_distance (wanted, (const char *) sqlite3_column_text (row, 0), limit);
    Suggestion suggestion;

    if (distance >= limit || !in_scope (databases, database))
      continue;
    suggestion.distance = distance;
    suggestion.name = plumb_table_name_join (database, (const char *) sqlite3_column_text (row, 2),
                                             (const char *) sqlite3_column_text (row, 3));
    g_array_append_val (near, suggestion);
  }
  g_array_sort (near, compare_suggestions);
  return near;
}

static void
set_not_found (PlumbTransaction *read, const PlumbTableName *wanted, const char *name,
               const char *const *databases, GError **error)
{
  g_autoptr (GArray) near = find_near (read, wanted->table, databases);
  g_autofree char *shown = plumb_text_cut (name, MAX_NAME_BYTES);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *scope = databases != NULL ? g_strjoinv (", ", (char **) databases) : NULL;

  for (guint i = 0; i < MIN (near->len, MAX_SUGGESTIONS); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            g_array_index (near, Suggestion, i).name);
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND, "There is no table “%s”%s%s.%s%s%s",
               shown, scope != NULL ? " in " : "", scope != NULL ? scope : "",
               names->len > 0 ? " Names near to it: " : " Search for it by what it holds",
               names->str, names->len > 0 ? "." : ", or analyze its source.");
}

/**
 * plumb_index_resolve_card:
 * @self: an index
 * @name: a table's name as plumb_table_name_parse() reads it; with two parts the first may be a
 *   schema or a database
 * @databases: (nullable): look in these alone
 * @error: return location
 *
 * Finds the one table that @name means: spelled exactly, else in any case. Of several, tables that
 * are gone or can't be read count only where there is no other.
 *
 * Returns: (transfer full): the card, or %NULL with PLUMB_ERROR_AMBIGUOUS (the message lists up to
 *   ten full names), PLUMB_ERROR_NOT_FOUND (with names near to it) or PLUMB_ERROR_INVALID_ARGUMENT
 */
PlumbCard *
plumb_index_resolve_card (PlumbIndex *self, const char *name, const char *const *databases,
                          GError **error)
{
  g_autoptr (PlumbTableName) wanted = plumb_table_name_parse (name, error);
  g_autoptr (PlumbTransaction) read = NULL;
  g_autoptr (PlumbTableName) found = NULL;
  g_autoptr (GPtrArray) fits = NULL;

  if (wanted == NULL)
    return NULL;
  read = plumb_index_begin_read (self, error);
  if (read == NULL)
    return NULL;
  for (int fold = FALSE; fold <= TRUE && (fits == NULL || fits->len == 0); fold++) {
    g_clear_pointer (&fits, g_ptr_array_unref);
    fits = find_fitting (read, wanted, databases, fold, error);
    if (fits == NULL)
      return NULL;
  }
  if (fits->len == 0) {
    set_not_found (read, wanted, name, databases, error);
    return NULL;
  }
  if (fits->len > 1) {
    set_ambiguous (fits, name, error);
    return NULL;
  }
  found = plumb_table_name_copy (((Fit *) g_ptr_array_index (fits, 0))->name);
  g_clear_pointer (&read, plumb_transaction_free);
  return plumb_index_get_card (self, found->database, found->schema, found->table, error);
}
