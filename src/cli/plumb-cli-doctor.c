/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

static int
run_doctor (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *json = NULL;
  PlumbSession *session;
  JsonArray *checks;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_doctor, NULL, &argc, &argv, &exit_code))
    return exit_code;
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL)
    return plumb_cli_fail (cli, error);
  json = plumb_session_doctor (session, cli->cancellable);
  if (cli->json) {
    g_print ("%s\n", json);
    return PLUMB_CLI_DONE;
  }
  node = plumb_json_parse (json, -1, &error);
  if (node == NULL)
    return plumb_cli_fail (cli, error);
  checks = plumb_json_get_array (json_node_get_object (node), "checks");
  for (guint i = 0; checks != NULL && i < json_array_get_length (checks); i++) {
    JsonObject *check = json_array_get_object_element (checks, i);
    const char *advice = plumb_json_get_string (check, "advice", NULL);

    g_print ("%s %s: %s\n", plumb_json_get_boolean (check, "ok", FALSE) ? "✓" : "✗",
             plumb_json_get_string (check, "name", ""), plumb_json_get_string (check, "detail", ""));
    if (advice != NULL && *advice != '\0')
      g_print ("    %s\n", advice);
  }
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_doctor = {
  "doctor", "", "Say what was found on this machine, and what to do about what wasn't", run_doctor
};
