/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

char      *plumb_text_make_valid        (const char *bytes, gsize length, gsize *valid_length);
char      *plumb_text_fold              (const char *text);
char      *plumb_text_cut               (const char *text, gsize max_bytes);
char      *plumb_text_first_line        (const char *text, guint max_characters);
GPtrArray *plumb_text_tokenize          (const char *text);
GPtrArray *plumb_text_split_identifier  (const char *identifier);
gboolean   plumb_text_is_cjk            (gunichar c);

G_END_DECLS
