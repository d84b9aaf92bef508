/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *const *plumb_abbreviation_expand (const char *word);
char              *plumb_abbreviation_spell_out (const char *identifier);

G_END_DECLS
