/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include "plumb-config.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static const PlumbCliCommand *const commands[] = {
  &plumb_cli_demo,  &plumb_cli_source,  &plumb_cli_analyze,  &plumb_cli_embed,  &plumb_cli_search,
  &plumb_cli_card,
  &plumb_cli_joins, &plumb_cli_note,    &plumb_cli_ask,      &plumb_cli_query,  &plumb_cli_explain,
  &plumb_cli_export, &plumb_cli_check,  &plumb_cli_audit,    &plumb_cli_approve,
  &plumb_cli_approved, &plumb_cli_questions, &plumb_cli_eval, &plumb_cli_doctor,
};

static void
print_help (void)
{
  g_print ("Usage: plumbline-cli [--index FILE] [--role NAME] [--json] COMMAND …\n\n"
           "Finds the right table, runs read-only SQL on the source and shows every step.\n\n");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_print ("  %-10s %s\n", commands[i]->name, commands[i]->summary);
  g_print ("\n\"plumbline-cli COMMAND --help\" tells more of one.\n\n"
           "Exit codes: 0 done, 1 failed, 2 usage, 3 refused by the statement check,\n"
           "4 no permission, 5 the database said no, 6 cancelled or out of time,\n"
           "7 no such table or source.\n");
}

/* Waits for an interrupt and cancels what is under way; a second one ends the program. */
static gpointer
wait_for_interrupt (gpointer data)
{
  GCancellable *cancellable = data;
  sigset_t signals;
  int number;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  while (sigwait (&signals, &number) == 0) {
    if (g_cancellable_is_cancelled (cancellable))
      _exit (6);
    g_cancellable_cancel (cancellable);
  }
  return NULL;
}

static void
watch_interrupts (GCancellable *cancellable)
{
  sigset_t signals;

  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  /* A file that may not grow any more is an error to tell, not an end. */
  signal (SIGXFSZ, SIG_IGN);
  g_thread_unref (g_thread_new ("interrupt", wait_for_interrupt, cancellable));
}

/* The command is the first argument that is no option nor the value of one. */
static int
find_command (int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    if (g_str_equal (argv[i], "--index") || g_str_equal (argv[i], "--role")) {
      i++;
      continue;
    }
    if (argv[i][0] != '-')
      return i;
  }
  return 0;
}

/* Moves the command to the front, so that what stood before it is read as its options. */
static void
move_to_front (char **argv, int at)
{
  char *command = argv[at];

  for (int i = at; i > 1; i--)
    argv[i] = argv[i - 1];
  argv[1] = command;
}

static int
run_command (PlumbCli *cli, int argc, char **argv)
{
  int at = find_command (argc, argv);

  if (at == 0) {
    for (int i = 1; i < argc; i++) {
      if (g_str_equal (argv[i], "--version")) {
        g_print ("plumbline-cli %s\n", PLUMB_VERSION);
        return PLUMB_CLI_DONE;
      }
      if (g_str_equal (argv[i], "--help") || g_str_equal (argv[i], "-h")) {
        print_help ();
        return PLUMB_CLI_DONE;
      }
    }
    g_printerr ("plumbline-cli: a command is missing. See \"plumbline-cli --help\".\n");
    return PLUMB_CLI_USAGE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (!g_str_equal (commands[i]->name, argv[at]))
      continue;
    move_to_front (argv, at);
    return commands[i]->run (cli, argc - 1, argv + 1);
  }
  g_printerr ("plumbline-cli: there is no command “%s”. See \"plumbline-cli --help\".\n", argv[at]);
  return PLUMB_CLI_USAGE;
}

int
main (int argc, char **argv)
{
  PlumbCli cli = { 0 };
  int exit_code;
  g_auto (GStrv) arguments = NULL;
  g_autofree char **view = NULL;

  setlocale (LC_ALL, "");
  g_set_prgname ("plumbline-cli");
  cli.cancellable = g_cancellable_new ();
  watch_interrupts (cli.cancellable);
  /* Option parsing moves pointers about; the copy keeps them freeable. */
  arguments = g_strdupv (argv);
  view = g_memdup2 (arguments, sizeof (char *) * (argc + 1));
  for (int i = 1; i < argc; i++) {
    if (!g_utf8_validate (view[i], -1, NULL)) {
      g_printerr ("plumbline-cli: argument %d is not valid UTF-8. Write it in a UTF-8 terminal.\n",
                  i);
      return PLUMB_CLI_USAGE;
    }
  }
  exit_code = run_command (&cli, argc, view);
  g_clear_object (&cli.session);
  g_free (cli.index_path);
  g_free (cli.role);
  return exit_code;
}
