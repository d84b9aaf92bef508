/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-error.h"

G_BEGIN_DECLS

/**
 * PlumbSecretKind: whose secret it is: a source's password, or the key of a model's, an embedding or
 *   a rerank endpoint's address
 */
typedef enum {
  PLUMB_SECRET_SOURCE,
  PLUMB_SECRET_MODEL,
  PLUMB_SECRET_EMBEDDING,
  PLUMB_SECRET_RERANK,
} PlumbSecretKind;

/**
 * PlumbSecrets:
 *
 * Passwords and keys: in the desktop's keyring, else in the environment, else in this process until
 * it ends. Never in a file. Safe from any thread.
 */
typedef struct _PlumbSecrets PlumbSecrets;

PlumbSecrets *plumb_secrets_new (void);
void plumb_secrets_free (PlumbSecrets *self);
gboolean plumb_secrets_has_keyring (PlumbSecrets *self, GCancellable *cancellable, char **reason);
char *plumb_secrets_get_variable (PlumbSecretKind kind, const char *name);
char *plumb_secrets_lookup (PlumbSecrets *self, PlumbSecretKind kind, const char *name);
gboolean plumb_secrets_store (PlumbSecrets *self, PlumbSecretKind kind, const char *name,
                              const char *secret, GCancellable *cancellable, char **warning);
void plumb_secrets_clear (PlumbSecrets *self, PlumbSecretKind kind, const char *name);

G_END_DECLS
