/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-card-view.h"

#include "plumb-accessible.h"
#include "plumb-chip.h"
#include "plumb-column-table.h"
#include "plumb-pile.h"
#include "plumb-note-list.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbCardView {
  AdwBin parent_instance;

  char *table;
  GCancellable *cancellable;

  GtkStack *stack;
  GtkSpinner *spinner;
  AdwStatusPage *failed_page;
  GtkLabel *name;
  GtkBox *chips;
  GtkLabel *place;
  GtkStack *pages;
  PlumbPile *overview;
  PlumbColumnTable *columns;
  PlumbNoteList *notes;
};

G_DEFINE_FINAL_TYPE (PlumbCardView, plumb_card_view, ADW_TYPE_BIN)

static void
clear_box (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

static void
append_paragraph (PlumbCardView *self, const char *text, const char *css_class)
{
  GtkWidget *label;

  if (text == NULL || text[0] == '\0')
    return;
  label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_set_margin_end (label, 6);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  plumb_pile_append (self->overview, label);
}

/* A fact as a row, its name small above it; facts that aren't known are left away. */
static void
add_fact (AdwPreferencesGroup *group, const char *name, const char *value)
{
  GtkWidget *row;

  if (value == NULL || value[0] == '\0')
    return;
  row = adw_action_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), value);
  gtk_widget_add_css_class (row, "property");
  adw_preferences_group_add (group, row);
}

static char *
describe_foreign_keys (const PlumbCard *card)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; card->foreign_keys != NULL && i < card->foreign_keys->len; i++) {
    const PlumbForeignKey *key = g_ptr_array_index (card->foreign_keys, i);
    g_autofree char *from = plumb_wording_names ((const char *const *) key->columns, 4);
    g_autofree char *to = plumb_wording_names ((const char *const *) key->ref_columns, 4);

    g_string_append_printf (text, "%s%s → %s (%s)", i > 0 ? "\n" : "", from, key->ref_table, to);
  }
  return g_string_free (text, FALSE);
}

static void
append_facts (PlumbCardView *self, const PlumbCard *card)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *rows = card->row_estimate >= 0 ? plumb_wording_count (card->row_estimate) : NULL;
  g_autofree char *key = plumb_wording_names ((const char *const *) card->primary_key, 12);
  g_autofree char *foreign_keys = describe_foreign_keys (card);
  g_autofree char *synonyms = plumb_wording_names ((const char *const *) card->synonyms, 20);
  g_autofree char *analyzed = card->analyzed_at > 0 ? plumb_wording_time (card->analyzed_at)
                                                    : g_strdup (_("Not analyzed"));

  add_fact (ADW_PREFERENCES_GROUP (group), _("One Row Is"), card->grain);
  add_fact (ADW_PREFERENCES_GROUP (group), _("Role"), plumb_wording_role (card->role));
  add_fact (ADW_PREFERENCES_GROUP (group), _("Rows, Estimated"), rows);
  add_fact (ADW_PREFERENCES_GROUP (group), _("Primary Key"), key);
  add_fact (ADW_PREFERENCES_GROUP (group), _("Foreign Keys"), foreign_keys);
  add_fact (ADW_PREFERENCES_GROUP (group), _("Also Called"), synonyms);
  add_fact (ADW_PREFERENCES_GROUP (group), _("Copy Of"), card->copy_of);
  add_fact (ADW_PREFERENCES_GROUP (group), _("Partition Family"), card->family);
  add_fact (ADW_PREFERENCES_GROUP (group), _("Analyzed"), analyzed);
  plumb_pile_append (self->overview, group);
}

static GtkWidget *
new_icon (const char *icon_name)
{
  GtkWidget *icon = gtk_image_new_from_icon_name (icon_name);

  gtk_widget_add_css_class (icon, g_str_equal (icon_name, "dialog-warning-symbolic") ? "warning"
                                                                                     : "dim-label");
  return icon;
}

static void
append_sentences (PlumbCardView *self, const char *title, const char *icon_name, GStrv sentences)
{
  GtkWidget *group;

  if (sentences == NULL || sentences[0] == NULL)
    return;
  group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  for (guint i = 0; sentences[i] != NULL; i++) {
    GtkWidget *row = adw_action_row_new ();

    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), sentences[i]);
    adw_action_row_add_prefix (ADW_ACTION_ROW (row), new_icon (icon_name));
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  }
  plumb_pile_append (self->overview, group);
}

static void
show_header (PlumbCardView *self, const PlumbCard *card)
{
  g_autofree char *place = g_strdup_printf ("%s · %s · %s", card->database, card->schema,
                                            plumb_wording_kind (card->kind));

  gtk_label_set_text (self->name, card->name);
  gtk_label_set_text (self->place, place);
  clear_box (self->chips);
  if (card->gone)
    gtk_box_append (self->chips, plumb_chip_new (_("Gone"), "hidden"));
  else if (!card->selectable)
    gtk_box_append (self->chips, plumb_chip_new (_("No permission"), "hidden"));
  if (card->analyzed_at == 0)
    gtk_box_append (self->chips, plumb_chip_new (_("Not analyzed"), NULL));
  else
    gtk_box_append (self->chips, plumb_chip_new_for_status (card->status));
}

static void
show_card (PlumbCardView *self, PlumbCard *card)
{
  show_header (self, card);
  plumb_pile_cut (self->overview, 0);
  append_paragraph (self, card->purpose != NULL ? card->purpose : card->label, NULL);
  if (g_strcmp0 (card->comment, card->purpose) != 0)
    append_paragraph (self, card->comment, "dim-label");
  append_sentences (self, _("Easily Got Wrong"), "dialog-warning-symbolic", card->misuse);
  append_facts (self, card);
  append_sentences (self,
                    card->status == PLUMB_STATUS_LIVE ? _("What Speaks for It")
                                                      : _("Why It Is Not the Live Table"),
                    "dialog-information-symbolic", card->reasons);
  plumb_column_table_set_card (self->columns, card);
  gtk_stack_set_visible_child_name (self->stack, "card");
}

static gpointer
get_card (PlumbSession *session, gpointer table, GCancellable *cancellable, GError **error)
{
  return plumb_session_get_card (session, table, error);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbCardView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbCard) card = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->stack == NULL)
    return;
  gtk_spinner_set_spinning (self->spinner, FALSE);
  if (card == NULL) {
    adw_status_page_set_description (self->failed_page, error->message);
    gtk_stack_set_visible_child_name (self->stack, "failed");
    return;
  }
  show_card (self, card);
  plumb_note_list_set_table (self->notes, PLUMB_SESSION (source), self->table);
}

/** plumb_card_view_open: shows the card of @table, named as in plumb_table_name_parse() */
void
plumb_card_view_open (PlumbCardView *self, PlumbSession *session, const char *table)
{
  plumb_card_view_close (self);
  self->table = g_strdup (table);
  self->cancellable = g_cancellable_new ();
  gtk_stack_set_visible_child_name (self->stack, "loading");
  gtk_spinner_set_spinning (self->spinner, TRUE);
  plumb_session_run_async (session, get_card, g_strdup (table), g_free,
                           (GDestroyNotify) plumb_card_unref, self->cancellable, on_loaded,
                           g_object_ref (self));
}

/** plumb_card_view_close: shows no table */
void
plumb_card_view_close (PlumbCardView *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->table, g_free);
  if (self->stack != NULL)
    gtk_stack_set_visible_child_name (self->stack, "empty");
}

/** plumb_card_view_get_table: Returns: (nullable): the table that is open */
const char *
plumb_card_view_get_table (PlumbCardView *self)
{
  return self->table;
}

static void
plumb_card_view_dispose (GObject *object)
{
  PlumbCardView *self = PLUMB_CARD_VIEW (object);

  plumb_card_view_close (self);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_CARD_VIEW);
  G_OBJECT_CLASS (plumb_card_view_parent_class)->dispose (object);
}

static void
plumb_card_view_class_init (PlumbCardViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_card_view_dispose;

  g_type_ensure (PLUMB_TYPE_PILE);
  g_type_ensure (PLUMB_TYPE_COLUMN_TABLE);
  g_type_ensure (PLUMB_TYPE_NOTE_LIST);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-card-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, failed_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, name);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, chips);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, place);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, pages);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, overview);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, columns);
  gtk_widget_class_bind_template_child (widget_class, PlumbCardView, notes);
}

static void
plumb_card_view_init (PlumbCardView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}

/** plumb_card_view_new: Returns: a view without a table */
GtkWidget *
plumb_card_view_new (void)
{
  return g_object_new (PLUMB_TYPE_CARD_VIEW, NULL);
}
