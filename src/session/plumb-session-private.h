/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-secrets.h"
#include "plumb-session.h"
#include "plumb-workspace.h"

#include "plumb-model.h"

G_BEGIN_DECLS

/* Settings that the session reads, in the schema or under the same keys in the index. */
#define PLUMB_SETTING_MODEL_ADDRESS "model-address"
#define PLUMB_SETTING_MODEL_NAME    "model-name"
#define PLUMB_SETTING_QUERY_SECONDS "query-seconds"
#define PLUMB_SETTING_QUERY_ROWS    "query-rows"
#define PLUMB_SETTING_CONCURRENCY   "queries-per-database"

struct _PlumbSession {
  GObject parent_instance;

  char *index_path;
  char *policy_path;
  PlumbIndex *index;
  PlumbAccess *access;
  PlumbWorkspace *workspace;
  PlumbSecrets *secrets;
  GDateTime *now;
};

/* plumb-session.c */
GDateTime *plumb_session_get_now (PlumbSession *self);
char *plumb_session_make_data_path (const char *name);

/* plumb-session-settings.c */
char *plumb_session_get_setting (PlumbSession *self, const char *key);
gboolean plumb_session_set_setting (PlumbSession *self, const char *key, const char *value,
                                    GError **error);
PlumbLimits plumb_session_get_limits (PlumbSession *self);
guint plumb_session_get_concurrency (PlumbSession *self);

/* plumb-session-model.c */
PlumbModel *plumb_session_make_model (PlumbSession *self);
char *plumb_session_show_model_address (const char *address);

G_END_DECLS
