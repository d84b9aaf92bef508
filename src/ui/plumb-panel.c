/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-panel.h"

#include "plumb-accessible.h"
#include "plumb-candidate-panel.h"
#include "plumb-card-view.h"
#include "plumb-join-view.h"
#include "plumb-pane-layout.h"
#include "plumb-result-view.h"

#include <adwaita.h>

struct _PlumbPanel {
  GtkWidget parent_instance;

  PlumbSession *session;
  PlumbTurnItem *item;
  gulong candidates_handler;
  gulong changed_handler;

  GtkWidget *content;
  AdwHeaderBar *header;
  AdwSqueezer *squeezer;
  GtkWidget *switcher;
  AdwWindowTitle *title;
  AdwViewSwitcherBar *bar;
  GtkWidget *back_button;
  AdwViewStack *pages;
  PlumbCandidatePanel *candidates;
  PlumbCardView *card;
  PlumbJoinView *joins;
  PlumbResultView *results;
};

enum {
  BACK,
  N_SIGNALS,
};

enum {
  PROP_0,
  PROP_PAGE,
  N_PROPERTIES,
};

static guint signals[N_SIGNALS];
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (PlumbPanel, plumb_panel, GTK_TYPE_WIDGET)

static void
on_back (PlumbPanel *self)
{
  g_signal_emit (self, signals[BACK], 0);
}

static void
on_table_activated (PlumbPanel *self, const char *table)
{
  plumb_panel_open_table (self, table);
}

static void
on_page_changed (PlumbPanel *self)
{
  GtkWidget *child = adw_view_stack_get_visible_child (self->pages);

  if (child != NULL)
    adw_window_title_set_title (
        self->title, adw_view_stack_page_get_title (adw_view_stack_get_page (self->pages, child)));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

/* Where the header has no room for the pages, they stand below. */
static void
on_squeezed (PlumbPanel *self)
{
  adw_view_switcher_bar_set_reveal (self->bar, adw_squeezer_get_visible_child (self->squeezer) !=
                                                   self->switcher);
}

static void
on_candidates_changed (PlumbPanel *self)
{
  plumb_candidate_panel_set_candidates (self->candidates,
                                        plumb_turn_item_get_candidates (self->item));
}

/* The tables at hand change with the steps; they are looked up again only when they really do. */
static void
on_turn_changed (PlumbPanel *self)
{
  g_auto (GStrv) tables = plumb_turn_item_get_tables (self->item);

  plumb_join_view_set_tables (self->joins, self->session, (const char *const *) tables);
  if (plumb_card_view_get_table (self->card) == NULL && tables[0] != NULL)
    plumb_card_view_open (self->card, self->session, tables[0]);
}

/** plumb_panel_set_session: the session that cards and joins are read from */
void
plumb_panel_set_session (PlumbPanel *self, PlumbSession *session)
{
  g_set_object (&self->session, session);
}

static void
drop_turn (PlumbPanel *self)
{
  if (self->item == NULL)
    return;
  g_clear_signal_handler (&self->candidates_handler, self->item);
  g_clear_signal_handler (&self->changed_handler, self->item);
  g_clear_object (&self->item);
}

/** plumb_panel_set_turn: shows what @item rests on, and follows it; %NULL shows nothing */
void
plumb_panel_set_turn (PlumbPanel *self, PlumbTurnItem *item)
{
  if (item == self->item)
    return;
  drop_turn (self);
  plumb_card_view_close (self->card);
  if (item == NULL) {
    plumb_candidate_panel_set_candidates (self->candidates, NULL);
    plumb_result_view_set_executions (self->results, NULL);
    plumb_join_view_set_tables (self->joins, self->session, NULL);
    return;
  }
  self->item = g_object_ref (item);
  self->candidates_handler = g_signal_connect_swapped (item, "candidates-changed",
                                                       G_CALLBACK (on_candidates_changed), self);
  self->changed_handler = g_signal_connect_swapped (item, "changed", G_CALLBACK (on_turn_changed),
                                                    self);
  plumb_result_view_set_executions (self->results, plumb_turn_item_get_executions (item));
  on_candidates_changed (self);
  on_turn_changed (self);
}

/** plumb_panel_show_page: opens @page */
void
plumb_panel_show_page (PlumbPanel *self, const char *page)
{
  adw_view_stack_set_visible_child_name (self->pages, page);
}

/** plumb_panel_get_page: Returns: the page that is open */
const char *
plumb_panel_get_page (PlumbPanel *self)
{
  return adw_view_stack_get_visible_child_name (self->pages);
}

/** plumb_panel_show_statement: opens the page on SQL, at the statement at @place where it isn't
 *  negative */
void
plumb_panel_show_statement (PlumbPanel *self, int place)
{
  plumb_panel_show_page (self, "sql");
  if (place >= 0)
    plumb_result_view_select (self->results, place);
}

/** plumb_panel_open_table: opens the card of @table */
void
plumb_panel_open_table (PlumbPanel *self, const char *table)
{
  plumb_card_view_open (self->card, self->session, table);
  plumb_panel_show_page (self, "card");
}

/** plumb_panel_take_focus: gives the keyboard to the page that is open */
void
plumb_panel_take_focus (PlumbPanel *self)
{
  gtk_widget_child_focus (adw_view_stack_get_visible_child (self->pages), GTK_DIR_TAB_FORWARD);
}

/** plumb_panel_set_alone: whether the panel has the window for itself, and needs a way back */
void
plumb_panel_set_alone (PlumbPanel *self, gboolean alone)
{
  gtk_widget_set_visible (self->back_button, alone);
  adw_header_bar_set_show_start_title_buttons (self->header, alone);
}

static void
plumb_panel_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PAGE)
    g_value_set_string (value, plumb_panel_get_page (PLUMB_PANEL (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plumb_panel_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PAGE)
    plumb_panel_show_page (PLUMB_PANEL (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
plumb_panel_dispose (GObject *object)
{
  PlumbPanel *self = PLUMB_PANEL (object);

  drop_turn (self);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_PANEL);
  G_OBJECT_CLASS (plumb_panel_parent_class)->dispose (object);
}

static void
plumb_panel_class_init (PlumbPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = plumb_panel_dispose;
  object_class->get_property = plumb_panel_get_property;
  object_class->set_property = plumb_panel_set_property;

  properties[PROP_PAGE] = g_param_spec_string ("page", NULL, NULL, NULL,
                                               G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[BACK] = g_signal_new ("back", PLUMB_TYPE_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);

  g_type_ensure (PLUMB_TYPE_CANDIDATE_PANEL);
  g_type_ensure (PLUMB_TYPE_CARD_VIEW);
  g_type_ensure (PLUMB_TYPE_JOIN_VIEW);
  g_type_ensure (PLUMB_TYPE_RESULT_VIEW);
  g_type_ensure (PLUMB_TYPE_PANE_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/plumbline/Plumbline/ui/plumb-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, content);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, header);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, squeezer);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, switcher);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, title);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, bar);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, back_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, pages);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, candidates);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, card);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, joins);
  gtk_widget_class_bind_template_child (widget_class, PlumbPanel, results);
  gtk_widget_class_bind_template_callback (widget_class, on_back);
  gtk_widget_class_bind_template_callback (widget_class, on_table_activated);
}

static void
plumb_panel_init (PlumbPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  g_signal_connect_swapped (self->pages, "notify::visible-child-name", G_CALLBACK (on_page_changed),
                            self);
  g_signal_connect_swapped (self->squeezer, "notify::visible-child", G_CALLBACK (on_squeezed),
                            self);
  on_page_changed (self);
}
