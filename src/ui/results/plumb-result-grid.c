/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-result-grid.h"

#include "plumb-cell-text.h"
#include "plumb-result-model.h"
#include "plumb-result-row.h"

#include <glib/gi18n-lib.h>

/* Rows that are looked at to find a column's width, and the widths it may have, in characters. */
#define WIDTH_ROWS 60
#define MIN_CHARACTERS 4
#define MAX_CHARACTERS 36

struct _PlumbResultGrid {
  GtkWidget parent_instance;

  PlumbResult *result;
  GtkWidget *scrolled;
  GtkColumnView *view;
  GtkWidget *menu;
  guint menu_row;
  guint menu_column;
};

G_DEFINE_FINAL_TYPE (PlumbResultGrid, plumb_result_grid, GTK_TYPE_WIDGET)

static void
set_text (PlumbResultGrid *self, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static GtkWidget *
focused_cell (PlumbResultGrid *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return GTK_IS_INSCRIPTION (focus) && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)) ? focus
                                                                                         : NULL;
}

static void
cell_place (GtkWidget *cell, guint *row, guint *column)
{
  GtkListItem *item = g_object_get_data (G_OBJECT (cell), "list-item");

  *row = item != NULL ? gtk_list_item_get_position (item) : GTK_INVALID_LIST_POSITION;
  *column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "column"));
}

static gboolean
is_place (PlumbResultGrid *self, guint row, guint column)
{
  return self->result != NULL && row < plumb_result_get_n_rows (self->result) &&
         column < plumb_result_get_n_columns (self->result);
}

static void
copy_cell (PlumbResultGrid *self, guint row, guint column)
{
  g_autofree char *text = NULL;

  if (!is_place (self, row, column))
    return;
  text = plumb_cell_text_exact (plumb_result_get_cell (self->result, row, column));
  set_text (self, text);
}

static void
copy_rows (PlumbResultGrid *self, GtkBitset *rows)
{
  g_autoptr (GString) tsv = g_string_new (NULL);
  GtkBitsetIter iter;
  guint row;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, rows, &row); more;
       more = gtk_bitset_iter_next (&iter, &row))
    plumb_cell_text_append_row (tsv, self->result, row);
  set_text (self, tsv->str);
}

static void
copy_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbResultGrid *self = PLUMB_RESULT_GRID (widget);
  g_autoptr (GString) tsv = g_string_new (NULL);

  if (self->result == NULL)
    return;
  plumb_cell_text_append_header (tsv, self->result);
  for (gint64 row = 0; row < plumb_result_get_n_rows (self->result); row++)
    plumb_cell_text_append_row (tsv, self->result, row);
  set_text (self, tsv->str);
}

static void
copy_focused (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbResultGrid *self = PLUMB_RESULT_GRID (widget);
  GtkWidget *cell = focused_cell (self);
  g_autoptr (GtkBitset) rows = NULL;
  guint row, column;

  if (self->result == NULL)
    return;
  if (cell != NULL) {
    cell_place (cell, &row, &column);
    copy_cell (self, row, column);
    return;
  }
  rows = gtk_selection_model_get_selection (gtk_column_view_get_model (self->view));
  if (!gtk_bitset_is_empty (rows))
    copy_rows (self, rows);
}

static void
copy_menu_cell (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbResultGrid *self = PLUMB_RESULT_GRID (widget);

  copy_cell (self, self->menu_row, self->menu_column);
}

static void
copy_menu_row (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PlumbResultGrid *self = PLUMB_RESULT_GRID (widget);
  g_autoptr (GtkBitset) rows = gtk_bitset_new_empty ();

  if (!is_place (self, self->menu_row, 0))
    return;
  gtk_bitset_add (rows, self->menu_row);
  copy_rows (self, rows);
}

static void
show_menu (PlumbResultGrid *self, GtkWidget *cell)
{
  graphene_rect_t bounds;
  GdkRectangle place;

  cell_place (cell, &self->menu_row, &self->menu_column);
  if (!gtk_widget_compute_bounds (cell, GTK_WIDGET (self), &bounds))
    return;
  place = (GdkRectangle){ bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height };
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &place);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_secondary_press (GtkGestureClick *gesture, int n_press, double x, double y,
                    PlumbResultGrid *self)
{
  show_menu (self, gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, PlumbResultGrid *self)
{
  GtkWidget *cell = gtk_inscription_new (NULL);
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "column"));
  guint characters = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "characters"));
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), MIN_CHARACTERS);
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (cell), characters);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_wrap_mode (GTK_INSCRIPTION (cell), PANGO_WRAP_CHAR);
  gtk_inscription_set_yalign (GTK_INSCRIPTION (cell), 0.5);
  gtk_widget_set_focusable (cell, TRUE);
  g_object_set_data (G_OBJECT (cell), "list-item", item);
  g_object_set_data (G_OBJECT (cell), "column", GUINT_TO_POINTER (column));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_secondary_press), self);
  gtk_widget_add_controller (cell, GTK_EVENT_CONTROLLER (click));
  gtk_list_item_set_child (item, cell);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, PlumbResultGrid *self)
{
  GtkWidget *widget = gtk_list_item_get_child (item);
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "column"));
  const PlumbCell *cell = plumb_result_row_get_cell (gtk_list_item_get_item (item), column);
  g_autofree char *text = plumb_cell_text_for_grid (cell);
  const char *classes[] = { "cell", NULL, NULL };

  if (cell->kind == PLUMB_VALUE_NULL)
    classes[1] = "null";
  else if (plumb_cell_is_number (cell->kind))
    classes[1] = "numeric";
  gtk_widget_set_css_classes (widget, classes);
  gtk_inscription_set_xalign (
      GTK_INSCRIPTION (widget),
      plumb_cell_is_number (plumb_result_get_column (self->result, column)->kind) ? 1 : 0);
  gtk_inscription_set_text (GTK_INSCRIPTION (widget), text);
  gtk_widget_set_tooltip_text (widget, g_utf8_strlen (text, -1) > MAX_CHARACTERS ? text : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  cell->kind == PLUMB_VALUE_NULL ? _("No value") : text, -1);
}

static guint
column_characters (PlumbResult *result, guint column)
{
  glong most = g_utf8_strlen (plumb_result_get_column (result, column)->name, -1);

  for (gint64 row = 0; row < MIN (plumb_result_get_n_rows (result), WIDTH_ROWS); row++) {
    g_autofree char *text = plumb_cell_text_for_grid (plumb_result_get_cell (result, row, column));

    most = MAX (most, g_utf8_strlen (text, -1));
  }
  return CLAMP (most + 1, MIN_CHARACTERS, MAX_CHARACTERS);
}

static void
add_column (PlumbResultGrid *self, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) view_column = NULL;

  g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (column));
  g_object_set_data (G_OBJECT (factory), "characters",
                     GUINT_TO_POINTER (column_characters (self->result, column)));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  view_column = gtk_column_view_column_new (plumb_result_get_column (self->result, column)->name,
                                            factory);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_append_column (self->view, view_column);
}

static void
build_view (PlumbResultGrid *self)
{
  PlumbResultModel *rows = plumb_result_model_new (self->result);
  GtkMultiSelection *selection = gtk_multi_selection_new (G_LIST_MODEL (rows));

  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (selection)));
  gtk_column_view_set_show_column_separators (self->view, TRUE);
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  /* Wider than the pane: it scrolls, rather than that each cell is cut to a letter or two. */
  gtk_scrollable_set_hscroll_policy (GTK_SCROLLABLE (self->view), GTK_SCROLL_NATURAL);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Result"), -1);
  for (guint i = 0; i < plumb_result_get_n_columns (self->result); i++)
    add_column (self, i);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));
}

/* The columns and cells are made when the grid is first seen, not while the answer still comes
 * in. */
static void
plumb_result_grid_map (GtkWidget *widget)
{
  PlumbResultGrid *self = PLUMB_RESULT_GRID (widget);

  if (self->view == NULL && self->result != NULL)
    build_view (self);
  GTK_WIDGET_CLASS (plumb_result_grid_parent_class)->map (widget);
}

static void
plumb_result_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PlumbResultGrid *self = PLUMB_RESULT_GRID (widget);

  gtk_widget_allocate (self->scrolled, width, height, baseline, NULL);
  gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
plumb_result_grid_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (PLUMB_RESULT_GRID (widget)->scrolled, orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
plumb_result_grid_dispose (GObject *object)
{
  PlumbResultGrid *self = PLUMB_RESULT_GRID (object);

  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->result, plumb_result_unref);
  G_OBJECT_CLASS (plumb_result_grid_parent_class)->dispose (object);
}

static void
plumb_result_grid_class_init (PlumbResultGridClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_result_grid_dispose;
  widget_class->map = plumb_result_grid_map;
  widget_class->measure = plumb_result_grid_measure;
  widget_class->size_allocate = plumb_result_grid_size_allocate;

  gtk_widget_class_install_action (widget_class, "grid.copy", NULL, copy_focused);
  gtk_widget_class_install_action (widget_class, "grid.copy-cell", NULL, copy_menu_cell);
  gtk_widget_class_install_action (widget_class, "grid.copy-row", NULL, copy_menu_row);
  gtk_widget_class_install_action (widget_class, "grid.copy-all", NULL, copy_all);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "grid.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Insert, GDK_CONTROL_MASK, "grid.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "grid.copy-all", NULL);
}

static void
plumb_result_grid_init (PlumbResultGrid *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  self->scrolled = gtk_scrolled_window_new ();
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  g_menu_append (menu, _("Copy _Cell"), "grid.copy-cell");
  g_menu_append (menu, _("Copy _Row"), "grid.copy-row");
  g_menu_append (menu, _("Copy _All"), "grid.copy-all");
  self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

/** plumb_result_grid_new: Returns: a grid without rows */
GtkWidget *
plumb_result_grid_new (void)
{
  return g_object_new (PLUMB_TYPE_RESULT_GRID, NULL);
}

/** plumb_result_grid_set_result: shows @result, which may be %NULL */
void
plumb_result_grid_set_result (PlumbResultGrid *self, PlumbResult *result)
{
  if (result == self->result)
    return;
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), NULL);
  self->view = NULL;
  g_clear_pointer (&self->result, plumb_result_unref);
  if (result != NULL)
    self->result = plumb_result_ref (result);
  if (result != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    build_view (self);
}
