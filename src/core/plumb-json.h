/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-error.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * PlumbJsonWriter:
 *
 * Writes one JSON document as text. json-glib reads JSON here, but its writer prints every number
 * through a double; this one takes a number as the server spelled it, and tells how many bytes
 * stand already, which the byte caps of the tools need.
 */
typedef struct _PlumbJsonWriter PlumbJsonWriter;

PlumbJsonWriter *plumb_json_writer_new          (void);
void             plumb_json_writer_free         (PlumbJsonWriter *self);
void             plumb_json_writer_begin_object (PlumbJsonWriter *self);
void             plumb_json_writer_end_object   (PlumbJsonWriter *self);
void             plumb_json_writer_begin_array  (PlumbJsonWriter *self);
void             plumb_json_writer_end_array    (PlumbJsonWriter *self);
void             plumb_json_writer_name         (PlumbJsonWriter *self, const char *name);
void             plumb_json_writer_string       (PlumbJsonWriter *self, const char *text);
void             plumb_json_writer_bytes        (PlumbJsonWriter *self, const char *text, gsize length);
void             plumb_json_writer_int          (PlumbJsonWriter *self, gint64 number);
void             plumb_json_writer_double       (PlumbJsonWriter *self, double number);
void             plumb_json_writer_number       (PlumbJsonWriter *self, const char *digits);
void             plumb_json_writer_boolean      (PlumbJsonWriter *self, gboolean value);
void             plumb_json_writer_null         (PlumbJsonWriter *self);
void             plumb_json_writer_strv         (PlumbJsonWriter *self, const char *const *strings);
void             plumb_json_writer_node         (PlumbJsonWriter *self, JsonNode *node);
void             plumb_json_writer_raw          (PlumbJsonWriter *self, const char *json);
gsize            plumb_json_writer_get_length   (PlumbJsonWriter *self);
char            *plumb_json_writer_finish       (PlumbJsonWriter *self);

/* Members of an object by name and type: what isn't there, or is of another type, is the default. */
const char      *plumb_json_get_string          (JsonObject *object, const char *name, const char *fallback);
gint64           plumb_json_get_int             (JsonObject *object, const char *name, gint64 fallback);
double           plumb_json_get_double          (JsonObject *object, const char *name, double fallback);
gboolean         plumb_json_get_boolean         (JsonObject *object, const char *name, gboolean fallback);
JsonObject      *plumb_json_get_object          (JsonObject *object, const char *name);
JsonArray       *plumb_json_get_array           (JsonObject *object, const char *name);
GStrv            plumb_json_get_strv            (JsonObject *object, const char *name);
JsonNode        *plumb_json_parse               (const char *text, gssize length, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbJsonWriter, plumb_json_writer_free)

G_END_DECLS
