/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An abbreviation and up to three words that it stands for, ended by NULL. */
typedef struct {
  const char *abbreviation;
  const char *const words[4];
} PlumbAbbreviation;

extern const PlumbAbbreviation plumb_abbreviations[];
extern const gsize plumb_n_abbreviations;

G_END_DECLS
