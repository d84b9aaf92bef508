/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-column-table.h"

#include "plumb-accessible.h"
#include "plumb-column-item.h"
#include "plumb-pile.h"
#include "plumb-text.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

/* Frequent values that are listed of a column. */
#define VALUES_SHOWN 30

struct _PlumbColumnTable {
  AdwBin parent_instance;

  PlumbCard *card;
  char *folded;
  GtkCustomFilter *custom_filter;
  GtkSingleSelection *selection;

  GtkWidget *content;
  GtkEditable *filter;
  GtkScrolledWindow *scrolled;
  GtkRevealer *revealer;
  PlumbPile *details;
};

G_DEFINE_FINAL_TYPE (PlumbColumnTable, plumb_column_table, ADW_TYPE_BIN)

typedef const char *(*TextFunc) (PlumbColumnItem *item);

static const char *
get_name (PlumbColumnItem *item)
{
  return plumb_column_item_get_column (item)->name;
}

static const char *
get_column_type (PlumbColumnItem *item)
{
  return plumb_column_item_get_column (item)->type;
}

static const char *
get_key (PlumbColumnItem *item)
{
  const char *key = plumb_column_item_get_column (item)->key;

  return key != NULL ? key : "";
}

static const struct {
  const char *title;
  TextFunc text;
  guint minimum;
  guint natural;
} table_columns[] = {
  { N_("Column"), get_name, 13, 18 },
  { N_("Meaning"), plumb_column_item_get_about, 14, 26 },
  { N_("Type"), get_column_type, 6, 11 },
  { N_("Key"), get_key, 4, 12 },
};

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *cell = gtk_inscription_new (NULL);
  guint column = GPOINTER_TO_UINT (user_data);

  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), table_columns[column].minimum);
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (cell), table_columns[column].natural);
  /* Names of one table often differ at their ends alone. */
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     column == 0 ? GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_MIDDLE
                                                 : GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  if (column > 1)
    gtk_widget_add_css_class (cell, "dim-label");
  gtk_list_item_set_child (item, cell);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  g_autofree char *line = plumb_text_first_line (
      table_columns[GPOINTER_TO_UINT (user_data)].text (gtk_list_item_get_item (item)), 200);

  gtk_inscription_set_text (GTK_INSCRIPTION (cell), line);
  gtk_widget_set_tooltip_text (cell, line[0] != '\0' ? line : NULL);
}

static void
append_line (PlumbColumnTable *self, const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  plumb_pile_append (self->details, label);
}

static char *
describe_statistics (const PlumbCardColumn *column)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  if (column->distinct >= 0) {
    g_autofree char *count = plumb_wording_count (column->distinct);

    g_ptr_array_add (parts, g_strdup_printf (_("%s distinct values"), count));
  }
  if (column->null_fraction >= 0)
    g_ptr_array_add (parts, g_strdup_printf (_("%.1f%% empty"), column->null_fraction * 100));
  if (column->minimum != NULL && column->maximum != NULL)
    g_ptr_array_add (parts,
                     g_strdup_printf (_("from %s to %s"), column->minimum, column->maximum));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (GStrv) parts->pdata);
}

static void
append_values (PlumbColumnTable *self, const PlumbCardColumn *column)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (guint i = 0; i < MIN (column->values->len, VALUES_SHOWN); i++) {
    const PlumbCodeValue *value = g_ptr_array_index (column->values, i);
    g_autofree char *count = value->count >= 0 ? plumb_wording_count (value->count) : g_strdup ("");
    const char *texts[] = { value->value, value->meaning != NULL ? value->meaning : "", count };

    for (guint place = 0; place < G_N_ELEMENTS (texts); place++) {
      GtkWidget *label = gtk_label_new (texts[place]);

      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_xalign (GTK_LABEL (label), place == 2 ? 1 : 0);
      gtk_widget_set_hexpand (label, place == 1);
      gtk_widget_add_css_class (label, place == 0   ? "monospace"
                                       : place == 2 ? "dim-label"
                                                    : "value-meaning");
      gtk_grid_attach (GTK_GRID (grid), label, place, i, 1, 1);
    }
  }
  plumb_pile_append (self->details, grid);
}

static void
show_details (PlumbColumnTable *self, PlumbColumnItem *item)
{
  const PlumbCardColumn *column = plumb_column_item_get_column (item);
  g_autofree char *statistics = describe_statistics (column);
  g_autofree char *heading = g_strdup_printf ("%s  %s", column->name, column->type);

  plumb_pile_cut (self->details, 0);
  append_line (self, heading, "heading");
  if (plumb_column_item_get_about (item)[0] != '\0')
    append_line (self, plumb_column_item_get_about (item), NULL);
  if (column->comment != NULL && column->meaning != NULL &&
      g_strcmp0 (column->comment, column->meaning) != 0)
    append_line (self, column->comment, "dim-label");
  if (column->key != NULL)
    append_line (self, column->key, "dim-label");
  if (column->misuse != NULL)
    append_line (self, column->misuse, "warning");
  if (statistics[0] != '\0')
    append_line (self, statistics, "dim-label");
  if (column->values != NULL && column->values->len > 0)
    append_values (self, column);
}

static void
on_selected (PlumbColumnTable *self)
{
  PlumbColumnItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (item != NULL)
    show_details (self, item);
  gtk_revealer_set_reveal_child (self->revealer, item != NULL);
}

static gboolean
matches (gpointer item, gpointer user_data)
{
  PlumbColumnTable *self = user_data;

  return self->folded == NULL || self->folded[0] == '\0' ||
         plumb_column_item_matches (item, self->folded);
}

static void
on_filter_changed (PlumbColumnTable *self)
{
  g_free (self->folded);
  self->folded = plumb_text_fold (gtk_editable_get_text (self->filter));
  if (self->custom_filter != NULL)
    gtk_filter_changed (GTK_FILTER (self->custom_filter), GTK_FILTER_CHANGE_DIFFERENT);
}

static GListModel *
new_model (PlumbColumnTable *self)
{
  GListStore *store = g_list_store_new (PLUMB_TYPE_COLUMN_ITEM);

  for (guint i = 0; i < self->card->columns->len; i++) {
    g_autoptr (PlumbColumnItem) item = plumb_column_item_new (self->card, i);

    g_list_store_append (store, item);
  }
  self->custom_filter = gtk_custom_filter_new (matches, self, NULL);
  return G_LIST_MODEL (gtk_filter_list_model_new (G_LIST_MODEL (store),
                                                  g_object_ref (GTK_FILTER (self->custom_filter))));
}

/* The view is made when the page is first shown: a table can have thousands of columns. */
static void
build_view (PlumbColumnTable *self)
{
  g_autoptr (GListModel) model = new_model (self);
  GtkWidget *view;

  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_model (self->selection, model);
  view = gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)));
  gtk_widget_add_css_class (view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Columns"), -1);
  for (guint i = 0; i < G_N_ELEMENTS (table_columns); i++) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    g_autoptr (GtkColumnViewColumn) column = NULL;

    g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (i));
    g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (i));
    column = gtk_column_view_column_new (_(table_columns[i].title), factory);
    gtk_column_view_column_set_resizable (column, TRUE);
    gtk_column_view_column_set_expand (column, i == 1);
    gtk_column_view_append_column (GTK_COLUMN_VIEW (view), column);
  }
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_child (self->scrolled, view);
}

static void
clear_view (PlumbColumnTable *self)
{
  if (self->scrolled != NULL)
    gtk_scrolled_window_set_child (self->scrolled, NULL);
  g_clear_object (&self->selection);
  g_clear_object (&self->custom_filter);
  if (self->revealer != NULL)
    gtk_revealer_set_reveal_child (self->revealer, FALSE);
}

static void
plumb_column_table_map (GtkWidget *widget)
{
  PlumbColumnTable *self = PLUMB_COLUMN_TABLE (widget);

  if (self->card != NULL && self->selection == NULL)
    build_view (self);
  GTK_WIDGET_CLASS (plumb_column_table_parent_class)->map (widget);
}

static void
plumb_column_table_dispose (GObject *object)
{
  PlumbColumnTable *self = PLUMB_COLUMN_TABLE (object);

  clear_view (self);
  g_clear_pointer (&self->card, plumb_card_unref);
  g_clear_pointer (&self->folded, g_free);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_COLUMN_TABLE);
  G_OBJECT_CLASS (plumb_column_table_parent_class)->dispose (object);
}

static void
plumb_column_table_class_init (PlumbColumnTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_column_table_dispose;
  widget_class->map = plumb_column_table_map;

  g_type_ensure (PLUMB_TYPE_PILE);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-column-table.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbColumnTable, content);
  gtk_widget_class_bind_template_child (widget_class, PlumbColumnTable, filter);
  gtk_widget_class_bind_template_child (widget_class, PlumbColumnTable, scrolled);
  gtk_widget_class_bind_template_child (widget_class, PlumbColumnTable, revealer);
  gtk_widget_class_bind_template_child (widget_class, PlumbColumnTable, details);
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
}

static void
plumb_column_table_init (PlumbColumnTable *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}

/** plumb_column_table_set_card: shows the columns of @card, which may be %NULL */
void
plumb_column_table_set_card (PlumbColumnTable *self, PlumbCard *card)
{
  clear_view (self);
  g_clear_pointer (&self->card, plumb_card_unref);
  gtk_editable_set_text (self->filter, "");
  if (card == NULL)
    return;
  self->card = plumb_card_ref (card);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    build_view (self);
}
