/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-application.h"

#include "plumb-config.h"
#include "plumb-resources.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

int
main (int argc, char **argv)
{
  g_autoptr (PlumbApplication) application = NULL;
  const char *translations = g_getenv ("PLUMBLINE_LOCALEDIR");

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, translations != NULL ? translations : PLUMB_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_prgname ("plumbline");
  g_set_application_name (_("Plumbline"));
  g_resources_register (plumb_resources_get_resource ());

  application = plumb_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
