/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-probe-rows.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

static void
append (GtkListBox *list, const char *icon_name, const char *css_class, const char *title,
        const char *text)
{
  GtkWidget *row;
  GtkWidget *icon;

  if (text == NULL || text[0] == '\0')
    return;
  row = adw_action_row_new ();
  icon = gtk_image_new_from_icon_name (icon_name);
  if (css_class != NULL)
    gtk_widget_add_css_class (icon, css_class);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_list_box_append (list, row);
}

static void
append_rights (GtkListBox *list, const char *icon_name, const char *css_class, const char *title,
               GPtrArray *rights)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; rights != NULL && i < rights->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "",
                            (const char *) g_ptr_array_index (rights, i));
  append (list, icon_name, css_class, title, text->str);
  g_string_free (text, TRUE);
}

static char *
describe_tables (const PlumbAccountProbe *probe)
{
  g_autofree char *seen = g_strdup_printf (
      ngettext ("%u table can be seen", "%u tables can be seen", probe->n_tables), probe->n_tables);
  g_autofree char *read = g_strdup_printf (
      ngettext ("%u can be read", "%u can be read", probe->n_selectable), probe->n_selectable);

  return g_strdup_printf (_("%s, %s"), seen, read);
}

/** plumb_probe_rows_show: fills @list with what @probe says of a database and its account */
void
plumb_probe_rows_show (GtkListBox *list, const PlumbAccountProbe *probe)
{
  g_autofree char *tables = describe_tables (probe);
  g_autofree char *version = g_strdup_printf ("%s %s", probe->engine, probe->version);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, child);
  append_rights (list, "dialog-error-symbolic", "error",
                 _("Rights that the account should not have"), probe->superuser_rights);
  append_rights (list, "dialog-warning-symbolic", "warning", _("The account can write"),
                 probe->write_rights);
  append (list, probe->read_only_proven ? "object-select-symbolic" : "dialog-warning-symbolic",
          probe->read_only_proven ? "success" : "warning",
          probe->read_only_proven ? _("Read-only, proven") : _("Read-only could not be proven"),
          probe->read_only_detail != NULL ? probe->read_only_detail : " ");
  append (list, "plumb-database-symbolic", NULL, _("Version"), version);
  append (list, "avatar-default-symbolic", NULL, _("Account"), probe->account);
  append (list, "plumb-table-symbolic", NULL, _("Tables"), tables);
  append (list, "preferences-system-time-symbolic", NULL, _("Time zone"), probe->time_zone);
  append (list, "font-x-generic-symbolic", NULL, _("Encoding"), probe->encoding);
}
