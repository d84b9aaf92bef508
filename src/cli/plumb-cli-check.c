/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <string.h>

/* What the statements are held against: a source, or a dialect alone. */
typedef struct {
  PlumbCli *cli;
  PlumbSession *session;
  char *database;
  char *dialect;
  char *schema;
} Check;

static char *
check_text (Check *check, const char *sql, const char *id, GError **error)
{
  return check->database != NULL
             ? plumb_session_check (check->session, check->database, NULL, sql, -1, id, error)
             : plumb_session_check_dialect (check->dialect, check->schema, sql, -1, id, error);
}

/* Checks the statements of a JSON lines file; a line that can't be read gets a refusal of its own. */
static int
check_batch (Check *check, const char *path)
{
  PlumbCli *cli = check->cli;
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
    answer = check_text (check, sql, id, &error);
    if (answer == NULL)
      return plumb_cli_fail (cli, error);
    g_print ("%s\n", answer);
  }
  return PLUMB_CLI_DONE;
}

static int
check_one (Check *check, const char *sql)
{
  PlumbCli *cli = check->cli;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *answer = check_text (check, sql, NULL, &error);
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
  g_autofree char *schema = NULL;
  g_autofree char *batch = NULL;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING, &database, "Source that the statement is for", "NAME" },
    { "dialect", 0, 0, G_OPTION_ARG_STRING, &dialect,
      "postgres, mariadb, clickhouse, sqlite, oracle, sqlserver or generic, without a source", "D" },
    { "schema", 0, 0, G_OPTION_ARG_STRING, &schema,
      "With --dialect: the schema that unqualified names mean", "NAME" },
    { "batch", 0, 0, G_OPTION_ARG_FILENAME, &batch, "JSON lines, each with a member “sql”", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GError) error = NULL;
  Check check;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_check, entries, &argc, &argv, &exit_code))
    return exit_code;
  if ((database == NULL) == (dialect == NULL))
    return plumb_cli_usage (cli, &plumb_cli_check, "Give either --db or --dialect.");
  if (schema != NULL && dialect == NULL)
    return plumb_cli_usage (cli, &plumb_cli_check, "--schema goes with --dialect; a source knows.");
  if ((argc == 2) == (batch != NULL) || argc > 2)
    return plumb_cli_usage (cli, &plumb_cli_check, "Give either one statement or --batch FILE.");
  check = (Check) { cli, plumb_cli_get_session (cli, &error), database, dialect, schema };
  if (check.session == NULL)
    return plumb_cli_fail (cli, error);
  return batch != NULL ? check_batch (&check, batch) : check_one (&check, argv[1]);
}

const PlumbCliCommand plumb_cli_check = {
  "check", "(--db NAME | --dialect D [--schema NAME]) (SQL | --batch FILE.jsonl)",
  "Say whether a statement only reads, and what; nothing is run", run_check
};
