/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-error.h"

G_DEFINE_QUARK (plumb-error-quark, plumb_error)
