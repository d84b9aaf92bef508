/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

G_BEGIN_DECLS

/**
 * PlumbCli:
 * @index_path: (nullable): --index
 * @role: (nullable): --role
 * @json: --json
 * @cancellable: cancelled by an interrupt (Ctrl+C)
 * @session: (nullable): opened when first asked for, see plumb_cli_get_session()
 *
 * What the commands share: the options that stand before or behind any command.
 */
typedef struct {
  char *index_path;
  char *role;
  gboolean json;
  GCancellable *cancellable;
  PlumbSession *session;
} PlumbCli;

/**
 * PlumbCliCommand:
 * @name: as typed
 * @arguments: what stands behind it, for the help
 * @summary: a line for the help
 * @run: does it; @argv holds the command's own arguments, its name first. Returns the exit code
 * @description: (nullable): what else there is to know, behind the options in the command's help
 */
typedef struct {
  const char *name;
  const char *arguments;
  const char *summary;
  int (*run) (PlumbCli *cli, int argc, char **argv);
  const char *description;
} PlumbCliCommand;

/* Exit codes of DESIGN section 11 that a command decides on by itself. */
#define PLUMB_CLI_DONE 0
#define PLUMB_CLI_FAILED 1
#define PLUMB_CLI_USAGE 2

PlumbSession *plumb_cli_get_session (PlumbCli *self, GError **error);
gboolean      plumb_cli_parse       (PlumbCli *self, const PlumbCliCommand *command, const GOptionEntry *entries,
                                     int *argc, char ***argv, int *exit_code);
int           plumb_cli_fail        (PlumbCli *self, const GError *error);
int           plumb_cli_usage       (PlumbCli *self, const PlumbCliCommand *command, const char *message);
void          plumb_cli_print_json  (PlumbJsonWriter *writer);
void          plumb_cli_progress    (const char *doing, int done, int total, gpointer user_data);
char         *plumb_cli_format_time (gint64 seconds);

/* plumb-cli-embed.c */
void          plumb_cli_write_embedding (PlumbJsonWriter *writer, const PlumbEmbeddingProgress *progress);
void          plumb_cli_print_embedding (PlumbCli *self, const PlumbEmbeddingProgress *progress);

/* plumb-cli-table.c */
typedef struct _PlumbCliTable PlumbCliTable;

PlumbCliTable *plumb_cli_table_new   (const char *const *headings);
void           plumb_cli_table_right (PlumbCliTable *self, guint column);
void           plumb_cli_table_add   (PlumbCliTable *self, ...) G_GNUC_NULL_TERMINATED;
void           plumb_cli_table_take  (PlumbCliTable *self, GStrv cells);
void           plumb_cli_table_print (PlumbCliTable *self);
void           plumb_cli_table_free  (PlumbCliTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbCliTable, plumb_cli_table_free)

extern const PlumbCliCommand plumb_cli_analyze;
extern const PlumbCliCommand plumb_cli_approve;
extern const PlumbCliCommand plumb_cli_approved;
extern const PlumbCliCommand plumb_cli_ask;
extern const PlumbCliCommand plumb_cli_audit;
extern const PlumbCliCommand plumb_cli_card;
extern const PlumbCliCommand plumb_cli_check;
extern const PlumbCliCommand plumb_cli_demo;
extern const PlumbCliCommand plumb_cli_doctor;
extern const PlumbCliCommand plumb_cli_embed;
extern const PlumbCliCommand plumb_cli_eval;
extern const PlumbCliCommand plumb_cli_explain;
extern const PlumbCliCommand plumb_cli_export;
extern const PlumbCliCommand plumb_cli_joins;
extern const PlumbCliCommand plumb_cli_note;
extern const PlumbCliCommand plumb_cli_query;
extern const PlumbCliCommand plumb_cli_questions;
extern const PlumbCliCommand plumb_cli_search;
extern const PlumbCliCommand plumb_cli_source;

G_END_DECLS
