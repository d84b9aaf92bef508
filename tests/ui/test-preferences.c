/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-endpoint-group.h"
#include "plumb-preferences-window.h"
#include "ui-harness.h"
#include "vector-peer.h"

#include <string.h>

#define N_DIMENSIONS 64

static gboolean
has_kind (GtkWidget *widget, gconstpointer data)
{
  return PLUMB_IS_ENDPOINT_GROUP (widget) &&
         g_str_equal (adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (widget)), data);
}

static gboolean
has_title (GtkWidget *widget, gconstpointer title)
{
  return ADW_IS_PREFERENCES_ROW (widget) &&
         g_str_has_prefix (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title);
}

static GtkWidget *
find_row (gpointer group, const char *title)
{
  GtkWidget *row = ui_find (group, has_title, title);

  g_assert_nonnull (row);
  return row;
}

static void
set_text (gpointer group, const char *title, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (find_row (group, title)), text);
}

static gboolean
is_read (gpointer group)
{
  return ui_find (group, has_title, "Embedded") != NULL &&
         adw_action_row_get_subtitle (ADW_ACTION_ROW (find_row (group, "Embedded"))) != NULL;
}

static gboolean
shows_class (gpointer group, const char *css_class)
{
  GtkWidget *label = ui_find (group, (UiMatch) gtk_widget_has_css_class, css_class);

  return label != NULL && GTK_IS_LABEL (label) && gtk_widget_get_visible (label);
}

static gboolean
shows_success (gpointer group)
{
  return shows_class (group, "success");
}

static gboolean
shows_error (gpointer group)
{
  return shows_class (group, "error");
}

static gboolean
is_embedded (gpointer group)
{
  const char *state = adw_action_row_get_subtitle (ADW_ACTION_ROW (find_row (group, "Embedded")));
  guint done = 0, total = 0;

  return state != NULL && sscanf (state, "%u of %u", &done, &total) == 2 && total > 0 &&
         done == total && ui_find_button (group, "Embed Now") != NULL;
}

static GtkWidget *
open_window (PlumbSession *session, int width, GtkWidget **embedding, GtkWidget **rerank)
{
  GtkWidget *window = plumb_preferences_window_new (session, NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), width, 900);
  gtk_window_present (GTK_WINDOW (window));
  *embedding = ui_find (window, has_kind, "Embeddings");
  *rerank = ui_find (window, has_kind, "Reranking");
  g_assert_nonnull (*embedding);
  g_assert_nonnull (*rerank);
  ui_wait (is_read, *embedding, "how far embedding is");
  ui_settle ();
  return window;
}

/* What the lowest rows look like: the page is taller than the window. */
static void
take_picture (GtkWidget *window, GtkWidget *group, const char *name)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (group, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  ui_settle ();
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  ui_settle ();
  ui_screenshot (window, name);
}

static void
test_embeddings (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autofree char *address = vector_peer_get_address (peer, "/v1");
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  g_autoptr (PlumbEmbeddingProgress) progress = NULL;
  GtkWidget *embedding, *rerank;
  GtkWidget *window = open_window (session, 640, &embedding, &rerank);

  g_assert_false (gtk_widget_get_mapped (find_row (embedding, "Address")));
  gtk_switch_set_active (
      GTK_SWITCH (ui_find_type (find_row (embedding, "Use embeddings"), GTK_TYPE_SWITCH)), TRUE);
  ui_settle ();
  g_assert_true (gtk_widget_get_mapped (find_row (embedding, "Address")));
  g_assert_false (gtk_widget_get_sensitive (ui_find_button (embedding, "_Use This")));
  set_text (embedding, "Address", address);
  set_text (embedding, "Model", "bge-m3");
  vector_peer_set_fault (peer, VECTOR_PEER_HTML, 1);
  ui_click (ui_find_button (embedding, "_Test"));
  ui_wait (shows_error, embedding, "that it is no model server");
  g_assert_nonnull (ui_find_label (embedding, "a web page"));
  take_picture (window, embedding, "preferences-embedding-error");
  ui_click (ui_find_button (embedding, "_Test"));
  ui_wait (shows_success, embedding, "that it answers");
  g_assert_nonnull (ui_find_label (embedding, "vectors of 64 numbers"));
  vector_peer_reset (peer);
  ui_click (ui_find_button (embedding, "_Use This"));
  ui_wait (is_embedded, embedding, "that everything is embedded");
  progress = plumb_session_get_embedding_progress (session, NULL);
  g_assert_cmpstr (progress->serving_model, ==, "bge-m3");
  g_assert_cmpuint (vector_peer_get_n_texts (peer), ==, progress->chunks);
  take_picture (window, embedding, "preferences-embedding");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What was saved is there again; and how it looks on a small and on a dark screen. */
static void
test_reranking (void)
{
  g_autoptr (VectorPeer) peer = vector_peer_new (N_DIMENSIONS);
  g_autofree char *address = vector_peer_get_address (peer, "/v1");
  g_autoptr (PlumbSession) session = ui_harness_demo_session ();
  GtkWidget *embedding, *rerank;
  GtkWidget *window = open_window (session, 640, &embedding, &rerank);
  PlumbRerankWhen when;
  PlumbRerankBy by;

  g_assert_false (gtk_widget_get_mapped (find_row (rerank, "Address")));
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (rerank, "When")), PLUMB_RERANK_EVERY_TIME);
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (rerank, "By")), PLUMB_RERANK_BY_ENDPOINT);
  ui_settle ();
  g_assert_true (gtk_widget_get_mapped (find_row (rerank, "Address")));
  set_text (rerank, "Address", address);
  ui_click (ui_find_button (rerank, "_Test"));
  ui_wait (shows_success, rerank, "that it answers");
  ui_click (ui_find_button (rerank, "_Use This"));
  ui_settle ();
  ui_wait (shows_success, rerank, "that it is saved");
  plumb_session_get_reranking (session, &when, &by);
  g_assert_cmpint (when, ==, PLUMB_RERANK_EVERY_TIME);
  g_assert_cmpint (by, ==, PLUMB_RERANK_BY_ENDPOINT);
  gtk_window_destroy (GTK_WINDOW (window));
  window = open_window (session, 360, &embedding, &rerank);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (rerank, "Address"))), ==,
                   address);
  take_picture (window, rerank, "preferences-search-narrow");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  take_picture (window, rerank, "preferences-search-dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  ui_harness_init (&argc, &argv);
  ui_harness_application ();
  g_test_add_func ("/preferences/embeddings", test_embeddings);
  g_test_add_func ("/preferences/reranking", test_reranking);
  return g_test_run ();
}
