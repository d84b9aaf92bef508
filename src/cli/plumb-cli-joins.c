/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <string.h>

static char *
describe_keys (PlumbJoinEdge *edge, gboolean reversed)
{
  GStrv left = reversed ? edge->right_columns : edge->left_columns;
  GStrv right = reversed ? edge->left_columns : edge->right_columns;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; left != NULL && right != NULL && left[i] != NULL && right[i] != NULL; i++)
    g_string_append_printf (text, "%s%s = %s", i > 0 ? ", " : "", left[i], right[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_edge_row (PlumbCliTable *table, PlumbJoinEdge *edge, gboolean reversed, const char *last)
{
  g_autofree char *left = plumb_table_name_format (reversed ? edge->right : edge->left);
  g_autofree char *right = plumb_table_name_format (reversed ? edge->left : edge->right);
  g_autofree char *keys = describe_keys (edge, reversed);
  g_autofree char *trust = g_strdup_printf ("%d %s", edge->trust, edge->basis);

  plumb_cli_table_add (table, left, right, keys,
                       plumb_cardinality_to_string (reversed
                                                        ? plumb_cardinality_reverse (edge->cardinality)
                                                        : edge->cardinality),
                       trust, last, NULL);
}

static int
list_joins (PlumbCli *cli, const char *database)
{
  static const char *const headings[] = { "Left", "Right", "Keys", "Cardinality", "Trust", "State",
                                          NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  g_autoptr (GError) error = NULL;
  PlumbSession *session = plumb_cli_get_session (cli, &error);
  g_autoptr (GPtrArray) edges =
      session != NULL ? plumb_session_list_edges (session, database, &error) : NULL;

  if (edges == NULL)
    return plumb_cli_fail (cli, error);
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "joins");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < edges->len; i++) {
    PlumbJoinEdge *edge = g_ptr_array_index (edges, i);

    plumb_join_edge_write_json (edge, writer);
    add_edge_row (table, edge, FALSE, plumb_edge_state_to_string (edge->state));
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  if (cli->json)
    plumb_cli_print_json (writer);
  else
    plumb_cli_table_print (table);
  return PLUMB_CLI_DONE;
}

static void
print_path (PlumbJoinPath *path)
{
  static const char *const headings[] = { "Left", "Right", "Keys", "Cardinality", "Trust", "Warning",
                                          NULL };
  g_autoptr (PlumbCliTable) table = plumb_cli_table_new (headings);

  if (path->reason != NULL) {
    g_print ("%s\n", path->reason);
    return;
  }
  for (guint i = 0; i < path->steps->len; i++) {
    const PlumbJoinStep *step = g_ptr_array_index (path->steps, i);

    add_edge_row (table, step->edge, step->reversed, step->warning != NULL ? step->warning : "");
  }
  plumb_cli_table_print (table);
}

static int
find_path (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbJoinPath) path = NULL;
  PlumbSession *session;

  if (argc < 4)
    return plumb_cli_usage (cli, &plumb_cli_joins, "“joins path” takes two tables or more.");
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    path = plumb_session_find_path (session, (const char *const *) argv + 2, &error);
  if (path == NULL)
    return plumb_cli_fail (cli, error);
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_join_path_write_json (path, writer);
    plumb_cli_print_json (writer);
  } else {
    print_path (path);
  }
  return path->reason == NULL ? PLUMB_CLI_DONE : PLUMB_CLI_FAILED;
}

static int
run_joins (PlumbCli *cli, int argc, char **argv)
{
  g_autofree char *database = NULL;
  const GOptionEntry entries[] = {
    { "db", 0, 0, G_OPTION_ARG_STRING, &database, "List this database alone", "NAME" },
    G_OPTION_ENTRY_NULL,
  };
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_joins, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc == 2 && strcmp (argv[1], "list") == 0)
    return list_joins (cli, database);
  if (argc >= 2 && strcmp (argv[1], "path") == 0)
    return find_path (cli, argc, argv);
  return plumb_cli_usage (cli, &plumb_cli_joins, "Say list or path.");
}

const PlumbCliCommand plumb_cli_joins = {
  "joins", "list [--db NAME] | path TABLE TABLE…", "Show known joins and paths", run_joins
};
