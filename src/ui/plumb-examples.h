/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-session.h"

G_BEGIN_DECLS

GStrv plumb_examples_collect (PlumbSession *session, GCancellable *cancellable, GError **error);

G_END_DECLS
