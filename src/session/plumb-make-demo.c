/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-demo-builder.h"

#include <errno.h>
#include <glib/gstdio.h>

/* Builds the demo databases into a folder, and touches a file that says when. */
int
main (int argc, char **argv)
{
  if (argc < 2 || argc > 3) {
    g_printerr ("Usage: plumb-make-demo FOLDER [STAMP-FILE]\n");
    return 2;
  }
  if (g_mkdir_with_parents (argv[1], 0755) != 0) {
    g_printerr ("%s: %s\n", argv[1], g_strerror (errno));
    return 1;
  }
  for (guint i = 0; plumb_demo_names[i] != NULL; i++) {
    g_autofree char *file = g_strconcat (plumb_demo_names[i], ".sqlite", NULL);
    g_autofree char *path = g_build_filename (argv[1], file, NULL);
    g_autoptr (GError) error = NULL;

    if (!plumb_demo_is_built (plumb_demo_names[i], path) &&
        !plumb_demo_build (plumb_demo_names[i], path, NULL, &error)) {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  }
  return argc < 3 || g_file_set_contents (argv[2], "", 0, NULL) ? 0 : 1;
}
