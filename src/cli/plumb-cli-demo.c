/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

static int
run_demo (PlumbCli *cli, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_demo, NULL, &argc, &argv, &exit_code))
    return exit_code;
  session = plumb_cli_get_session (cli, &error);
  if (session == NULL)
    return plumb_cli_fail (cli, error);
  if (!plumb_session_has_demo (session)) {
    g_printerr ("Building the demo databases and analyzing them …\n");
    if (!plumb_session_add_demo (session, cli->cancellable, &error))
      return plumb_cli_fail (cli, error);
  }
  if (cli->json)
    g_print ("{\"sources\":[\"sales\",\"crm\",\"billing\"]}\n");
  else
    g_print ("The demo databases are sales, crm and billing.\n");
  return PLUMB_CLI_DONE;
}

const PlumbCliCommand plumb_cli_demo = {
  "demo", "", "Build and connect the demo databases", run_demo
};
