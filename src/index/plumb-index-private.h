/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-index.h"

#include <sqlite3.h>

G_BEGIN_DECLS

/* What the files of this folder share. Nobody outside sees SQLite: storage may become a server. */

/* "Plmb" in the file's header tells an index from any other SQLite file. */
#define PLUMB_INDEX_APPLICATION_ID 0x506c6d62

/* How long a call waits for another program that holds the file. */
#define PLUMB_INDEX_BUSY_TIMEOUT_MS 5000

/* One SQLite connection, used by one thread at a time, with the statements that it has prepared. */
typedef struct {
  sqlite3 *db;
  GHashTable *statements;
  gint64 waiting_since;
} PlumbConnection;

struct _PlumbIndex {
  GObject parent_instance;

  char *path;
  int version;

  GMutex writer_mutex;
  PlumbConnection *writer;
  gboolean writer_durable;

  GMutex reader_mutex;
  GCond reader_cond;
  GPtrArray *idle_readers;
  guint n_readers;

  GMutex session_mutex;
  int session_file;
  gint64 session;

  guint64 generation;
};

/* Whether a commit has to survive a power cut. What a person wrote has to; what analysis can make
 * again need not. Both survive the death of the program. */
typedef enum {
  PLUMB_WRITE_KEPT,
  PLUMB_WRITE_DERIVED,
} PlumbWriteKind;

/**
 * PlumbTransaction:
 * @index: the index
 * @connection: the connection it runs on
 * @writes: whether it holds the writer
 * @generation: the generation that a commit gives, 0 where search isn't touched
 * @cards_touched: whether a commit changes what search derives from the cards
 *
 * A transaction on one connection, held by one thread. Freed without a commit it is rolled back.
 */
typedef struct {
  PlumbIndex *index;
  PlumbConnection *connection;
  gboolean writes;
  guint64 generation;
  gboolean cards_touched;
} PlumbTransaction;

typedef gpointer (*PlumbRowFunc) (sqlite3_stmt *row);

/* plumb-index-connection.c */
PlumbConnection  *plumb_connection_open   (const char *path, GError **error);
void              plumb_connection_close  (PlumbConnection *self);
gboolean          plumb_connection_exec   (PlumbConnection *self, const char *sql, GError **error);
gboolean          plumb_connection_get_pragma (PlumbConnection *self, const char *sql, gint64 *value, GError **error);
void              plumb_connection_set_error  (PlumbConnection *self, int code, GError **error);
void              plumb_index_set_error   (GError **error, int code, const char *path, const char *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbConnection, plumb_connection_close)

/* plumb-index-migrations.c */
gboolean          plumb_connection_migrate (PlumbConnection *self, int *version, GError **error);

/* plumb-index-transaction.c */
PlumbTransaction *plumb_index_begin_read  (PlumbIndex *self, GError **error);
PlumbTransaction *plumb_index_begin_write (PlumbIndex *self, PlumbWriteKind kind, GError **error);
gboolean          plumb_transaction_commit (PlumbTransaction *self, GError **error);
void              plumb_transaction_free  (PlumbTransaction *self);
gboolean          plumb_transaction_touch_search (PlumbTransaction *self, GError **error);
gboolean          plumb_transaction_touch_cards  (PlumbTransaction *self, GError **error);
sqlite3_stmt     *plumb_transaction_bind  (PlumbTransaction *self, GError **error, const char *sql, const char *types, ...);
int               plumb_transaction_step  (PlumbTransaction *self, sqlite3_stmt *statement, GError **error);
gboolean          plumb_transaction_run   (PlumbTransaction *self, GError **error, const char *sql, const char *types, ...);
GPtrArray        *plumb_transaction_list  (PlumbTransaction *self, sqlite3_stmt *statement, PlumbRowFunc read,
                                           GDestroyNotify free_element, GError **error);
gint64            plumb_transaction_get_inserted (PlumbTransaction *self);
int               plumb_transaction_get_changed  (PlumbTransaction *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbTransaction, plumb_transaction_free)

/* plumb-index-values.c */
char             *plumb_row_get_string    (sqlite3_stmt *row, int column);
GStrv             plumb_row_get_strv      (sqlite3_stmt *row, int column);
char             *plumb_strv_to_json      (const char *const *strings);

/* plumb-index-session.c */
gint64            plumb_index_get_session      (PlumbIndex *self, GError **error);
gboolean          plumb_index_is_session_alive (PlumbIndex *self, gint64 session);
void              plumb_index_close_session    (PlumbIndex *self);

/* plumb-index-joins.c */
GPtrArray        *plumb_transaction_list_kept_edges (PlumbTransaction *self, const char *database, GError **error);

/* plumb-index-keys.c */
char             *plumb_join_edge_get_identity    (PlumbJoinEdge *edge);
char             *plumb_transaction_get_key_types (PlumbTransaction *self, PlumbJoinEdge *edge);
gboolean          plumb_transaction_check_keys    (PlumbTransaction *self, PlumbJoinEdge *edge, GError **error);
gboolean          plumb_transaction_refresh_kept_edges (PlumbTransaction *self, const char *database, GError **error);

/* plumb-index-cards.c */
#define PLUMB_CARD_COLUMNS "database_name, schema_name, table_name, gone, analyzed_at, body"
#define PLUMB_CARD_TABLES "card JOIN card_body ON card_id = id"

PlumbCard        *plumb_row_get_card      (sqlite3_stmt *row, GError **error);

/* plumb-index-search.c. @generation changes with all that matters to search, @cards with the cards alone. */
typedef struct {
  guint64 generation;
  guint64 cards;
} PlumbSearchState;

gboolean          plumb_index_get_search_state   (PlumbIndex *self, PlumbSearchState *state, GError **error);
GPtrArray        *plumb_index_list_present_cards (PlumbIndex *self, PlumbSearchState *state, GError **error);

/* plumb-index-body.c */
GByteArray       *plumb_card_to_body      (PlumbCard *card);
gboolean          plumb_card_read_body    (PlumbCard *card, const guint8 *data, gsize length);

G_END_DECLS
