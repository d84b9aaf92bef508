/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-candidate-row.h"

#include "plumb-chip.h"
#include "plumb-text.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

#define NOTE_CHARACTERS 240
#define NOTES_SHOWN 2

struct _PlumbCandidateRow {
  GtkListBoxRow parent_instance;

  char *table;
  const char *mark;
};

G_DEFINE_FINAL_TYPE (PlumbCandidateRow, plumb_candidate_row, GTK_TYPE_LIST_BOX_ROW)

static void
plumb_candidate_row_finalize (GObject *object)
{
  g_free (PLUMB_CANDIDATE_ROW (object)->table);
  G_OBJECT_CLASS (plumb_candidate_row_parent_class)->finalize (object);
}

static void
plumb_candidate_row_class_init (PlumbCandidateRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_candidate_row_finalize;
}

static void
plumb_candidate_row_init (PlumbCandidateRow *self)
{
}

static GtkWidget *
new_text (const char *text, const char *css_class, int lines)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (lines > 1) {
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_lines (GTK_LABEL (label), lines);
  }
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* The table's name and its mark; the name gives way when there is little room. */
static GtkWidget *
new_name_line (const char *name, const char *css_class, GtkWidget *chip)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = new_text (name, css_class, 1);

  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (label, name);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), chip);
  return box;
}

static void
append_dim (GtkBox *box, const char *text, int lines)
{
  GtkWidget *label = new_text (text, "caption", lines);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (box, label);
}

static void
append_note (GtkBox *box, const PlumbNote *note)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon = gtk_image_new_from_icon_name ("plumb-note-symbolic");
  g_autofree char *text = plumb_text_first_line (note->excerpt != NULL ? note->excerpt : note->text,
                                                 NOTE_CHARACTERS);
  g_autofree char *said = note->author != NULL && note->author[0] != '\0'
                              ? g_strdup_printf (_("%s — %s"), text, note->author)
                              : g_strdup (text);
  GtkWidget *label = new_text (said, "caption", 2);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (icon, "note-icon");
  gtk_box_append (GTK_BOX (line), icon);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (box, line);
}

static char *
describe_place (const PlumbCard *card)
{
  const char *role = plumb_wording_role (card->role);
  g_autofree char *place = g_strdup_printf ("%s · %s", card->database, card->schema);

  return role != NULL ? g_strdup_printf ("%s · %s", place, role) : g_steal_pointer (&place);
}

static char *
describe_match (const PlumbCandidate *candidate)
{
  GString *lists = g_string_new (NULL);

  for (guint i = 0; candidate->matched_by != NULL && candidate->matched_by[i] != NULL; i++) {
    if (i > 0)
      g_string_append (lists, ", ");
    g_string_append (lists, plumb_wording_list (candidate->matched_by[i]));
  }
  return g_string_free (lists, FALSE);
}

static GtkWidget *
new_row_box (int indent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  gtk_widget_set_margin_start (box, 12 + indent);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, indent > 0 ? 6 : 10);
  gtk_widget_set_margin_bottom (box, indent > 0 ? 6 : 10);
  return box;
}

static PlumbCandidateRow *
new_row (char *table, const char *mark, GtkWidget *child)
{
  PlumbCandidateRow *self = g_object_new (PLUMB_TYPE_CANDIDATE_ROW, NULL);
  g_autofree char *label = g_strdup_printf ("%s, %s", table, mark);

  self->table = table;
  self->mark = mark;
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), child);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return self;
}

/* The earlier question that brought it up, and who says so. */
static char *
describe_help (const PlumbCandidate *candidate)
{
  if (candidate->helped_by_domain == NULL)
    return g_strdup_printf (_("Answered before: %s"), candidate->helped_by);
  /* Translators: the first is a domain such as sales, the second a question */
  return g_strdup_printf (_("Example in the domain file “%s”: %s"), candidate->helped_by_domain,
                          candidate->helped_by);
}

/** plumb_candidate_row_new: Returns: a row on @candidate */
GtkWidget *
plumb_candidate_row_new (const PlumbCandidate *candidate)
{
  const PlumbCard *card = candidate->card;
  GtkWidget *box = new_row_box (0);
  GtkWidget *chip = card->analyzed_at == 0 ? plumb_chip_new (_("Not analyzed"), NULL)
                                           : plumb_chip_new_for_status (card->status);
  g_autofree char *place = describe_place (card);
  g_autofree char *match = describe_match (candidate);
  const char *about = card->purpose != NULL ? card->purpose : candidate->excerpt;

  gtk_box_append (GTK_BOX (box), new_name_line (card->name, "heading", chip));
  append_dim (GTK_BOX (box), place, 1);
  if (about != NULL && about[0] != '\0')
    gtk_box_append (GTK_BOX (box), new_text (about, NULL, 2));
  for (guint i = 0; i < MIN (candidate->notes->len, NOTES_SHOWN); i++)
    append_note (GTK_BOX (box), g_ptr_array_index (candidate->notes, i));
  if (match[0] != '\0') {
    g_autofree char *found = g_strdup_printf (_("Found by %s"), match);

    append_dim (GTK_BOX (box), found, 1);
  }
  if (candidate->helped_by != NULL) {
    g_autofree char *helped = describe_help (candidate);

    append_dim (GTK_BOX (box), helped, 2);
  }
  if (card->copy_of != NULL) {
    g_autofree char *copy = g_strdup_printf (_("Copy of %s"), card->copy_of);

    append_dim (GTK_BOX (box), copy, 1);
  }
  return GTK_WIDGET (new_row (
      plumb_table_name_join (card->database, card->schema, card->name),
      card->analyzed_at == 0 ? _("Not analyzed") : plumb_wording_status (card->status), box));
}

/**
 * plumb_candidate_row_new_copy:
 * @live: the live table
 * @copy: its copy, as `schema.table`
 *
 * Returns: a row on the copy, to stand below that on the live table
 */
GtkWidget *
plumb_candidate_row_new_copy (const PlumbCard *live, const char *copy)
{
  g_autoptr (PlumbTableName) name = plumb_table_name_parse (copy, NULL);
  const char *shown = name != NULL ? name->table : copy;
  const char *mark = C_("table status", "Copy");
  GtkWidget *box = new_row_box (18);
  char *table = name != NULL ? plumb_table_name_join (live->database, name->schema, name->table)
                             : g_strdup (copy);

  gtk_box_append (GTK_BOX (box), new_name_line (shown, "dim-label", plumb_chip_new (mark, "copy")));
  return GTK_WIDGET (new_row (table, mark, box));
}

/** plumb_candidate_row_new_hidden: Returns: a row on a table outside the access role, by name */
GtkWidget *
plumb_candidate_row_new_hidden (const char *table)
{
  GtkWidget *box = new_row_box (0);
  PlumbCandidateRow *self;

  gtk_box_append (GTK_BOX (box), new_name_line (table, "dim-label",
                                                plumb_chip_new (_("No permission"), "hidden")));
  self = new_row (g_strdup (table), _("No permission"), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  return GTK_WIDGET (self);
}

/** plumb_candidate_row_get_table: Returns: the table, as `database.schema.table` */
const char *
plumb_candidate_row_get_table (PlumbCandidateRow *self)
{
  return self->table;
}

/** plumb_candidate_row_get_mark: Returns: its mark in words */
const char *
plumb_candidate_row_get_mark (PlumbCandidateRow *self)
{
  return self->mark;
}
