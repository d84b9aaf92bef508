/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-application.h"
#include "plumb-window.h"

G_BEGIN_DECLS

typedef gboolean (*UiCondition) (gpointer data);
typedef gboolean (*UiMatch) (GtkWidget *widget, gconstpointer data);

/* A folder of its own for data, settings and cache, set before anything else. */
void              ui_harness_init         (int *argc, char ***argv);
char             *ui_harness_data_path    (const char *name);
PlumbApplication *ui_harness_application  (void);
PlumbSession     *ui_harness_session      (void);
PlumbSession     *ui_harness_demo_session (void);
PlumbWindow      *ui_harness_window       (PlumbSession *session, int width, int height);
void              ui_harness_close        (PlumbWindow *window);

/* The main loop runs until @condition holds; the test fails when that takes too long. */
void              ui_wait                 (UiCondition condition, gpointer data, const char *what);
void              ui_settle               (void);

GtkWidget        *ui_find                 (gpointer root, UiMatch match, gconstpointer data);
GtkWidget        *ui_find_type            (gpointer root, GType type);
GtkWidget        *ui_find_label           (gpointer root, const char *part);
GtkWidget        *ui_find_button          (gpointer root, const char *label_or_tooltip);
guint             ui_count_type           (gpointer root, GType type);

/* A press of @button, told at once. */
void              ui_click                (GtkWidget *button);

/* Real keys, through the display; a key as xdotool names it, or text. */
void              ui_focus_window         (PlumbWindow *window);
void              ui_key                  (const char *key);
void              ui_type                 (const char *text);

/* A picture of @window in $PLUMBLINE_SCREENSHOT_DIR; nothing where that isn't set. */
void              ui_screenshot           (gpointer window, const char *name);

G_END_DECLS
