/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-source-uri.h"
#include "plumb-source.h"

G_BEGIN_DECLS

/* What the back ends share with the interface. */

/* Advice for what an analysis found and a statement doesn't find any more. */
#define PLUMB_SOURCE_NO_TABLE \
  "There is no such table (any more). Analyze the source again if it was there before."
#define PLUMB_SOURCE_NO_COLUMN \
  "There is no such column (any more). Analyze the source again if it was there before."

const PlumbSourceUri *plumb_source_get_address (PlumbSource *self);
char *plumb_source_dup_password (PlumbSource *self);
gboolean plumb_source_only_parameters (const PlumbSourceUri *uri, const char *const *known,
                                       GError **error);
gboolean plumb_source_check_number (const PlumbSourceUri *uri, const char *name, guint most,
                                    GError **error);

/* The time budget at the server of what Plumbline asks for itself: should this program be killed, no
 * question of it runs for longer there. */
#define PLUMB_SOURCE_OWN_BUDGET_MS (600 * 1000)

/* Has the system notice by itself, within a minute, that nobody is at the other end any more. */
void plumb_source_watch_socket (int socket);

/* Advice for what a server can't write or read of its own. */
#define PLUMB_SOURCE_DISK_FULL \
  "The server's disk is full, and the statement needs room to sort or join. Narrow it down, and " \
  "tell who runs the server."
#define PLUMB_SOURCE_DISK_TROUBLE \
  "The server has trouble with its own files: its disk may be full. Narrow the statement down, and " \
  "tell who runs the server."

/* Marks of statements, by which those of a program that crashed are found (plumb-source-mark.c). */
char *plumb_source_get_mark (void);
gboolean plumb_source_mark_is_orphan (const char *mark);

/* Waits until a socket is ready, time is up, or the caller cancels. */
gboolean plumb_source_wait (int socket, gboolean for_writing, gint64 deadline,
                            GCancellable *cancellable, GError **error);

/* Slots: how many statements may run against one database at a time. */
typedef struct _PlumbSourceSlots PlumbSourceSlots;

PlumbSourceSlots *plumb_source_slots_get (const char *database);
void plumb_source_slots_unref (PlumbSourceSlots *self);
gboolean plumb_source_slots_acquire (PlumbSourceSlots *self, guint at_most,
                                     PlumbSourceProgress progress, gpointer user_data,
                                     GCancellable *cancellable, GError **error);
void plumb_source_slots_release (PlumbSourceSlots *self);

/* Lookups: what the statement check asked of a server's catalog, kept while that doesn't change. */
typedef struct _PlumbSourceLookups PlumbSourceLookups;

PlumbSourceLookups *plumb_source_lookups_new (void);
void plumb_source_lookups_free (PlumbSourceLookups *self);
void plumb_source_lookups_begin (PlumbSourceLookups *self, const char *generation);
GStrv plumb_source_lookups_find (PlumbSourceLookups *self, const char *generation,
                                 const char *question);
void plumb_source_lookups_keep (PlumbSourceLookups *self, const char *generation,
                                const char *question, const char *const *answer);

/* Watchdog: a cancellable that follows another one, and fires by itself when time is up. */
typedef struct _PlumbWatchdog PlumbWatchdog;

PlumbWatchdog *plumb_watchdog_start (GCancellable *follow, gint64 after_ms);
GCancellable *plumb_watchdog_get_cancellable (PlumbWatchdog *self);
gboolean plumb_watchdog_stop (PlumbWatchdog *self);

G_END_DECLS
