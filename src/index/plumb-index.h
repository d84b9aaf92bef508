/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-candidate.h"
#include "plumb-join-edge.h"
#include "plumb-records.h"
#include "plumb-trace.h"

G_BEGIN_DECLS

/**
 * PLUMB_INDEX_ERROR:
 *
 * What goes wrong with the local index file.
 */
#define PLUMB_INDEX_ERROR (plumb_index_error_quark ())

/**
 * PlumbIndexError:
 * @PLUMB_INDEX_ERROR_LOCKED: another program holds the file and did not let go in time
 * @PLUMB_INDEX_ERROR_TOO_NEW: written by a newer version of the program
 * @PLUMB_INDEX_ERROR_NO_INDEX: the file is no index (another SQLite file, or no database at all)
 * @PLUMB_INDEX_ERROR_DAMAGED: SQLite says that the file is damaged
 * @PLUMB_INDEX_ERROR_FULL: the disk is full
 * @PLUMB_INDEX_ERROR_FAILED: anything else, with SQLite's message
 */
typedef enum {
  PLUMB_INDEX_ERROR_LOCKED,
  PLUMB_INDEX_ERROR_TOO_NEW,
  PLUMB_INDEX_ERROR_NO_INDEX,
  PLUMB_INDEX_ERROR_DAMAGED,
  PLUMB_INDEX_ERROR_FULL,
  PLUMB_INDEX_ERROR_FAILED,
} PlumbIndexError;

GQuark plumb_index_error_quark (void);

/**
 * PlumbIndex:
 *
 * The local index: sources, cards, join edges, notes, conversations, audit records. A SQLite file
 * in WAL mode, one writer, a few readers. All calls block, are safe from any thread, and either do
 * the whole of what they say or nothing.
 */
#define PLUMB_TYPE_INDEX (plumb_index_get_type ())
G_DECLARE_FINAL_TYPE (PlumbIndex, plumb_index, PLUMB, INDEX, GObject)

/**
 * PlumbIndexTable:
 * @name: the full name
 * @role: fact, dimension …
 * @status: live, backup …
 * @selectable: whether the account may read it
 * @gone: whether the last analysis no longer found it
 *
 * What a list of tables needs of a card.
 */
typedef struct {
  PlumbTableName *name;
  PlumbRole role;
  PlumbStatus status;
  gboolean selectable;
  gboolean gone;
} PlumbIndexTable;

void        plumb_index_table_free   (PlumbIndexTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbIndexTable, plumb_index_table_free)

PlumbIndex *plumb_index_open         (const char *path, GError **error);
const char *plumb_index_get_path     (PlumbIndex *self);
int         plumb_index_get_version  (PlumbIndex *self);
guint64     plumb_index_get_generation (PlumbIndex *self);

/* plumb-index-sources.c */
gboolean    plumb_index_add_source      (PlumbIndex *self, const PlumbSourceRecord *record, GError **error);
gboolean    plumb_index_update_source   (PlumbIndex *self, const PlumbSourceRecord *record, GError **error);
gboolean    plumb_index_remove_source   (PlumbIndex *self, const char *name, GError **error);
GPtrArray  *plumb_index_list_sources    (PlumbIndex *self, GError **error);
PlumbSourceRecord *plumb_index_get_source (PlumbIndex *self, const char *name, GError **error);

/* plumb-index-cards.c. The whole analysis of a database is stored in one transaction a table: a
 * killed run leaves each card old or new, and plumb_index_finish_analysis() marks what vanished. A
 * card's source must be there. The keys of fingerprints and of @present are
 * plumb_table_name_join (NULL, schema, table). */
gboolean    plumb_index_put_card        (PlumbIndex *self, PlumbCard *card, GError **error);
gboolean    plumb_index_put_cards       (PlumbIndex *self, GPtrArray *cards, GError **error);
PlumbCard  *plumb_index_get_card        (PlumbIndex *self, const char *database, const char *schema,
                                         const char *table, GError **error);
PlumbCard  *plumb_index_resolve_card    (PlumbIndex *self, const char *name, const char *const *databases,
                                         GError **error);
GPtrArray  *plumb_index_list_cards      (PlumbIndex *self, const char *database, GError **error);
GPtrArray  *plumb_index_list_tables     (PlumbIndex *self, const char *database, GError **error);
GHashTable *plumb_index_get_fingerprints (PlumbIndex *self, const char *database, GError **error);
gboolean    plumb_index_finish_analysis (PlumbIndex *self, const char *database, GHashTable *present,
                                         const char *summary, const char *version, GError **error);

/* plumb-index-notes.c */
gint64      plumb_index_add_note        (PlumbIndex *self, const PlumbNote *note, GError **error);
gboolean    plumb_index_edit_note       (PlumbIndex *self, gint64 id, const char *text, const char *author, GError **error);
gboolean    plumb_index_retire_note     (PlumbIndex *self, gint64 id, const char *author, GError **error);
gboolean    plumb_index_restore_note    (PlumbIndex *self, gint64 id, const char *author, GError **error);
GPtrArray  *plumb_index_list_notes      (PlumbIndex *self, const char *database, const char *schema,
                                         const char *table, gboolean with_retired, GError **error);
GPtrArray  *plumb_index_list_note_versions (PlumbIndex *self, gint64 id, GError **error);

/* plumb-index-joins.c. Replacing the inferred edges of a database leaves those of persons alone. */
gint64      plumb_index_put_edge        (PlumbIndex *self, PlumbJoinEdge *edge, GError **error);
gboolean    plumb_index_remove_edge     (PlumbIndex *self, gint64 id, GError **error);
gboolean    plumb_index_replace_inferred_edges (PlumbIndex *self, const char *database, GPtrArray *edges, GError **error);
GPtrArray  *plumb_index_list_edges      (PlumbIndex *self, const char *database, GError **error);

/* plumb-index-conversations.c */
gint64      plumb_index_add_conversation    (PlumbIndex *self, const char *title, GError **error);
gboolean    plumb_index_rename_conversation (PlumbIndex *self, gint64 id, const char *title, GError **error);
gboolean    plumb_index_delete_conversation (PlumbIndex *self, gint64 id, GError **error);
GPtrArray  *plumb_index_list_conversations  (PlumbIndex *self, GError **error);
gint64      plumb_index_begin_turn          (PlumbIndex *self, gint64 conversation_id, PlumbTurn *turn, GError **error);
gboolean    plumb_index_put_step            (PlumbIndex *self, const PlumbStep *step, GError **error);
gboolean    plumb_index_finish_turn         (PlumbIndex *self, const PlumbTurn *turn, GError **error);
GPtrArray  *plumb_index_list_turns          (PlumbIndex *self, gint64 conversation_id, GError **error);

/* plumb-index-audit.c */
gint64      plumb_index_begin_audit     (PlumbIndex *self, const PlumbAuditRecord *record, GError **error);
gboolean    plumb_index_finish_audit    (PlumbIndex *self, const PlumbAuditRecord *record, GError **error);
GPtrArray  *plumb_index_list_audit      (PlumbIndex *self, gint64 before_id, guint limit, GError **error);
PlumbAuditRecord *plumb_index_get_audit (PlumbIndex *self, gint64 id, GError **error);

/* plumb-index-questions.c */
gint64      plumb_index_add_question    (PlumbIndex *self, const PlumbKnownQuestion *question, GError **error);
gboolean    plumb_index_remove_question (PlumbIndex *self, gint64 id, GError **error);
gboolean    plumb_index_store_places    (PlumbIndex *self, GPtrArray *questions, GError **error);
GPtrArray  *plumb_index_list_questions  (PlumbIndex *self, const char *database, GError **error);

/* plumb-index-approved.c */
gint64      plumb_index_approve         (PlumbIndex *self, const PlumbApproved *approved, GError **error);
gboolean    plumb_index_remove_approved (PlumbIndex *self, gint64 id, GError **error);
GPtrArray  *plumb_index_list_approved   (PlumbIndex *self, GError **error);

/* plumb-index-examples.c */
gboolean    plumb_index_replace_examples (PlumbIndex *self, const char *database, GPtrArray *examples, GError **error);
GPtrArray  *plumb_index_list_examples   (PlumbIndex *self, GError **error);
GPtrArray  *plumb_index_list_answered   (PlumbIndex *self, GError **error);

/* Drafts, answers to one-time questions and other small things a person's work hangs on. */
char       *plumb_index_get_value       (PlumbIndex *self, const char *key);
gboolean    plumb_index_set_value       (PlumbIndex *self, const char *key, const char *value, GError **error);

G_END_DECLS
