/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-view.h"

#include "plumb-accessible.h"
#include "plumb-chip.h"
#include "plumb-join-canvas.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbJoinView {
  AdwBin parent_instance;

  GStrv tables;
  GCancellable *cancellable;

  GtkStack *stack;
  AdwStatusPage *empty_page;
  PlumbJoinCanvas *canvas;
  GtkListBox *list;
};

enum {
  TABLE_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbJoinView, plumb_join_view, ADW_TYPE_BIN)

static void
on_table_activated (PlumbJoinView *self, const char *table)
{
  g_signal_emit (self, signals[TABLE_ACTIVATED], 0, table);
}

static char *
describe_edge (const PlumbJoinEdge *edge)
{
  g_autofree char *keys = plumb_join_picture_keys (edge);
  GString *text = g_string_new (keys);

  if (edge->name != NULL && edge->name[0] != '\0')
    g_string_append_printf (text, " · %s", edge->name);
  if (edge->usage > 0) {
    gulong n = CLAMP (edge->usage, 0, G_MAXINT);

    g_string_append (text, " · ");
    g_string_append_printf (text, ngettext ("used %lu time", "used %lu times", n), n);
  }
  if (edge->temporal_rule != NULL)
    g_string_append_printf (text, "\n%s", edge->temporal_rule);
  if (edge->evidence != NULL)
    g_string_append_printf (text, "\n%s", edge->evidence);
  return g_string_free (text, FALSE);
}

static void
append_edge (PlumbJoinView *self, const PlumbJoinEdge *edge)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_strdup_printf ("%s → %s", edge->left->table, edge->right->table);
  g_autofree char *subtitle = describe_edge (edge);
  GtkWidget *cardinality = gtk_label_new (plumb_wording_cardinality (edge->cardinality));
  const char *css_class = edge->state == PLUMB_EDGE_STALE ? "copy"
                          : edge->trust <= 2              ? "live"
                                                          : NULL;
  const char *mark = edge->state == PLUMB_EDGE_STALE ? _("Stale")
                                                     : plumb_wording_trust (edge->trust);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_add_css_class (cardinality, "dim-label");
  gtk_widget_add_css_class (cardinality, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), cardinality);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), plumb_chip_new (mark, css_class));
  gtk_list_box_append (self->list, row);
}

static void
show_picture (PlumbJoinView *self, PlumbJoinPicture *picture)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  for (guint i = 0; i < picture->edges->len; i++)
    append_edge (self, g_ptr_array_index (picture->edges, i));
  gtk_widget_set_visible (GTK_WIDGET (self->list), picture->edges->len > 0);
  gtk_stack_set_visible_child_name (self->stack, picture->tables->len > 0 ? "joins" : "empty");
  plumb_join_canvas_take_picture (self->canvas, picture);
}

static gpointer
collect (PlumbSession *session, gpointer tables, GCancellable *cancellable, GError **error)
{
  return plumb_join_picture_collect (session, tables, cancellable, error);
}

static void
on_collected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbJoinView) self = user_data;
  g_autoptr (GError) error = NULL;
  PlumbJoinPicture *picture = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->stack == NULL) {
    plumb_join_picture_free (picture);
    return;
  }
  if (picture != NULL) {
    show_picture (self, picture);
    return;
  }
  adw_status_page_set_description (self->empty_page, error->message);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

/** plumb_join_view_set_tables: draws @tables and the joins between them; %NULL or empty draws
 *  nothing */
void
plumb_join_view_set_tables (PlumbJoinView *self, PlumbSession *session, const char *const *tables)
{
  const char *const none[] = { NULL };

  tables = tables != NULL ? tables : none;
  if (self->tables != NULL && g_strv_equal ((const char *const *) self->tables, tables))
    return;
  g_strfreev (self->tables);
  self->tables = g_strdupv ((GStrv) tables);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (tables[0] == NULL) {
    gtk_stack_set_visible_child_name (self->stack, "empty");
    return;
  }
  self->cancellable = g_cancellable_new ();
  plumb_session_run_async (session, collect, g_strdupv (self->tables), (GDestroyNotify) g_strfreev,
                           (GDestroyNotify) plumb_join_picture_free, self->cancellable,
                           on_collected, g_object_ref (self));
}

static void
plumb_join_view_dispose (GObject *object)
{
  PlumbJoinView *self = PLUMB_JOIN_VIEW (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->tables, g_strfreev);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_JOIN_VIEW);
  G_OBJECT_CLASS (plumb_join_view_parent_class)->dispose (object);
}

static void
plumb_join_view_class_init (PlumbJoinViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_join_view_dispose;

  signals[TABLE_ACTIVATED] = g_signal_new ("table-activated", PLUMB_TYPE_JOIN_VIEW,
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                           G_TYPE_STRING);
  g_type_ensure (PLUMB_TYPE_JOIN_CANVAS);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-join-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbJoinView, stack);
  gtk_widget_class_bind_template_child (widget_class, PlumbJoinView, empty_page);
  gtk_widget_class_bind_template_child (widget_class, PlumbJoinView, canvas);
  gtk_widget_class_bind_template_child (widget_class, PlumbJoinView, list);
  gtk_widget_class_bind_template_callback (widget_class, on_table_activated);
}

static void
plumb_join_view_init (PlumbJoinView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
}
