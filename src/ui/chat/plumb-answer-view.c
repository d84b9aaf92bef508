/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-answer-view.h"

#include "plumb-pile.h"
#include "plumb-markdown.h"

#include <glib/gi18n-lib.h>

struct _PlumbAnswerView {
  AdwBin parent_instance;

  PlumbPile *blocks;
  GPtrArray *keys;
};

enum {
  STATEMENT_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbAnswerView, plumb_answer_view, ADW_TYPE_BIN)

static void
open_address (AdwMessageDialog *dialog, const char *response, gpointer user_data)
{
  const char *address = g_object_get_data (G_OBJECT (dialog), "address");

  if (g_strcmp0 (response, "open") == 0)
    gtk_show_uri (gtk_window_get_transient_for (GTK_WINDOW (dialog)), address, GDK_CURRENT_TIME);
}

/* An address in an answer was written by a model: nobody goes there without having seen it. */
static void
ask_before_opening (PlumbAnswerView *self, const char *address)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *dialog = adw_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                              _("Open This Address?"), address);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "open",
                                    _("_Open"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "address", g_strdup (address), g_free);
  g_signal_connect (dialog, "response", G_CALLBACK (open_address), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
on_activate_link (GtkLabel *label, const char *uri, PlumbAnswerView *self)
{
  const gsize prefix = strlen (PLUMB_MARKDOWN_LINK_STATEMENT);

  if (g_str_has_prefix (uri, PLUMB_MARKDOWN_LINK_STATEMENT)) {
    char *end = NULL;
    gint64 audit_id = g_ascii_strtoll (uri + prefix, &end, 10);
    int step = end != NULL && *end == '/' ? (int) g_ascii_strtoll (end + 1, NULL, 10) : 0;

    g_signal_emit (self, signals[STATEMENT_ACTIVATED], 0, audit_id, step);
  } else if (!g_str_equal (uri, PLUMB_MARKDOWN_LINK_MISSING)) {
    ask_before_opening (self, uri);
  }
  return TRUE;
}

static GtkWidget *
new_label (PlumbAnswerView *self, const char *markup)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  g_signal_connect (label, "activate-link", G_CALLBACK (on_activate_link), self);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  return label;
}

static GtkWidget *
scrolled_sideways (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), child);
  return scrolled;
}

static GtkWidget *
new_code (const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *scrolled;

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "monospace");
  scrolled = scrolled_sideways (label);
  gtk_widget_add_css_class (scrolled, "answer-code");
  return scrolled;
}

static GtkWidget *
new_item (PlumbAnswerView *self, const PlumbMarkdownBlock *block)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *marker = gtk_label_new (block->marker);
  GtkWidget *text = new_label (self, block->markup);

  gtk_widget_set_valign (marker, GTK_ALIGN_START);
  gtk_widget_set_margin_start (box, 8 + 18 * block->level);
  gtk_widget_add_css_class (marker, "dim-label");
  gtk_widget_add_css_class (marker, "numeric");
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (box), marker);
  gtk_box_append (GTK_BOX (box), text);
  return box;
}

static GtkWidget *
new_table (PlumbAnswerView *self, const PlumbMarkdownBlock *block)
{
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *scrolled = scrolled_sideways (grid);

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  for (guint row = 0; row < block->rows->len; row++) {
    GStrv cells = g_ptr_array_index (block->rows, row);

    for (guint column = 0; cells[column] != NULL; column++) {
      GtkWidget *label = new_label (self, cells[column]);

      gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
      gtk_widget_add_css_class (label, row == 0 ? "heading" : "numeric");
      gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
    }
  }
  gtk_widget_add_css_class (scrolled, "answer-table");
  return scrolled;
}

static GtkWidget *
new_block (PlumbAnswerView *self, const PlumbMarkdownBlock *block)
{
  GtkWidget *widget;

  switch (block->kind) {
  case PLUMB_MARKDOWN_CODE:
    return new_code (block->markup);
  case PLUMB_MARKDOWN_ITEM:
    return new_item (self, block);
  case PLUMB_MARKDOWN_TABLE:
    return new_table (self, block);
  case PLUMB_MARKDOWN_HEADING:
    widget = new_label (self, block->markup);
    gtk_widget_add_css_class (widget, block->level <= 2 ? "title-4" : "heading");
    return widget;
  case PLUMB_MARKDOWN_QUOTE:
    widget = new_label (self, block->markup);
    gtk_widget_add_css_class (widget, "answer-quote");
    return widget;
  case PLUMB_MARKDOWN_PARAGRAPH:
  default:
    widget = new_label (self, block->markup);
    gtk_widget_add_css_class (widget, "answer-text");
    return widget;
  }
}

/* All that a block shows as one string, so that blocks that stayed the same are left alone. */
static char *
block_key (const PlumbMarkdownBlock *block)
{
  GString *key = g_string_new (NULL);

  g_string_append_printf (key, "%d/%d/%s/%s", block->kind, block->level,
                          block->marker != NULL ? block->marker : "",
                          block->markup != NULL ? block->markup : "");
  for (guint i = 0; block->rows != NULL && i < block->rows->len; i++) {
    g_autofree char *row = g_strjoinv ("\t", g_ptr_array_index (block->rows, i));

    g_string_append_printf (key, "\n%s", row);
  }
  return g_string_free (key, FALSE);
}

static void
remove_from (PlumbAnswerView *self, guint first)
{
  plumb_pile_cut (self->blocks, first);
  g_ptr_array_set_size (self->keys, MIN (self->keys->len, first));
}

/**
 * plumb_answer_view_set_text:
 * @self: the view
 * @text: the answer as far as it has come
 * @numbers: (nullable) (element-type PlumbAnswerNumber): its numbers, once they are known
 *
 * Shows @text. Cheap to call again with a longer text: blocks that didn't change are kept.
 */
void
plumb_answer_view_set_text (PlumbAnswerView *self, const char *text, GPtrArray *numbers)
{
  g_autoptr (GPtrArray) blocks = plumb_markdown_parse (text, numbers);
  guint same = 0;

  for (; same < blocks->len && same < self->keys->len; same++) {
    g_autofree char *key = block_key (g_ptr_array_index (blocks, same));

    if (!g_str_equal (key, g_ptr_array_index (self->keys, same)))
      break;
  }
  remove_from (self, same);
  for (guint i = same; i < blocks->len; i++) {
    const PlumbMarkdownBlock *block = g_ptr_array_index (blocks, i);

    plumb_pile_append (self->blocks, new_block (self, block));
    g_ptr_array_add (self->keys, block_key (block));
  }
}

static void
plumb_answer_view_dispose (GObject *object)
{
  PlumbAnswerView *self = PLUMB_ANSWER_VIEW (object);

  g_clear_pointer (&self->keys, g_ptr_array_unref);
  G_OBJECT_CLASS (plumb_answer_view_parent_class)->dispose (object);
}

static void
plumb_answer_view_class_init (PlumbAnswerViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_answer_view_dispose;

  signals[STATEMENT_ACTIVATED] = g_signal_new ("statement-activated", PLUMB_TYPE_ANSWER_VIEW,
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               2, G_TYPE_INT64, G_TYPE_INT);
  gtk_widget_class_set_css_name (widget_class, "answer");
}

static void
plumb_answer_view_init (PlumbAnswerView *self)
{
  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->blocks = PLUMB_PILE (plumb_pile_new (8));
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->blocks));
}

/** plumb_answer_view_new: Returns: an empty view */
GtkWidget *
plumb_answer_view_new (void)
{
  return g_object_new (PLUMB_TYPE_ANSWER_VIEW, NULL);
}
