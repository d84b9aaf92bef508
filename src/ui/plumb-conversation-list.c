/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-conversation-list.h"

#include "plumb-accessible.h"
#include "plumb-wording.h"

#include <glib/gi18n-lib.h>

struct _PlumbConversationList {
  AdwBin parent_instance;

  GPtrArray *conversations;
  GtkStack *stack;
  GtkListBox *list;
};

enum {
  CONVERSATION_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbConversationList, plumb_conversation_list, ADW_TYPE_BIN)

static const PlumbConversation *
find_conversation (PlumbConversationList *self, gint64 id)
{
  for (guint i = 0; self->conversations != NULL && i < self->conversations->len; i++) {
    const PlumbConversation *conversation = g_ptr_array_index (self->conversations, i);

    if (conversation->id == id)
      return conversation;
  }
  return NULL;
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, PlumbConversationList *self)
{
  const PlumbConversation *conversation = g_ptr_array_index (self->conversations,
                                                             gtk_list_box_row_get_index (row));

  g_signal_emit (self, signals[CONVERSATION_ACTIVATED], 0, conversation->id);
}

static GtkWidget *
new_menu_button (const PlumbConversation *conversation)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autofree char *rename = g_strdup_printf ("win.rename-conversation(int64 %" G_GINT64_FORMAT ")",
                                             conversation->id);
  g_autofree char *remove = g_strdup_printf ("win.delete-conversation(int64 %" G_GINT64_FORMAT ")",
                                             conversation->id);

  g_menu_append (menu, _("_Rename"), rename);
  g_menu_append (menu, _("_Delete"), remove);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _("Rename or delete"));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "row-menu");
  plumb_accessible_name_buttons (button);
  return button;
}

static GtkWidget *
new_row (const PlumbConversation *conversation)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *title = gtk_label_new (conversation->title);
  g_autofree char *at = plumb_wording_time (conversation->updated_at);
  GtkWidget *date = gtk_label_new (at);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (date), 0);
  gtk_label_set_ellipsize (GTK_LABEL (date), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (date, "caption");
  gtk_widget_add_css_class (date, "dim-label");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_margin_top (line, 4);
  gtk_widget_set_margin_bottom (line, 4);
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), date);
  gtk_box_append (GTK_BOX (line), texts);
  gtk_box_append (GTK_BOX (line), new_menu_button (conversation));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  gtk_widget_set_tooltip_text (row, conversation->title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  conversation->title, -1);
  return row;
}

/** plumb_conversation_list_set: shows @conversations, of #PlumbConversation */
void
plumb_conversation_list_set (PlumbConversationList *self, GPtrArray *conversations)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  g_clear_pointer (&self->conversations, g_ptr_array_unref);
  self->conversations = g_ptr_array_ref (conversations);
  for (guint i = 0; i < conversations->len; i++)
    gtk_list_box_append (self->list, new_row (g_ptr_array_index (conversations, i)));
  gtk_stack_set_visible_child_name (self->stack, conversations->len > 0 ? "list" : "empty");
}

/** plumb_conversation_list_select: marks the conversation @id as the one that is open */
void
plumb_conversation_list_select (PlumbConversationList *self, gint64 id)
{
  for (guint i = 0; self->conversations != NULL && i < self->conversations->len; i++) {
    const PlumbConversation *conversation = g_ptr_array_index (self->conversations, i);

    if (conversation->id == id) {
      gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, i));
      return;
    }
  }
  gtk_list_box_select_row (self->list, NULL);
}

/** plumb_conversation_list_get_title: Returns: (nullable): the title of the conversation @id */
const char *
plumb_conversation_list_get_title (PlumbConversationList *self, gint64 id)
{
  const PlumbConversation *conversation = find_conversation (self, id);

  return conversation != NULL ? conversation->title : NULL;
}

static void
plumb_conversation_list_dispose (GObject *object)
{
  PlumbConversationList *self = PLUMB_CONVERSATION_LIST (object);

  g_clear_pointer (&self->conversations, g_ptr_array_unref);
  G_OBJECT_CLASS (plumb_conversation_list_parent_class)->dispose (object);
}

static void
plumb_conversation_list_class_init (PlumbConversationListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = plumb_conversation_list_dispose;

  signals[CONVERSATION_ACTIVATED] = g_signal_new (
      "conversation-activated", PLUMB_TYPE_CONVERSATION_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
      NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
plumb_conversation_list_init (PlumbConversationList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *empty = gtk_label_new (_("No conversations yet"));

  self->stack = GTK_STACK (gtk_stack_new ());
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Conversations"), -1);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_label_set_wrap (GTK_LABEL (empty), TRUE);
  gtk_stack_add_named (self->stack, empty, "empty");
  gtk_stack_add_named (self->stack, scrolled, "list");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}
