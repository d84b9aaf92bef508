/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-candidate-panel.h"

#include "plumb-accessible.h"
#include "plumb-candidate-row.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

/* Copies and hidden tables that are listed; a family can have hundreds. */
#define COPIES_SHOWN 8
#define HIDDEN_SHOWN 20

struct _PlumbCandidatePanel {
  AdwBin parent_instance;

  GtkStack *stack;
  AdwStatusPage *empty_page;
  GtkListBox *list;
  GtkLabel *footer;
};

enum {
  TABLE_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbCandidatePanel, plumb_candidate_panel, ADW_TYPE_BIN)

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, PlumbCandidatePanel *self)
{
  if (PLUMB_IS_CANDIDATE_ROW (row))
    g_signal_emit (self, signals[TABLE_ACTIVATED], 0,
                   plumb_candidate_row_get_table (PLUMB_CANDIDATE_ROW (row)));
}

static void
append_rest (PlumbCandidatePanel *self, char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_start (label, 30);
  gtk_widget_set_margin_top (label, 6);
  gtk_widget_set_margin_bottom (label, 6);
  gtk_list_box_append (self->list, label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (gtk_widget_get_parent (label)), FALSE);
  g_free (text);
}

static void
append_candidate (PlumbCandidatePanel *self, const PlumbCandidate *candidate)
{
  guint n_copies = candidate->copies != NULL ? g_strv_length (candidate->copies) : 0;
  guint n_partitions = candidate->partitions != NULL ? g_strv_length (candidate->partitions) : 0;

  gtk_list_box_append (self->list, plumb_candidate_row_new (candidate));
  for (guint i = 0; i < MIN (n_copies, COPIES_SHOWN); i++)
    gtk_list_box_append (self->list,
                         plumb_candidate_row_new_copy (candidate->card, candidate->copies[i]));
  if (n_copies > COPIES_SHOWN)
    append_rest (self, g_strdup_printf (ngettext ("and %u more copy", "and %u more copies",
                                                  n_copies - COPIES_SHOWN),
                                        n_copies - COPIES_SHOWN));
  if (n_partitions > 0)
    append_rest (self, g_strdup_printf (ngettext ("%u partition", "%u partitions", n_partitions),
                                        n_partitions));
}

static void
show_footer (PlumbCandidatePanel *self, PlumbCandidates *candidates)
{
  GString *text = g_string_new (NULL);

  if (candidates->of > 0)
    g_string_append_printf (
        text,
        ngettext ("Searched %u of %u database", "Searched %u of %u databases", candidates->of),
        candidates->searched, candidates->of);
  for (guint i = 0; candidates->lists != NULL && candidates->lists[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? (text->len > 0 ? " · " : "") : ", ",
                            plumb_wording_list (candidates->lists[i]));
  if (candidates->reranked)
    g_string_append_printf (text, " · %s", _("put in order once more"));
  if (candidates->warning != NULL)
    g_string_append_printf (text, "\n%s", candidates->warning);
  gtk_label_set_text (self->footer, text->str);
  g_string_free (text, TRUE);
}

static void
plumb_candidate_panel_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), PLUMB_TYPE_CANDIDATE_PANEL);
  G_OBJECT_CLASS (plumb_candidate_panel_parent_class)->dispose (object);
}

static void
plumb_candidate_panel_class_init (PlumbCandidatePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_candidate_panel_dispose;

  signals[TABLE_ACTIVATED] = g_signal_new ("table-activated", PLUMB_TYPE_CANDIDATE_PANEL,
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                           G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-candidate-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbCandidatePanel, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbCandidatePanel, empty_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbCandidatePanel, list);
  gtk_widget_class_bind_template_child (widget_class, PlumbCandidatePanel, footer);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
}

static void
plumb_candidate_panel_init (PlumbCandidatePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}

/** plumb_candidate_panel_new: Returns: an empty panel */
GtkWidget *
plumb_candidate_panel_new (void)
{
  return g_object_new (PLUMB_TYPE_CANDIDATE_PANEL, NULL);
}

/** plumb_candidate_panel_set_candidates: shows @candidates, %NULL for none yet */
void
plumb_candidate_panel_set_candidates (PlumbCandidatePanel *self, PlumbCandidates *candidates)
{
  guint n_hidden = candidates != NULL ? candidates->no_permission->len : 0;
  gboolean found = candidates != NULL && candidates->candidates->len + n_hidden > 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  adw_status_page_set_title (self->empty_page,
                             candidates != NULL ? _("No Table Found") : _("No Tables Yet"));
  gtk_stack_set_visible_child_name (self->stack, found ? "list" : "empty");
  if (!found)
    return;
  for (guint i = 0; i < candidates->candidates->len; i++)
    append_candidate (self, g_ptr_array_index (candidates->candidates, i));
  for (guint i = 0; i < MIN (n_hidden, HIDDEN_SHOWN); i++)
    gtk_list_box_append (self->list, plumb_candidate_row_new_hidden (
                                         g_ptr_array_index (candidates->no_permission, i)));
  if (n_hidden > HIDDEN_SHOWN)
    append_rest (self,
                 g_strdup_printf (_("and %u more without permission"), n_hidden - HIDDEN_SHOWN));
  show_footer (self, candidates);
}
