/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-session.h"

/* Embeds what an index has no vectors of yet, for a test that kills it: embed-once INDEX. */
int
main (int argc, char **argv)
{
  PlumbSessionOptions options = { .index_path = argv[1] };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbSession) session = plumb_session_open (&options, &error);
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;

  if (session != NULL)
    progress = plumb_session_embed (session, FALSE, NULL, NULL, NULL, &error);
  if (progress == NULL)
    g_printerr ("%s\n", error->message);
  return progress != NULL && progress->failed == 0 ? 0 : 1;
}
