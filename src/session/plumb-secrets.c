/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-secrets.h"

#include <libsecret/secret.h>

#include <string.h>

/* How long the bus may take to say whether there is a keyring. */
#define BUS_TIMEOUT_MS 2000

#define SERVICE "org.freedesktop.secrets"

static const SecretSchema schema = {
  "io.github.plumbline.Plumbline",
  SECRET_SCHEMA_NONE,
  {
    { "kind", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "name", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
};

struct _PlumbSecrets {
  GMutex mutex;
  GHashTable *kept;
};

/* A secret isn't left in memory that is handed back. */
static void
wipe_and_free (gpointer secret)
{
  explicit_bzero (secret, strlen (secret));
  g_free (secret);
}

/** plumb_secrets_new: Returns: (transfer full): the way to the secrets */
PlumbSecrets *
plumb_secrets_new (void)
{
  PlumbSecrets *self = g_new0 (PlumbSecrets, 1);

  g_mutex_init (&self->mutex);
  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, wipe_and_free);
  return self;
}

/** plumb_secrets_free: frees @self and forgets what only it knew */
void
plumb_secrets_free (PlumbSecrets *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->kept);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static const char *const kind_names[] = {
  [PLUMB_SECRET_SOURCE] = "source",
  [PLUMB_SECRET_MODEL] = "model",
  [PLUMB_SECRET_EMBEDDING] = "embedding",
  [PLUMB_SECRET_RERANK] = "rerank",
};

/* The keys of endpoints, each with its variable. */
static const char *const key_variables[] = {
  [PLUMB_SECRET_MODEL] = "PLUMBLINE_MODEL_KEY",
  [PLUMB_SECRET_EMBEDDING] = "PLUMBLINE_EMBEDDING_KEY",
  [PLUMB_SECRET_RERANK] = "PLUMBLINE_RERANK_KEY",
};

static char *
make_key (PlumbSecretKind kind, const char *name)
{
  return g_strconcat (kind_names[kind], "/", name, NULL);
}

/* Whether there is a session bus to ask, told without asking: where there is none, the library
 * would try to start one. */
static gboolean
has_bus (void)
{
  g_autofree char *socket = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);

  return g_getenv ("DBUS_SESSION_BUS_ADDRESS") != NULL || g_file_test (socket, G_FILE_TEST_EXISTS);
}

/* Whether the bus answers the question @method with @wanted among its names. */
static gboolean
bus_lists (GDBusConnection *bus, const char *method, GCancellable *cancellable)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, NULL,
      G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE, BUS_TIMEOUT_MS, cancellable, NULL);
  g_autofree const char **names = NULL;

  if (reply == NULL)
    return FALSE;
  g_variant_get (reply, "(^a&s)", &names);
  return g_strv_contains (names, SERVICE);
}

/**
 * plumb_secrets_has_keyring:
 * @self: the way to the secrets
 * @cancellable: (nullable): cancels
 * @reason: (out) (optional): why there is none
 *
 * Returns: whether a keyring runs or can be started; answers quickly where there is none
 */
gboolean
plumb_secrets_has_keyring (PlumbSecrets *self, GCancellable *cancellable, char **reason)
{
  g_autoptr (GDBusConnection) bus = NULL;
  g_autoptr (GError) error = NULL;

  if (has_bus ())
    bus = g_bus_get_sync (G_BUS_TYPE_SESSION, cancellable, &error);
  if (bus != NULL && (bus_lists (bus, "ListNames", cancellable) ||
                      bus_lists (bus, "ListActivatableNames", cancellable)))
    return TRUE;
  if (reason != NULL)
    *reason =
        g_strdup (bus == NULL ? "There is no session bus." : "No keyring runs on the session bus.");
  return FALSE;
}

/**
 * plumb_secrets_get_variable:
 * @kind: whose secret
 * @name: the source's name
 *
 * Returns: (transfer full): the environment variable that is looked at where the keyring has
 * nothing: PLUMBLINE_PASSWORD_ and the name in upper case with other characters as _, or for
 * an endpoint's key PLUMBLINE_MODEL_KEY, PLUMBLINE_EMBEDDING_KEY or PLUMBLINE_RERANK_KEY
 */
char *
plumb_secrets_get_variable (PlumbSecretKind kind, const char *name)
{
  g_autofree char *upper = NULL;

  if (kind != PLUMB_SECRET_SOURCE)
    return g_strdup (key_variables[kind]);
  upper = g_ascii_strup (name, -1);
  g_strcanon (upper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", '_');
  return g_strconcat ("PLUMBLINE_PASSWORD_", upper, NULL);
}

static char *
lookup_kept (PlumbSecrets *self, PlumbSecretKind kind, const char *name)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  g_autofree char *key = make_key (kind, name);

  return g_strdup (g_hash_table_lookup (self->kept, key));
}

static void
keep (PlumbSecrets *self, PlumbSecretKind kind, const char *name, const char *secret)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (secret != NULL) {
    g_hash_table_replace (self->kept, make_key (kind, name), g_strdup (secret));
  } else {
    g_autofree char *key = make_key (kind, name);

    g_hash_table_remove (self->kept, key);
  }
}

/**
 * plumb_secrets_lookup:
 * @self: the way to the secrets
 * @kind: whose secret
 * @name: the source's name, or the model's base address
 *
 * Returns: (transfer full) (nullable): the secret: what this process was told, the keyring's, or
 * the environment's. An endpoint's key in the environment wins over the keyring's
 */
char *
plumb_secrets_lookup (PlumbSecrets *self, PlumbSecretKind kind, const char *name)
{
  g_autofree char *variable = plumb_secrets_get_variable (kind, name);
  const char *from_environment = g_getenv (variable);
  char *secret = lookup_kept (self, kind, name);

  if (secret != NULL)
    return secret;
  if (kind != PLUMB_SECRET_SOURCE && from_environment != NULL && *from_environment != '\0')
    return g_strdup (from_environment);
  if (plumb_secrets_has_keyring (self, NULL, NULL)) {
    char *stored = secret_password_lookup_sync (&schema, NULL, NULL, "kind", kind_names[kind],
                                                "name", name, NULL);

    secret = g_strdup (stored);
    secret_password_free (stored);
  }
  return secret != NULL ? secret : g_strdup (from_environment);
}

/**
 * plumb_secrets_store:
 * @self: the way to the secrets
 * @kind: whose secret
 * @name: the source's name, or the model's base address
 * @secret: the secret
 * @cancellable: (nullable): cancels
 * @warning: (out) (optional): what to tell the user where the keyring could not take it
 *
 * Puts a secret into the keyring. Where there is none it is known until the program ends.
 *
 * Returns: whether the keyring has it
 */
gboolean
plumb_secrets_store (PlumbSecrets *self, PlumbSecretKind kind, const char *name, const char *secret,
                     GCancellable *cancellable, char **warning)
{
  g_autofree char *reason = NULL;
  g_autofree char *variable = plumb_secrets_get_variable (kind, name);
  g_autofree char *label = g_strdup_printf ("Plumbline: %s", name);
  g_autoptr (GError) error = NULL;

  keep (self, kind, name, secret);
  if (plumb_secrets_has_keyring (self, cancellable, &reason) &&
      secret_password_store_sync (&schema, SECRET_COLLECTION_DEFAULT, label, secret, cancellable,
                                  &error, "kind", kind_names[kind], "name", name, NULL))
    return TRUE;
  if (warning != NULL)
    *warning = g_strdup_printf (
        "The keyring could not keep the secret of “%s” (%s), so it is known until the program "
        "ends. Start a keyring, or set the environment variable %s.",
        name, error != NULL ? error->message : reason, variable);
  return FALSE;
}

/** plumb_secrets_clear: forgets a secret, in the keyring too */
void
plumb_secrets_clear (PlumbSecrets *self, PlumbSecretKind kind, const char *name)
{
  keep (self, kind, name, NULL);
  if (plumb_secrets_has_keyring (self, NULL, NULL))
    secret_password_clear_sync (&schema, NULL, NULL, "kind", kind_names[kind], "name", name,
                                NULL);
}
