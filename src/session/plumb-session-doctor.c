/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session-private.h"

#include "odbc/plumb-odbc-source.h"
#include "plumb-names.h"

#include <glib/gstdio.h>

/** plumb_session_write_check: writes what was found, and where it isn't @ok, what to do */
void
plumb_session_write_check (PlumbJsonWriter *writer, const char *name, gboolean ok,
                           const char *detail, const char *advice)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "name");
  plumb_json_writer_string (writer, name);
  plumb_json_writer_name (writer, "ok");
  plumb_json_writer_boolean (writer, ok);
  plumb_json_writer_name (writer, "detail");
  plumb_json_writer_string (writer, detail);
  plumb_json_writer_name (writer, "advice");
  plumb_json_writer_string (writer, ok ? "" : advice);
  plumb_json_writer_end_object (writer);
}

/* Whether the model that is set answers and knows its name. */
static void
check_endpoint (PlumbSession *self, const PlumbModelSettings *settings, PlumbJsonWriter *writer,
                GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv)
      models = plumb_session_list_models (self, settings->base_address, NULL, cancellable, &error);
  g_autofree char *list = models != NULL ? plumb_names_list ((const char *const *) models, 10)
                                         : NULL;
  g_autofree char *address = plumb_session_show_model_address (settings->base_address);
  g_autofree char *detail = NULL;
  g_autofree char *advice = NULL;

  if (models == NULL) {
    detail = g_strdup_printf ("%s does not answer: %s", address, error->message);
    plumb_session_write_check (
        writer, "model", FALSE, detail,
        "Start the server, correct the address or the key, or choose the built-in planner.");
  } else if (*settings->model == '\0' ||
             !g_strv_contains ((const char *const *) models, settings->model)) {
    detail = g_strdup_printf ("%s answers, but has no model “%s”.", address, settings->model);
    advice = g_strdup_printf ("Choose one of its models: %s.", list);
    plumb_session_write_check (writer, "model", FALSE, detail, advice);
  } else {
    detail = g_strdup_printf ("%s at %s answers%s.", settings->model, address,
                              settings->from_environment ? " (set in the environment)" : "");
    plumb_session_write_check (writer, "model", TRUE, detail, "");
  }
}

/* Servers that were found are offered, and used only once the user has chosen one. */
static void
check_planner (PlumbJsonWriter *writer, GPtrArray *servers)
{
  g_autoptr (GString) advice = g_string_new ("No model is set. ");

  for (guint i = 0; servers != NULL && i < servers->len; i++) {
    const PlumbFoundServer *server = g_ptr_array_index (servers, i);
    g_autofree char *models = plumb_names_list ((const char *const *) server->models, 5);

    g_string_append_printf (advice, "Found %s at %s (%s). ", server->title, server->base_address,
                            models);
  }
  if (servers != NULL && servers->len > 0)
    g_string_append (
        advice, "It is used once you choose it in the preferences, or by PLUMBLINE_MODEL_URL and "
                "PLUMBLINE_MODEL_NAME.");
  else
    g_string_append (
        advice, "No local server was found either. Start one (Ollama, llama.cpp, LM Studio, vLLM, "
                "LiteLLM), or set PLUMBLINE_MODEL_URL and PLUMBLINE_MODEL_NAME.");
  plumb_session_write_check (
      writer, "model", FALSE,
      "The built-in planner answers: counts, sums, averages, groups and filters, in "
      "English.",
      advice->str);
}

static void
check_model (PlumbSession *self, PlumbJsonWriter *writer, GPtrArray *servers,
             GCancellable *cancellable)
{
  g_autoptr (PlumbModelSettings) settings = plumb_session_get_model (self);

  if (settings->is_planner)
    check_planner (writer, servers);
  else
    check_endpoint (self, settings, writer, cancellable);
}

static void
check_keyring (PlumbSession *self, PlumbJsonWriter *writer, GCancellable *cancellable)
{
  g_autofree char *reason = NULL;

  if (plumb_secrets_has_keyring (self->secrets, cancellable, &reason))
    plumb_session_write_check (writer, "keyring", TRUE,
                               "Passwords and keys are kept in the desktop's keyring.", "");
  else
    plumb_session_write_check (
        writer, "keyring", FALSE, reason,
        "Start a keyring (gnome-keyring, KWallet, KeePassXC). Until then passwords come from "
        "PLUMBLINE_PASSWORD_<NAME> and the model's key from PLUMBLINE_MODEL_KEY.");
}

/* One line a source: whether it connects. */
static void
check_source (PlumbSession *self, const PlumbSourceRecord *record, PlumbJsonWriter *writer,
              GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSource)
      source = plumb_workspace_get_source (self->workspace, record->name, &error);
  g_autofree char *name = g_strdup_printf ("source %s", record->name);
  g_autofree char *version = source != NULL ? plumb_source_get_version (source, cancellable, &error)
                                            : NULL;
  g_autofree char *detail = NULL;

  if (version == NULL) {
    plumb_session_write_check (writer, name, FALSE, error->message,
                               "Look at the address and the server; “source check” says more.");
    return;
  }
  detail = g_strdup_printf ("%s %s, %" G_GINT64_FORMAT " tables%s",
                            plumb_source_get_engine (source), version, record->n_tables,
                            record->analyzed_at == 0 ? ", Not analyzed" : "");
  plumb_session_write_check (writer, name, record->analyzed_at > 0, detail,
                             "Analyze it, so that its tables can be found.");
}

/* Engines that an address can be of; making a source doesn't connect it. */
static void
check_engines (PlumbJsonWriter *writer)
{
  static const char *const addresses[] = {
    "sqlite:///x",      "postgresql://h/d", "mariadb://h/d",
    "clickhouse://h/d", "odbc:DSN=x",       "catalog:///x",
  };
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *list = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    g_autoptr (PlumbSource) source = plumb_source_new ("x", addresses[i], NULL, NULL);

    if (source != NULL)
      g_strv_builder_add (names, plumb_source_get_engine (source));
  }
  all = g_strv_builder_end (names);
  list = plumb_names_list ((const char *const *) all, G_N_ELEMENTS (addresses));
  plumb_session_write_check (writer, "engines", TRUE, list, "");
}

/* Drivers are no part of Plumbline; without one only addresses that begin with odbc: don't work. */
static void
check_odbc (PlumbJsonWriter *writer)
{
  g_auto (GStrv) drivers = plumb_odbc_list_drivers ();
  g_auto (GStrv) data_sources = plumb_odbc_list_data_sources ();
  g_autofree char *driver_list = plumb_names_list ((const char *const *) drivers, 20);
  g_autofree char *source_list = plumb_names_list ((const char *const *) data_sources, 20);
  g_autofree char *detail = NULL;

  if (drivers[0] == NULL)
    detail = g_strdup ("No driver is installed; only odbc: addresses need one.");
  else
    detail = g_strdup_printf ("Drivers: %s. Data sources: %s.", driver_list,
                              data_sources[0] != NULL ? source_list : "none");
  plumb_session_write_check (writer, "odbc", TRUE, detail, "");
}

static void
check_sources (PlumbSession *self, PlumbJsonWriter *writer, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) records = plumb_session_list_sources (self, NULL);

  check_engines (writer);
  check_odbc (writer);
  if (records == NULL || records->len == 0)
    plumb_session_write_check (writer, "sources", FALSE, "No source was added yet.",
                               "Add a database, or the demo.");
  for (guint i = 0;
       records != NULL && i < records->len && !g_cancellable_is_cancelled (cancellable); i++)
    check_source (self, g_ptr_array_index (records, i), writer, cancellable);
}

static void
check_index (PlumbSession *self, PlumbJsonWriter *writer)
{
  GStatBuf status;
  g_autofree char *size = g_stat (self->index_path, &status) == 0 ? g_format_size (status.st_size)
                                                                  : g_strdup ("0 bytes");
  g_autofree char *detail = g_strdup_printf ("%s, %s, version %d", self->index_path, size,
                                             plumb_index_get_version (self->index));

  plumb_session_write_check (writer, "index", TRUE, detail, "");
}

static void
check_policy (PlumbSession *self, PlumbJsonWriter *writer)
{
  const char *role = plumb_access_get_role (self->access);
  g_autofree char *detail =
      role != NULL ? g_strdup_printf ("The access role “%s” is in force.", role)
                   : g_strdup ("No access role is in force: everything that the accounts may "
                               "select can be seen.");

  plumb_session_write_check (writer, "policy", TRUE, detail, "");
}

/**
 * plumb_session_doctor:
 * @self: a session
 * @cancellable: (nullable): leaves the rest out
 *
 * Returns: (transfer full): what was found on this machine, and what to do about what wasn't:
 *   `{"checks":[{"name","ok","detail","advice"}]}`
 */
char *
plumb_session_doctor (PlumbSession *self, GCancellable *cancellable)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GPtrArray) servers = plumb_model_discover (cancellable);
  gboolean has_demo = plumb_session_has_demo (self);

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "checks");
  plumb_json_writer_begin_array (writer);
  check_model (self, writer, servers, cancellable);
  plumb_session_check_embeddings (self, writer, servers, cancellable);
  plumb_session_check_reranker (self, writer, cancellable);
  check_keyring (self, writer, cancellable);
  check_sources (self, writer, cancellable);
  check_index (self, writer);
  check_policy (self, writer);
  plumb_session_write_check (
      writer, "demo", has_demo,
      has_demo ? "The demo databases are there." : "The demo was not added.",
      "Add it to try things out: plumbline-cli demo, or the first page of the window.");
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}
