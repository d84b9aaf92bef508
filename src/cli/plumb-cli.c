/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <stdlib.h>
#include <unistd.h>

/**
 * plumb_cli_get_session:
 *
 * Opens the session when it is first needed, so that usage errors never touch the index. The local
 * day that relative dates count from is $PLUMBLINE_NOW (an ISO 8601 date) where that is set.
 *
 * Returns: (transfer none): the session, or %NULL with an error
 */
PlumbSession *
plumb_cli_get_session (PlumbCli *self, GError **error)
{
  PlumbSessionOptions options = { self->index_path, self->role, NULL, NULL };
  const char *now = g_getenv ("PLUMBLINE_NOW");
  g_autoptr (GDateTime) now_time = NULL;

  if (self->session != NULL)
    return self->session;
  if (now != NULL && *now != '\0') {
    g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
    g_autofree char *midnight = g_strdup_printf ("%sT00:00:00", now);

    now_time = g_date_time_new_from_iso8601 (now, zone);
    if (now_time == NULL)
      now_time = g_date_time_new_from_iso8601 (midnight, zone);
    if (now_time == NULL) {
      g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "PLUMBLINE_NOW is “%s”, which is no date. Write it as 2026-11-30.", now);
      return NULL;
    }
    options.now = now_time;
  }
  self->session = plumb_session_open (&options, error);
  return self->session;
}

/**
 * plumb_cli_parse:
 * @command: the command, for its help
 * @entries: (nullable): its own options
 * @argc: (inout): number of arguments; what is left behind the options
 * @argv: (inout): the arguments, the command's name first
 * @exit_code: (out): the exit code when there is nothing left to do
 *
 * Reads the options of a command, those that all commands share among them.
 *
 * Returns: whether to go on
 */
gboolean
plumb_cli_parse (PlumbCli *self, const PlumbCliCommand *command, const GOptionEntry *entries,
                 int *argc, char ***argv, int *exit_code)
{
  const GOptionEntry shared[] = {
    { "index", 0, 0, G_OPTION_ARG_FILENAME, &self->index_path, "Index file to use", "FILE" },
    { "role", 0, 0, G_OPTION_ARG_STRING, &self->role, "Access role", "NAME" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->json, "Print JSON alone on standard output", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree char *parameters = g_strdup_printf ("%s", command->arguments);
  g_autoptr (GOptionContext) context = g_option_context_new (parameters);
  g_autofree char *program = g_strdup_printf ("plumbline-cli %s", command->name);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, command->description);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_main_entries (context, shared, NULL);
  g_set_prgname (program);
  if (!g_option_context_parse (context, argc, argv, &error)) {
    *exit_code = plumb_cli_usage (self, command, error->message);
    return FALSE;
  }
  /* "--" ends the options and is no argument itself. */
  for (int i = 1; i < *argc; i++) {
    if (g_str_equal ((*argv)[i], "--")) {
      for (int j = i; j + 1 < *argc; j++)
        (*argv)[j] = (*argv)[j + 1];
      (*argc)--;
      break;
    }
  }
  return TRUE;
}

static void
print_error (PlumbCli *self, int exit_code, const char *message)
{
  g_autofree char *valid = g_utf8_make_valid (message, -1);

  g_printerr ("plumbline-cli: %s\n", valid);
  if (self->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "error");
    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "exit_code");
    plumb_json_writer_int (writer, exit_code);
    plumb_json_writer_name (writer, "message");
    plumb_json_writer_string (writer, valid);
    plumb_json_writer_end_object (writer);
    plumb_json_writer_end_object (writer);
    plumb_cli_print_json (writer);
  }
}

/** plumb_cli_fail: tells of @error. Returns: the exit code that it stands for */
int
plumb_cli_fail (PlumbCli *self, const GError *error)
{
  int exit_code = plumb_session_exit_code (error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    print_error (self, exit_code, "Cancelled.");
  else
    print_error (self, exit_code, error->message);
  return exit_code;
}

/** plumb_cli_usage: tells what was wrong with the call. Returns: PLUMB_CLI_USAGE */
int
plumb_cli_usage (PlumbCli *self, const PlumbCliCommand *command, const char *message)
{
  g_autofree char *text =
      g_strdup_printf ("%s\nUsage: plumbline-cli %s %s", message, command->name,
                       command->arguments);

  print_error (self, PLUMB_CLI_USAGE, text);
  return PLUMB_CLI_USAGE;
}

/** plumb_cli_print_json: prints what @writer holds as one line */
void
plumb_cli_print_json (PlumbJsonWriter *writer)
{
  g_autofree char *json = plumb_json_writer_finish (writer);

  g_print ("%s\n", json);
}

/** plumb_cli_progress: a #PlumbProgress that keeps one line of standard error up to date, if that is
 *  a terminal */
void
plumb_cli_progress (const char *doing, int done, int total, gpointer user_data)
{
  if (!isatty (STDERR_FILENO))
    return;
  if (total > 0)
    g_printerr ("\r\033[K%s (%d of %d)", doing, done, total);
  else
    g_printerr ("\r\033[K%s", doing);
  if (total > 0 && done >= total)
    g_printerr ("\r\033[K");
}

/** plumb_cli_format_time: Returns: (transfer full): seconds since the epoch as local time, "never"
 *  for 0 */
char *
plumb_cli_format_time (gint64 seconds)
{
  g_autoptr (GDateTime) time = NULL;

  if (seconds == 0)
    return g_strdup ("never");
  time = g_date_time_new_from_unix_local (seconds);
  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : g_strdup ("?");
}
