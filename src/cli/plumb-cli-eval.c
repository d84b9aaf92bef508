/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include "plumb-eval.h"

typedef struct {
  GStrv catalogs;
  GStrv without;
  char *copies;
  char *approved;
  char *domains;
  char *baseline;
  gboolean apart;
  gboolean answer;
  gboolean with_texts;
  gboolean plain;
  int k;
  int limit;
} EvalArguments;

static void
eval_arguments_clear (EvalArguments *self)
{
  g_strfreev (self->catalogs);
  g_strfreev (self->without);
  g_free (self->copies);
  g_free (self->approved);
  g_free (self->domains);
  g_free (self->baseline);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EvalArguments, eval_arguments_clear)

static int
evaluate (PlumbCli *cli, const EvalArguments *arguments, char **sets)
{
  const PlumbEvalOptions options = {
    .sets = (const char *const *) sets,
    .catalogs = (const char *const *) arguments->catalogs,
    .copies = arguments->copies,
    .approved = arguments->approved,
    .domains = arguments->domains,
    .without = (const char *const *) arguments->without,
    .baseline = arguments->baseline,
    .apart = arguments->apart,
    .answer = arguments->answer,
    .with_texts = arguments->with_texts,
    .plain = arguments->plain,
    .k = arguments->k,
    .limit = arguments->limit,
  };
  g_autoptr (PlumbEvalReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  PlumbSession *session = plumb_cli_get_session (cli, &error);

  if (session != NULL)
    report = plumb_eval_run (session, &options, plumb_cli_progress, NULL, cli->cancellable, &error);
  if (report == NULL)
    return plumb_cli_fail (cli, error);
  text = cli->json ? plumb_eval_report_to_json (report) : plumb_eval_report_to_text (report);
  g_print ("%s\n", text);
  return PLUMB_CLI_DONE;
}

static int
run_eval (PlumbCli *cli, int argc, char **argv)
{
  g_auto (EvalArguments) arguments = { 0 };
  const GOptionEntry entries[] = {
    { "catalog", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments.catalogs,
      "Search the schemas of this folder or file, not the index; repeatable", "FOLDER" },
    { "copies", 0, 0, G_OPTION_ARG_FILENAME, &arguments.copies, "Put these copies beside live tables",
      "FILE" },
    { "apart", 0, 0, G_OPTION_ARG_NONE, &arguments.apart, "Search only a question's own database",
      NULL },
    { "approved", 0, 0, G_OPTION_ARG_FILENAME, &arguments.approved, "Questions answered before",
      "SET.jsonl" },
    { "domains", 0, 0, G_OPTION_ARG_FILENAME, &arguments.domains, "Domain files that speak of the schemas", "FOLDER" },
    { "answer", 0, 0, G_OPTION_ARG_NONE, &arguments.answer,
      "Let the whole loop answer, and compare with the gold statements", NULL },
    { "with-texts", 0, 0, G_OPTION_ARG_NONE, &arguments.with_texts,
      "Show labels, comments and samples to search", NULL },
    { "plain", 0, 0, G_OPTION_ARG_NONE, &arguments.plain, "Measure the baseline: fusion by rank", NULL },
    { "without", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments.without,
      "Leave a part of search out, to see what it brings; repeatable", "PART" },
    { "k", 0, 0, G_OPTION_ARG_INT, &arguments.k, "Places that count, beside 5, 8 and 15", "N" },
    { "limit", 0, 0, G_OPTION_ARG_INT, &arguments.limit, "Questions of a set at most", "N" },
    { "baseline", 0, 0, G_OPTION_ARG_FILENAME, &arguments.baseline,
      "Say which questions got better or worse than in this run", "RUN.json" },
    G_OPTION_ENTRY_NULL,
  };
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_eval, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc < 2)
    return plumb_cli_usage (cli, &plumb_cli_eval, "Give one set of questions or more.");
  if (arguments.k < 0 || arguments.limit < 0)
    return plumb_cli_usage (cli, &plumb_cli_eval, "--k and --limit take a number above 0.");
  return evaluate (cli, &arguments, argv + 1);
}

const PlumbCliCommand plumb_cli_eval = {
  "eval", "SET.jsonl… [--catalog FOLDER]… [--copies FILE] [--apart] [--answer] [--k N] [--limit N] [--baseline RUN.json]",
  "Measure table search over questions with known tables", run_eval
};
