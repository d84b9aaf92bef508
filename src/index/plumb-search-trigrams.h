/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PLUMB_MAX_TRIGRAMS 128

/* The trigrams of a word with a blank before and after it, each once: three characters in 63 bits. */
static inline guint
plumb_get_trigrams (const char *word, guint64 *trigrams)
{
  guint64 window = ' ';
  guint n = 0, n_characters = 1;

  for (const char *p = word;; p = g_utf8_next_char (p)) {
    gunichar c = *p == '\0' ? ' ' : (guchar) *p < 0x80 ? (guchar) *p : g_utf8_get_char (p);
    gboolean known = FALSE;

    window = ((window << 21) | c) & G_GUINT64_CONSTANT (0x7fffffffffffffff);
    if (++n_characters >= 3) {
      for (guint i = 0; i < n && !known; i++)
        known = trigrams[i] == window;
      if (!known && n < PLUMB_MAX_TRIGRAMS)
        trigrams[n++] = window;
    }
    if (*p == '\0')
      return n;
  }
}

G_END_DECLS
