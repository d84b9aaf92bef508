/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

/** plumb_cli_write_embedding: writes how far embedding has come as the value that a name stands for
 */
void
plumb_cli_write_embedding (PlumbJsonWriter *writer, const PlumbEmbeddingProgress *progress)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "model");
  plumb_json_writer_string (writer, progress->model);
  plumb_json_writer_name (writer, "serving_model");
  plumb_json_writer_string (writer, progress->serving_model);
  plumb_json_writer_name (writer, "dimensions");
  plumb_json_writer_int (writer, progress->n_dimensions);
  plumb_json_writer_name (writer, "chunks");
  plumb_json_writer_int (writer, progress->chunks);
  plumb_json_writer_name (writer, "embedded");
  plumb_json_writer_int (writer, progress->embedded);
  plumb_json_writer_name (writer, "sent");
  plumb_json_writer_int (writer, progress->sent);
  plumb_json_writer_name (writer, "hidden");
  plumb_json_writer_int (writer, progress->hidden);
  plumb_json_writer_name (writer, "failed");
  plumb_json_writer_int (writer, progress->failed);
  plumb_json_writer_name (writer, "failures");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < progress->failures->len; i++)
    plumb_json_writer_string (writer, g_ptr_array_index (progress->failures, i));
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
}

/** plumb_cli_print_embedding: tells how far embedding has come, what failed on standard error */
void
plumb_cli_print_embedding (PlumbCli *self, const PlumbEmbeddingProgress *progress)
{
  if (!self->json)
    g_print ("Embedded %u of %u chunks with %s, %u of them now.\n", progress->embedded,
             progress->chunks, progress->model, progress->sent);
  if (progress->hidden > 0)
    g_printerr ("%u chunks were left out: the access role hides their table or a column of it.\n",
                progress->hidden);
  for (guint i = 0; i < progress->failures->len; i++)
    g_printerr ("%s\n", (char *) g_ptr_array_index (progress->failures, i));
  if (progress->failed > progress->failures->len)
    g_printerr ("%u more chunks could not be embedded.\n",
                progress->failed - progress->failures->len);
}

static int
run_embed (PlumbCli *cli, int argc, char **argv)
{
  gboolean again = FALSE;
  const GOptionEntry entries[] = {
    { "again", 0, 0, G_OPTION_ARG_NONE, &again, "Throw vectors away and embed everything", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;
  g_autoptr (GError) error = NULL;
  PlumbSession *session;
  int exit_code;

  if (!plumb_cli_parse (cli, &plumb_cli_embed, entries, &argc, &argv, &exit_code))
    return exit_code;
  if (argc != 1)
    return plumb_cli_usage (cli, &plumb_cli_embed, "It takes no arguments.");
  session = plumb_cli_get_session (cli, &error);
  if (session != NULL)
    progress = plumb_session_embed (session, again, plumb_cli_progress, NULL, cli->cancellable,
                                    &error);
  if (progress == NULL)
    return plumb_cli_fail (cli, error);
  plumb_cli_print_embedding (cli, progress);
  if (cli->json) {
    g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

    plumb_cli_write_embedding (writer, progress);
    plumb_cli_print_json (writer);
  }
  return progress->failed == 0 ? PLUMB_CLI_DONE : PLUMB_CLI_FAILED;
}

const PlumbCliCommand plumb_cli_embed = { "embed", "[--again]",
                                          "Embed what has no vector of the embedding model yet",
                                          run_embed };
