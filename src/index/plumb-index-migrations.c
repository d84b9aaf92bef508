/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

/* Migrations in their order; the n-th leads from schema version n to n + 1 and is never changed
 * once it has been released. A table that people write into names its tables, rather than pointing
 * at cards, so that what they wrote outlives the card. `generation` in a card is that of the commit
 * that wrote it last. What a card holds stands apart, so that lists and look-ups read little. */
static const char *const migrations[] = {
  /* 1 */
  "CREATE TABLE state (generation INTEGER NOT NULL);"
  "INSERT INTO state VALUES (1);"
  "CREATE TABLE value (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
  "CREATE TABLE source (name TEXT PRIMARY KEY, folded_name TEXT NOT NULL UNIQUE, uri TEXT NOT NULL,"
  "  engine TEXT, version TEXT, summary TEXT, risk_accepted INTEGER NOT NULL,"
  "  added_at INTEGER NOT NULL, analyzed_at INTEGER NOT NULL);"
  "CREATE TABLE card (id INTEGER PRIMARY KEY, database_name TEXT NOT NULL, schema_name TEXT NOT "
  "NULL,"
  "  table_name TEXT NOT NULL, folded_name TEXT NOT NULL, role TEXT NOT NULL, status TEXT NOT NULL,"
  "  selectable INTEGER NOT NULL, gone INTEGER NOT NULL, analyzed_at INTEGER NOT NULL,"
  "  fingerprint TEXT, generation INTEGER NOT NULL);"
  "CREATE TABLE card_body (card_id INTEGER PRIMARY KEY REFERENCES card (id) ON DELETE CASCADE,"
  "  body BLOB NOT NULL);"
  "CREATE UNIQUE INDEX card_by_name ON card (database_name, schema_name, table_name);"
  "CREATE INDEX card_by_table ON card (table_name);"
  "CREATE INDEX card_by_folded_name ON card (folded_name);"
  "CREATE INDEX card_by_presence ON card (database_name, gone);"
  "CREATE INDEX card_by_generation ON card (generation);"
  "CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, database_name TEXT NOT NULL,"
  "  schema_name TEXT NOT NULL, table_name TEXT NOT NULL, text TEXT NOT NULL, author TEXT,"
  "  origin TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,"
  "  retired INTEGER NOT NULL DEFAULT 0, retired_by TEXT, retired_at INTEGER);"
  "CREATE INDEX note_by_table ON note (database_name, schema_name, table_name);"
  "CREATE TABLE note_version (note_id INTEGER NOT NULL REFERENCES note (id), at INTEGER NOT NULL,"
  "  author TEXT, text TEXT NOT NULL);"
  "CREATE INDEX note_version_by_note ON note_version (note_id);"
  "CREATE TABLE edge (id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL, name TEXT,"
  "  left_database TEXT NOT NULL, left_schema TEXT NOT NULL, left_table TEXT NOT NULL,"
  "  right_database TEXT NOT NULL, right_schema TEXT NOT NULL, right_table TEXT NOT NULL,"
  "  cardinality TEXT NOT NULL, trust INTEGER NOT NULL, basis TEXT, temporal_rule TEXT,"
  "  evidence TEXT, state TEXT NOT NULL, usage INTEGER NOT NULL, by_person INTEGER NOT NULL,"
  "  key_types TEXT);"
  "CREATE INDEX edge_by_identity ON edge (identity);"
  "CREATE INDEX edge_by_left ON edge (left_database, left_schema, left_table);"
  "CREATE INDEX edge_by_right ON edge (right_database, right_schema, right_table);"
  "CREATE TABLE edge_key (edge_id INTEGER NOT NULL REFERENCES edge (id) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL, left_column TEXT NOT NULL, right_column TEXT NOT NULL,"
  "  PRIMARY KEY (edge_id, position)) WITHOUT ROWID;"
  "CREATE TABLE conversation (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL,"
  "  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);"
  "CREATE TABLE turn (id INTEGER PRIMARY KEY AUTOINCREMENT,"
  "  conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,"
  "  question TEXT NOT NULL, answer TEXT, error TEXT, model TEXT, state TEXT NOT NULL,"
  "  started_at INTEGER NOT NULL, elapsed_us INTEGER NOT NULL, session INTEGER NOT NULL);"
  "CREATE INDEX turn_by_conversation ON turn (conversation_id);"
  "CREATE TABLE step (turn_id INTEGER NOT NULL REFERENCES turn (id) ON DELETE CASCADE,"
  "  number INTEGER NOT NULL, round INTEGER NOT NULL, kind INTEGER NOT NULL, tool TEXT,"
  "  arguments TEXT, result TEXT, error TEXT, state TEXT NOT NULL, started_at INTEGER NOT NULL,"
  "  elapsed_us INTEGER NOT NULL, audit_id INTEGER NOT NULL, PRIMARY KEY (turn_id, number));"
  "CREATE TABLE answer_number (turn_id INTEGER NOT NULL REFERENCES turn (id) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,"
  "  audit_id INTEGER NOT NULL, step_number INTEGER NOT NULL, found INTEGER NOT NULL,"
  "  PRIMARY KEY (turn_id, position)) WITHOUT ROWID;"
  "CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, user TEXT,"
  "  origin TEXT, database_name TEXT NOT NULL, sql TEXT NOT NULL, question TEXT,"
  "  turn_id INTEGER NOT NULL, tables TEXT, state TEXT NOT NULL, error TEXT,"
  "  elapsed_ms INTEGER NOT NULL, row_count INTEGER NOT NULL, truncated_by TEXT, result TEXT);"
  "CREATE TABLE approved (id INTEGER PRIMARY KEY AUTOINCREMENT, audit_id INTEGER NOT NULL,"
  "  question TEXT NOT NULL, database_name TEXT NOT NULL, sql TEXT NOT NULL, tables TEXT,"
  "  author TEXT, at INTEGER NOT NULL);",
  /* 2: who runs a statement, so that one whose program died isn't running for ever. */
  "ALTER TABLE audit ADD COLUMN session INTEGER NOT NULL DEFAULT 0;",
  /* 3: vectors. `chunks` in a card is the generation that its chunks were made for. A vector has 16
   * bits a number: the high bytes stand together in blocks, in the order of `vector.id`, and are
   * what search scans; the low bytes are read for the best few. `epoch` grows when vectors go, and
   * `mapping` when cards get other chunks. */
  "ALTER TABLE card ADD COLUMN chunks INTEGER NOT NULL DEFAULT 0;"
  "CREATE INDEX card_by_stale_chunks ON card (id) WHERE chunks <> generation;"
  "CREATE TABLE chunk (card_id INTEGER NOT NULL REFERENCES card (id) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (card_id, position)) WITHOUT ROWID;"
  "CREATE INDEX chunk_by_hash ON chunk (hash);"
  "CREATE TABLE vector_model (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,"
  "  n_dimensions INTEGER NOT NULL, serves INTEGER NOT NULL, epoch INTEGER NOT NULL,"
  "  mapping INTEGER NOT NULL, n_vectors INTEGER NOT NULL);"
  "CREATE TABLE vector (id INTEGER PRIMARY KEY AUTOINCREMENT, model_id INTEGER NOT NULL"
  "  REFERENCES vector_model (id) ON DELETE CASCADE, hash BLOB NOT NULL, low BLOB NOT NULL);"
  "CREATE UNIQUE INDEX vector_by_hash ON vector (model_id, hash);"
  "CREATE TABLE vector_block (id INTEGER PRIMARY KEY AUTOINCREMENT, model_id INTEGER NOT NULL"
  "  REFERENCES vector_model (id) ON DELETE CASCADE, n_vectors INTEGER NOT NULL,"
  "  ids BLOB NOT NULL, scales BLOB NOT NULL, high BLOB NOT NULL);"
  "CREATE INDEX vector_block_by_model ON vector_block (model_id);",
  /* 4: what search derives from the cards is kept beside the file. A random number tells whether it still
   * fits: one that counts would come again after a backup is put back. */
  ("ALTER TABLE state ADD COLUMN cards INTEGER NOT NULL DEFAULT 0;"
   "UPDATE state SET cards = random();"),
  /* 5: questions of which people know the tables, with what search last made of them. */
  "CREATE TABLE known_question (id INTEGER PRIMARY KEY AUTOINCREMENT, database_name TEXT NOT NULL,"
  "  question TEXT NOT NULL, tables TEXT NOT NULL, author TEXT, at INTEGER NOT NULL,"
  "  places TEXT, run_at INTEGER NOT NULL DEFAULT 0, was_complete INTEGER NOT NULL DEFAULT 0,"
  "  UNIQUE (database_name, question));",
  /* 6: questions that domain files give as examples, written by analysis. */
  "CREATE TABLE example (database_name TEXT NOT NULL, position INTEGER NOT NULL, question TEXT NOT NULL,"
  "  domain TEXT NOT NULL, tables TEXT, PRIMARY KEY (database_name, position)) WITHOUT ROWID;",
};

#define NEWEST_VERSION ((int) G_N_ELEMENTS (migrations))

static gboolean
read_header (PlumbConnection *self, gint64 *application_id, gint64 *version, gint64 *n_objects,
             GError **error)
{
  return plumb_connection_get_pragma (self, "PRAGMA application_id", application_id, error) &&
         plumb_connection_get_pragma (self, "PRAGMA user_version", version, error) &&
         plumb_connection_get_pragma (self, "SELECT count(*) FROM sqlite_schema", n_objects, error);
}

/* Whether the file is an index that this program knows, or an empty file that can become one. */
static gboolean
check_header (PlumbConnection *self, gint64 *version, GError **error)
{
  const char *path = sqlite3_db_filename (self->db, "main");
  gint64 application_id, n_objects;

  if (!read_header (self, &application_id, version, &n_objects, error))
    return FALSE;
  if (application_id != PLUMB_INDEX_APPLICATION_ID &&
      (application_id != 0 || *version != 0 || n_objects != 0)) {
    g_set_error (error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_NO_INDEX,
                 "%s is a database of another program, not a Plumbline index. Name another file; "
                 "to ask questions of that database, add it as a source.", path);
    return FALSE;
  }
  if (*version > NEWEST_VERSION) {
    g_set_error (
        error, PLUMB_INDEX_ERROR, PLUMB_INDEX_ERROR_TOO_NEW,
        "The index %s was written by a newer Plumbline (schema %d, this program knows %d). "
        "Use the newer program, or another index; this one was left as it is.",
        path, (int)*version, NEWEST_VERSION);
    return FALSE;
  }
  return TRUE;
}

static gboolean
run_migration (PlumbConnection *self, int from, GError **error)
{
  g_autofree char *stamp = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d;",
                                            PLUMB_INDEX_APPLICATION_ID, from + 1);

  return plumb_connection_exec (self, migrations[from], error) &&
         plumb_connection_exec (self, stamp, error);
}

/* One migration and its number are one transaction, so that a killed program leaves the file in
 * the old version or in the new one. Another program may have done the work while we waited. */
static gboolean
migrate_one (PlumbConnection *self, gint64 *version, GError **error)
{
  gboolean done;

  if (!plumb_connection_exec (self, "BEGIN IMMEDIATE", error))
    return FALSE;
  done = check_header (self, version, error) &&
         (*version == NEWEST_VERSION || run_migration (self, *version, error)) &&
         plumb_connection_exec (self, "COMMIT", error);
  if (!done && !sqlite3_get_autocommit (self->db))
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  if (done && *version < NEWEST_VERSION)
    (*version)++;
  return done;
}

/* SQLite doesn't wait by itself when two programs switch a new file to WAL at once. */
static gboolean
switch_to_wal (PlumbConnection *self, GError **error)
{
  gint64 deadline = g_get_monotonic_time () + PLUMB_INDEX_BUSY_TIMEOUT_MS * 1000;
  int code;

  do {
    code = sqlite3_exec (self->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    if ((code & 0xff) != SQLITE_BUSY)
      break;
    g_usleep (10 * 1000);
  } while (g_get_monotonic_time () < deadline);
  if (code == SQLITE_OK)
    return TRUE;
  plumb_connection_set_error (self, code, error);
  return FALSE;
}

/**
 * plumb_connection_migrate:
 * @self: the writer
 * @version: (out): the schema version afterwards
 * @error: return location
 *
 * Looks at the file, and makes an index of an empty one or a newer index of an old one. A file that
 * is not ours, or of a newer program, isn't changed by a byte.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_connection_migrate (PlumbConnection *self, int *version, GError **error)
{
  gint64 found;

  /* Closing would write the log back into the file. All that is looked at has to be of one moment:
   * another program may be making the file right now. */
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  if (!plumb_connection_exec (self, "BEGIN", error) || !check_header (self, &found, error) ||
      !plumb_connection_exec (self, "COMMIT", error))
    return FALSE;
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);

  if (!switch_to_wal (self, error) ||
      !plumb_connection_exec (self, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;"
                                    "PRAGMA journal_size_limit = 67108864", error))
    return FALSE;
  while (found < NEWEST_VERSION) {
    if (!migrate_one (self, &found, error))
      return FALSE;
  }
  *version = found;
  return TRUE;
}
