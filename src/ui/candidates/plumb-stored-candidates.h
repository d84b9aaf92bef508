/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-candidate.h"

G_BEGIN_DECLS

PlumbCandidates *plumb_stored_candidates_parse (const char *json);

G_END_DECLS
