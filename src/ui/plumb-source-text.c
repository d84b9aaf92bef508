/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-text.h"

#include "plumb-json-layout.h"
#include "plumb-json.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

/* Bytes of JSON that are shown; what tools return fits by far, yet arguments come as models
 * write. */
#define MAX_BYTES (64 * 1024)
#define MAX_HEIGHT 260

/* A view learns its height only when it is laid out, too late for the window around it; so that is
 * guessed from the text: pixels of a line and around all lines, characters that a line takes. */
#define LINE_HEIGHT 17
#define MARGINS 18
#define LINE_CHARACTERS 56

static void
follow_style (GtkSourceBuffer *buffer)
{
  GtkSourceStyleSchemeManager *manager = gtk_source_style_scheme_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  gtk_source_buffer_set_style_scheme (buffer, gtk_source_style_scheme_manager_get_scheme (
                                                  manager, dark ? "Adwaita-dark" : "Adwaita"));
}

static GtkWidget *
new_view (const char *language)
{
  g_autoptr (GtkSourceBuffer) buffer = gtk_source_buffer_new (NULL);
  GtkWidget *view;

  gtk_source_buffer_set_language (
      buffer, gtk_source_language_manager_get_language (gtk_source_language_manager_get_default (),
                                                        language));
  follow_style (buffer);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (follow_style), buffer, G_CONNECT_SWAPPED);
  view = gtk_source_view_new_with_buffer (buffer);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 8);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 8);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 8);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 8);
  /* Tab goes on to the next widget: nothing can be typed here. */
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  return view;
}

static char *
pretty_json (const char *text)
{
  g_autoptr (JsonNode) node = plumb_json_parse (text, -1, NULL);
  g_autofree char *pretty = node != NULL ? plumb_json_layout (text) : NULL;

  return g_utf8_make_valid (pretty != NULL ? pretty : text, -1);
}

static int
guess_height (const char *text)
{
  int height = MARGINS;
  gsize length;

  for (; *text != '\0' && height < MAX_HEIGHT; text += length + (text[length] == '\n')) {
    length = strcspn (text, "\n");
    height += LINE_HEIGHT * (1 + (int) MIN (length / LINE_CHARACTERS, MAX_HEIGHT));
  }
  return MIN (height, MAX_HEIGHT);
}

/**
 * plumb_source_text_new_json:
 * @text: JSON, or what was sent in its place
 *
 * Returns: a read-only view of @text, laid out where it is JSON, cut where it is very long
 */
GtkWidget *
plumb_source_text_new_json (const char *text)
{
  GtkWidget *view = new_view ("json");
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  g_autofree char *pretty = pretty_json (text);

  if (strlen (pretty) > MAX_BYTES) {
    char *cut = g_utf8_find_prev_char (pretty, pretty + MAX_BYTES);
    g_autofree char *shown = g_strndup (pretty, cut - pretty);
    g_autofree char *marked = g_strconcat (shown, "\n… ", _("(cut here; it is longer)"), NULL);

    plumb_source_text_set (view, marked);
  } else {
    plumb_source_text_set (view, pretty);
  }
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              guess_height (pretty));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_add_css_class (scrolled, "source-text");
  return scrolled;
}

/** plumb_source_text_new_sql: Returns: a read-only view that colours SQL */
GtkWidget *
plumb_source_text_new_sql (void)
{
  GtkWidget *view = new_view ("sql");

  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("SQL"),
                                  -1);
  return view;
}

/** plumb_source_text_set: shows @text in @view, mended where it is no UTF-8 */
void
plumb_source_text_set (GtkWidget *view, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), valid, -1);
}
