/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#define EDGE_COLUMNS \
  "id, name, left_database, left_schema, left_table, right_database, right_schema, right_table, " \
  "cardinality, trust, basis, temporal_rule, evidence, state, usage, left_column, right_column"

/* Edges that nobody wrote or rejected. */
#define IS_INFERRED "by_person = 0 AND state <> 'rejected'"

static PlumbEdgeState
state_from_string (const char *text)
{
  for (PlumbEdgeState state = PLUMB_EDGE_STALE; state <= PLUMB_EDGE_REJECTED; state++) {
    if (g_strcmp0 (text, plumb_edge_state_to_string (state)) == 0)
      return state;
  }
  return PLUMB_EDGE_ACTIVE;
}

static PlumbJoinEdge *
read_edge (sqlite3_stmt *row)
{
  PlumbTableName left = { plumb_row_get_string (row, 2), plumb_row_get_string (row, 3),
                          plumb_row_get_string (row, 4) };
  PlumbTableName right = { plumb_row_get_string (row, 5), plumb_row_get_string (row, 6),
                           plumb_row_get_string (row, 7) };
  PlumbJoinEdge *edge = plumb_join_edge_new (&left, &right);
  char *parts[] = { left.database,  left.schema,  left.table,
                    right.database, right.schema, right.table };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_free (parts[i]);
  edge->id = sqlite3_column_int64 (row, 0);
  edge->name = plumb_row_get_string (row, 1);
  edge->cardinality = plumb_cardinality_from_string ((const char *) sqlite3_column_text (row, 8));
  edge->trust = sqlite3_column_int (row, 9);
  edge->basis = plumb_row_get_string (row, 10);
  edge->temporal_rule = plumb_row_get_string (row, 11);
  edge->evidence = plumb_row_get_string (row, 12);
  edge->state = state_from_string ((const char *) sqlite3_column_text (row, 13));
  edge->usage = sqlite3_column_int64 (row, 14);
  return edge;
}

/* Edges from rows of EDGE_COLUMNS, a row a key pair, those of one edge together and in order. */
static GPtrArray *
list_edges (PlumbTransaction *self, sqlite3_stmt *row, GError **error)
{
  g_autoptr (GPtrArray) edges = NULL;
  g_autoptr (GStrvBuilder) left = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) right = g_strv_builder_new ();
  PlumbJoinEdge *edge = NULL;
  int code;

  if (row == NULL)
    return NULL;
  edges = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  do {
    code = plumb_transaction_step (self, row, error);
    if (edge != NULL && (code != SQLITE_ROW || sqlite3_column_int64 (row, 0) != edge->id)) {
      edge->left_columns = g_strv_builder_end (left);
      edge->right_columns = g_strv_builder_end (right);
      edge = NULL;
    }
    if (code != SQLITE_ROW)
      break;
    if (edge == NULL) {
      edge = read_edge (row);
      g_ptr_array_add (edges, edge);
    }
    g_strv_builder_add (left, (const char *) sqlite3_column_text (row, 15));
    g_strv_builder_add (right, (const char *) sqlite3_column_text (row, 16));
  } while (TRUE);
  return code == SQLITE_DONE ? g_steal_pointer (&edges) : NULL;
}

/**
 * plumb_index_list_edges:
 * @self: an index
 * @database: (nullable): edges that touch a table of this source; %NULL for all
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbJoinEdge): edges in any state
 */
GPtrArray *
plumb_index_list_edges (PlumbIndex *self, const char *database, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  if (read == NULL)
    return NULL;
  return list_edges (read,
                     plumb_transaction_bind (read, error, "SELECT " EDGE_COLUMNS " FROM edge"
                                             " JOIN edge_key ON edge_id = id"
                                             " WHERE ?1 IS NULL OR left_database = ?1"
                                             " OR right_database = ?1 ORDER BY id, position", "s",
                                             database),
                     error);
}

/**
 * plumb_transaction_list_kept_edges:
 * @self: a transaction
 * @database: a source
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbJoinEdge): the edges of @database that an analysis
 *   doesn't replace, except those that were rejected: a person's, and those measured on data
 */
GPtrArray *
plumb_transaction_list_kept_edges (PlumbTransaction *self, const char *database, GError **error)
{
  return list_edges (self,
                     plumb_transaction_bind (self, error, "SELECT " EDGE_COLUMNS " FROM edge"
                                             " JOIN edge_key ON edge_id = id"
                                             " WHERE (left_database = ?1 OR right_database = ?1)"
                                             " AND state <> 'rejected'"
                                             " AND (by_person = 1 OR basis = 'verified')"
                                             " ORDER BY id, position", "s", database),
                     error);
}

static gboolean
is_full_name (const PlumbTableName *name)
{
  return name->database != NULL && name->schema != NULL && name->table != NULL;
}

static gboolean
check_edge (PlumbJoinEdge *edge, GError **error)
{
  guint n = edge->left_columns != NULL ? g_strv_length (edge->left_columns) : 0;

  if (n > 0 && edge->right_columns != NULL && g_strv_length (edge->right_columns) == n &&
      edge->trust >= 1 && edge->trust <= 5 && is_full_name (edge->left) &&
      is_full_name (edge->right))
    return TRUE;
  g_set_error_literal (
      error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
      "A join needs both tables with their full names, at least one column on each "
      "side, as many on the left as on the right, and a trust from 1 to 5.");
  return FALSE;
}

static gboolean
put_keys (PlumbTransaction *write, PlumbJoinEdge *edge, GError **error)
{
  if (!plumb_transaction_run (write, error, "DELETE FROM edge_key WHERE edge_id = ?1", "l",
                              edge->id))
    return FALSE;
  for (int i = 0; edge->left_columns[i] != NULL; i++) {
    if (!plumb_transaction_run (write, error, "INSERT INTO edge_key VALUES (?1, ?2, ?3, ?4)",
                                "liss", edge->id, i, edge->left_columns[i], edge->right_columns[i]))
      return FALSE;
  }
  return TRUE;
}

/* Who stores an edge: an analysis, which replaces it the next time, or a person or a measurement.
 */
typedef enum {
  BY_ANALYSIS,
  BY_HAND,
} StoredBy;

/* Once a person has had a hand in an edge it stays a person's. */
static gboolean
is_by_person (PlumbJoinEdge *edge, StoredBy by)
{
  return by == BY_HAND && g_strcmp0 (edge->basis, "person") == 0;
}

/* What analysis replaces is as new as the cards; for the rest the types tell when a key changed. */
static char *
get_key_types (PlumbTransaction *write, PlumbJoinEdge *edge, StoredBy by)
{
  if (!is_by_person (edge, by) && g_strcmp0 (edge->basis, "verified") != 0)
    return NULL;
  return plumb_transaction_get_key_types (write, edge);
}

static gboolean
insert_edge (PlumbTransaction *write, PlumbJoinEdge *edge, const char *identity, StoredBy by,
             GError **error)
{
  g_autofree char *types = get_key_types (write, edge, by);

  if (!plumb_transaction_run (write, error, "INSERT INTO edge (identity, name, left_database,"
                              " left_schema, left_table, right_database, right_schema, right_table,"
                              " cardinality, trust, basis, temporal_rule, evidence, state, usage,"
                              " by_person, key_types) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
                              " ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)", "sssssssssisssslis",
                              identity, edge->name, edge->left->database, edge->left->schema,
                              edge->left->table, edge->right->database, edge->right->schema,
                              edge->right->table, plumb_cardinality_to_string (edge->cardinality),
                              edge->trust, edge->basis, edge->temporal_rule, edge->evidence,
                              plumb_edge_state_to_string (edge->state), edge->usage,
                              is_by_person (edge, by), types))
    return FALSE;
  edge->id = plumb_transaction_get_inserted (write);
  return put_keys (write, edge, error);
}

static gboolean
update_edge (PlumbTransaction *write, PlumbJoinEdge *edge, const char *identity, StoredBy by,
             GError **error)
{
  g_autofree char *types = get_key_types (write, edge, by);

  if (!plumb_transaction_run (write, error, "UPDATE edge SET identity = ?2, name = ?3,"
                              " left_database = ?4, left_schema = ?5, left_table = ?6,"
                              " right_database = ?7, right_schema = ?8, right_table = ?9,"
                              " cardinality = ?10, trust = ?11, basis = ?12, temporal_rule = ?13,"
                              " evidence = ?14, state = ?15, usage = ?16,"
                              " by_person = max (by_person, ?17), key_types = ?18 WHERE id = ?1",
                              "lsssssssssisssslis", edge->id, identity, edge->name,
                              edge->left->database, edge->left->schema, edge->left->table,
                              edge->right->database, edge->right->schema, edge->right->table,
                              plumb_cardinality_to_string (edge->cardinality), edge->trust,
                              edge->basis, edge->temporal_rule, edge->evidence,
                              plumb_edge_state_to_string (edge->state), edge->usage,
                              is_by_person (edge, by), types))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no join %" G_GINT64_FORMAT ". List the joins to see which there are.",
                 edge->id);
    return FALSE;
  }
  return put_keys (write, edge, error);
}

/* What stands in the index for the same key pairs. */
typedef struct {
  gint64 id;
  gboolean kept;
  gboolean verified;
  gboolean seen;
  int trust;
  gint64 usage;
} StoredEdge;

/* The stored edge that a new one of the same key pairs and @name takes the place of: one of that
 * name first, else any that was inferred. Zero in @stored where there is none. */
static gboolean
find_stored (PlumbTransaction *write, const char *identity, const char *name, StoredEdge *stored,
             GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (
      write, error,
      "SELECT id, NOT (" IS_INFERRED "), usage FROM edge"
      " WHERE identity = ?1 AND (name IS ?2 OR by_person = 0)"
      " ORDER BY name IS ?2 DESC LIMIT 1",
      "ss", identity, name);
  int code = row != NULL ? plumb_transaction_step (write, row, error) : SQLITE_ERROR;

  *stored = (StoredEdge) { 0 };
  if (code == SQLITE_ROW) {
    stored->id = sqlite3_column_int64 (row, 0);
    stored->kept = sqlite3_column_int (row, 1);
    stored->usage = sqlite3_column_int64 (row, 2);
    sqlite3_reset (row);
  }
  return code == SQLITE_ROW || code == SQLITE_DONE;
}

/* Stores an edge that has no number yet. */
static gboolean
add_edge (PlumbTransaction *write, PlumbJoinEdge *edge, const char *identity, GError **error)
{
  StoredEdge stored;

  if (!plumb_transaction_check_keys (write, edge, error) ||
      !find_stored (write, identity, edge->name, &stored, error))
    return FALSE;
  if (stored.id == 0)
    return insert_edge (write, edge, identity, BY_HAND, error);
  edge->id = stored.id;
  edge->usage = MAX (edge->usage, stored.usage);
  if (stored.kept && g_strcmp0 (edge->basis, "person") != 0)
    return TRUE;
  return update_edge (write, edge, identity, BY_HAND, error);
}

/**
 * plumb_index_put_edge:
 * @self: an index
 * @edge: an edge; gets its number
 * @error: return location
 *
 * Stores an edge: in place of the one of its number; where it has none, in place of one with the
 * same key pairs and name, or of an inferred one with the same key pairs. An edge whose basis is
 * "person" is a person's from then on. What a person said or rejected is not replaced by an edge of
 * another basis without a number.
 *
 * Returns: the edge's number, 0 with PLUMB_ERROR_INVALID_ARGUMENT (no key columns, columns that the
 *   table doesn't have) or PLUMB_ERROR_NOT_FOUND
 */
gint64
plumb_index_put_edge (PlumbIndex *self, PlumbJoinEdge *edge, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  g_autofree char *identity = NULL;

  if (!check_edge (edge, error))
    return 0;
  identity = plumb_join_edge_get_identity (edge);
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  if (write == NULL || !(edge->id == 0 ? add_edge (write, edge, identity, error)
                                       : update_edge (write, edge, identity, BY_HAND, error)))
    return 0;
  return plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error)
             ? edge->id
             : 0;
}

/**
 * plumb_index_remove_edge:
 * @self: an index
 * @id: an edge
 * @error: return location
 *
 * Removes an edge. An inferred one comes back with the next analysis; reject it instead.
 *
 * Returns: whether it is removed; PLUMB_ERROR_NOT_FOUND where there is none
 */
gboolean
plumb_index_remove_edge (PlumbIndex *self, gint64 id, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  if (write == NULL ||
      !plumb_transaction_run (write, error, "DELETE FROM edge WHERE id = ?1", "l", id))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no join %" G_GINT64_FORMAT ". List the joins to see which there are.",
                 id);
    return FALSE;
  }
  return plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}

/* All edges of @database by their key pairs; where there are several, the one that is kept. */
static GHashTable *
list_stored (PlumbTransaction *write, const char *database, GError **error)
{
  g_autoptr (GHashTable) stored = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sqlite3_stmt *row = plumb_transaction_bind (write, error,
                                              "SELECT identity, id, NOT (" IS_INFERRED ") AS kept,"
                                              " basis IS 'verified', trust, usage FROM edge"
                                              " WHERE left_database = ?1 OR right_database = ?1"
                                              " ORDER BY kept, id", "s", database);
  int code = SQLITE_ERROR;

  while (row != NULL && (code = plumb_transaction_step (write, row, error)) == SQLITE_ROW) {
    StoredEdge *edge = g_new0 (StoredEdge, 1);

    edge->id = sqlite3_column_int64 (row, 1);
    edge->kept = sqlite3_column_int (row, 2);
    edge->verified = sqlite3_column_int (row, 3);
    edge->trust = sqlite3_column_int (row, 4);
    edge->usage = sqlite3_column_int64 (row, 5);
    g_hash_table_replace (stored, plumb_row_get_string (row, 0), edge);
  }
  return code == SQLITE_DONE ? g_steal_pointer (&stored) : NULL;
}

static gboolean
replace_edge (PlumbTransaction *write, GHashTable *stored, PlumbJoinEdge *edge, GError **error)
{
  g_autofree char *identity = plumb_join_edge_get_identity (edge);
  StoredEdge *found = g_hash_table_lookup (stored, identity);
  gboolean declared = g_strcmp0 (edge->basis, "declared") == 0;

  if (found == NULL) {
    found = g_new0 (StoredEdge, 1);
    if (!insert_edge (write, edge, identity, BY_ANALYSIS, error)) {
      g_free (found);
      return FALSE;
    }
    found->id = edge->id;
    g_hash_table_insert (stored, g_steal_pointer (&identity), found);
  } else {
    edge->id = found->id;
    edge->usage = found->usage;
    if (!found->kept && !(found->verified && !declared) &&
        !(found->seen && found->trust <= edge->trust) &&
        !update_edge (write, edge, identity, BY_ANALYSIS, error))
      return FALSE;
  }
  found->seen = TRUE;
  found->trust = edge->trust;
  return TRUE;
}

static gboolean
remove_unseen (PlumbTransaction *write, GHashTable *stored, GError **error)
{
  GHashTableIter iter;
  StoredEdge *edge;

  g_hash_table_iter_init (&iter, stored);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &edge)) {
    if (!edge->seen && !edge->kept && !edge->verified &&
        !plumb_transaction_run (write, error, "DELETE FROM edge WHERE id = ?1", "l", edge->id))
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_index_replace_inferred_edges:
 * @self: an index
 * @database: a source
 * @edges: (element-type PlumbJoinEdge): every edge that analysis found in it, declared or inferred;
 *   they get their numbers
 * @error: return location
 *
 * Puts @edges in place of those found by the last analysis, whatever their basis. An edge that is
 * found again keeps its number and usage. Left alone are edges of persons, rejected ones, and those
 * measured on data unless they are declared now; those of the first and last kind become stale
 * where a key column is gone or of another type, and active when it is back.
 *
 * Returns: whether all of this is stored
 */
gboolean
plumb_index_replace_inferred_edges (PlumbIndex *self, const char *database, GPtrArray *edges,
                                    GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  g_autoptr (GHashTable) stored = NULL;

  for (guint i = 0; i < edges->len; i++) {
    if (!check_edge (g_ptr_array_index (edges, i), error))
      return FALSE;
  }
  write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);
  if (write == NULL)
    return FALSE;
  stored = list_stored (write, database, error);
  if (stored == NULL)
    return FALSE;
  for (guint i = 0; i < edges->len; i++) {
    if (!replace_edge (write, stored, g_ptr_array_index (edges, i), error))
      return FALSE;
  }
  return remove_unseen (write, stored, error) &&
         plumb_transaction_refresh_kept_edges (write, database, error) &&
         plumb_transaction_touch_search (write, error) && plumb_transaction_commit (write, error);
}
