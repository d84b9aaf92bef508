/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

/* A way to a server that can go silent as a firewall does: nothing is forwarded any more, and
 * neither end is told. */
typedef struct _SilentProxy SilentProxy;

SilentProxy *silent_proxy_new (const char *server_port);
guint silent_proxy_get_port (SilentProxy *self);
void silent_proxy_free (SilentProxy *self);

void silent_proxy_forget (SilentProxy *self);
void silent_proxy_block (SilentProxy *self, gboolean block);
void silent_proxy_forget_after (SilentProxy *self, guint64 n_bytes);
