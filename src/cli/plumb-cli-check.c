/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <string.h>

/* Checks the statements of a JSON lines file; a line that can't be read gets a refusal of its own. */
static int
check_batch (PlumbCli *cli, PlumbSession *session, const char *database, const char *dialect,
             const char *path)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, &length, &error))
    return plumb_cli_fail (cli, error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr (JsonNode) node = NULL;
    g_autofree char *answer = NULL;
    g_autofree char *id = NULL;
    const char *sql = NULL;
    JsonObject *object = NULL;

    if (*g_strstrip (lines[i]) == '\0')
      continue;
    node = plumb_json_parse (lines[i], -1, NULL);
    if (node != NULL && JSON_NODE_HOLDS_OBJECT (node)) {
      object = json_node_get_object (node);
      sql = plumb_json_get_string (object, "sql", NULL);
      id = g_strdup (plumb_json_get_string (object, "id", NULL));
    }
    if (sql == NULL) {
      g_set_error (&error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                   "%s, line %u: every line must be a JSON object with a string “sql”.", path, i + 1);
      return plumb_cli_fail (cli, error);
    }
    answer = plumb_session_check (session, database, dialect, sql, -1, id, &error);
    if (answer == NULL)
      return plumb_cli_fail (cli, error);
    g_print ("%s\n", answer);
  }
  return PLUMB_CLI_DONE;
}

static int
check_one (PlumbCli *cli, PlumbSession *session, const char *database, const char *dialect,
           const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *answer = plumb_session_check (session, database, dialect, sql, -1, NULL, &error);
  JsonObject *object;
  gboolean allowed;

  if (answer == NULL)
    return plumb_cli_fail (cli, error);
  node = plumb_json_parse (answer, -1, &error);
  if (node == NULL)
    return plumb_cli_fail (cli, error);
  object = json_node_get_object (node);
  allowed = strcmp (plumb_json_get_string (object, "verdict", ""), "allow") == 0;
  if (cli->json) {
    g_print ("%s\n", answer);
  } else if (allowed) {
    g_auto (GStrv) tables = plumb_json_get_strv (object, "tables");
    g_autofree char *list = tables != NULL ? g_strjoinv (", ", tables) : NULL;

    g_print ("Allowed. It reads: %s\n", list != NULL && *list != '\0' ? list : "no table");
  } else {
    g_print ("Refused: %s\n", plumb_json_get_string (object, "reason", ""));
  }
  return allowed ? PLUMB_CLI_DONE : 3;
}

static int
run_check (PlumbCli *cli, int argc, char **argv)
{
  g_autofree char *database = NULL;
  g_autofree char *dialect = NULL;
  g_autofree char *batch = NULL;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING, &database, "Source that the statement is for", "NAME" },
    { "dialect", 0, 0, G_OPTION_ARG_STRING, &dialect,
      "postgres, mariadb, clickhouse, sqlite, oracle, sqlserver or generic, without a source", "D" },
    { "batch", 0, 0, G_OPTION_ARG_FILENAME, &batch, "JSON lines, each with a member “sql”", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_check, entries, &argc, &argv, &exit_code))
    return exit_code;
  if ((database == NULL) == (dialect == NULL))
    return plumb_cli_usage (cli, &plumb_cli_check, "Give either --db or --dialect.");
  if ((argc == 2) == (batch != NULL) || argc > 2)
    return plumb_cli_usage (cli, &plumb_cli_check, "Give either one statement or --batch FILE.");
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL)
    return plumb_cli_fail (cli, error);
  return batch != NULL ? check_batch (cli, session, database, dialect, batch)
                       : check_one (cli, session, database, dialect, argv[1]);
}

const PlumbCliCommand plumb_cli_check = {
  "check", "--db NAME SQL | (--db NAME | --dialect D) --batch FILE.jsonl",
  "Say whether a statement only reads, and what; nothing is run", run_check
};
