/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PLUMB_ERROR:
 *
 * The error domain for what any layer can say. Cancelling is G_IO_ERROR_CANCELLED everywhere.
 * A layer with more to tell has a domain of its own beside this one (PLUMB_SOURCE_ERROR,
 * PLUMB_INDEX_ERROR, PLUMB_MODEL_ERROR). Every message says what to do next.
 */
#define PLUMB_ERROR (plumb_error_quark ())

/**
 * PlumbError:
 * @PLUMB_ERROR_FAILED: nothing more precise is known
 * @PLUMB_ERROR_INVALID_ARGUMENT: what was asked for can't be read (exit code 2)
 * @PLUMB_ERROR_REFUSED: the statement check said no (exit code 3)
 * @PLUMB_ERROR_NO_PERMISSION: the account or the access role may not (exit code 4)
 * @PLUMB_ERROR_TIMED_OUT: a time budget is used up (exit code 6)
 * @PLUMB_ERROR_NOT_FOUND: no such table, source, conversation … (exit code 7)
 * @PLUMB_ERROR_AMBIGUOUS: a shortened name fits several tables; the message lists them (exit 7)
 * @PLUMB_ERROR_OUT_OF_SCOPE: outside the scope that a mention bound the turn to (exit code 4)
 * @PLUMB_ERROR_EXISTS: the name is taken
 */
typedef enum {
  PLUMB_ERROR_FAILED,
  PLUMB_ERROR_INVALID_ARGUMENT,
  PLUMB_ERROR_REFUSED,
  PLUMB_ERROR_NO_PERMISSION,
  PLUMB_ERROR_TIMED_OUT,
  PLUMB_ERROR_NOT_FOUND,
  PLUMB_ERROR_AMBIGUOUS,
  PLUMB_ERROR_OUT_OF_SCOPE,
  PLUMB_ERROR_EXISTS,
} PlumbError;

GQuark plumb_error_quark (void);

G_END_DECLS
