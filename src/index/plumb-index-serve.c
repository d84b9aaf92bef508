/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-vectors-private.h"

/**
 * plumb_index_serve_vectors:
 * @self: an index
 * @model: a model that has vectors
 * @error: return location
 *
 * Lets a model serve although some chunks have no vector of it, because they can't be embedded or
 * may not be sent: one bad text doesn't keep all others out of search. Vectors of other models are
 * removed. Where @model has no vector at all, nothing changes.
 *
 * Returns: %FALSE with an error
 */
gboolean
plumb_index_serve_vectors (PlumbIndex *self, const char *model, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);

  return write != NULL &&
         plumb_transaction_run (write, error,
                                "DELETE FROM vector_model WHERE name <> ?1 AND EXISTS"
                                " (SELECT 1 FROM vector_model WHERE name = ?1 AND n_vectors > 0)",
                                "s", model) &&
         plumb_transaction_run (write, error,
                                "UPDATE vector_model SET serves = 1"
                                " WHERE name = ?1 AND serves = 0 AND n_vectors > 0",
                                "s", model) &&
         plumb_transaction_commit (write, error);
}
