/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-tool.h"

G_BEGIN_DECLS

/* What the tools' writers share: members that are left out where there is nothing to say. */
void plumb_tool_json_text (PlumbJsonWriter *writer, const char *name, const char *text);
void plumb_tool_json_strings (PlumbJsonWriter *writer, const char *name,
                              const char *const *strings);
void plumb_tool_json_number (PlumbJsonWriter *writer, const char *name, gint64 number);
void plumb_tool_json_list (PlumbJsonWriter *writer, const char *name, GPtrArray *strings);

void plumb_tool_json_cut (PlumbJsonWriter *writer, const char *name, const char *text);
void plumb_tool_json_some (PlumbJsonWriter *writer, const char *name, GStrv strings, guint most);
void plumb_tool_json_joins (PlumbJsonWriter *writer, PlumbCard *card, PlumbJoinGraph *graph,
                            guint most);
void plumb_tool_json_notes (PlumbJsonWriter *writer, GPtrArray *notes, guint most);

/* Databases by name that must be there and visible. */
GStrv plumb_tool_require_databases (PlumbToolContext *context, JsonObject *arguments,
                                    GError **error);

/* Caps on a statement that a model runs: what the turn gives, or less where it asks for less. */
PlumbLimits plumb_tool_get_limits (PlumbToolContext *context, JsonObject *arguments);

G_END_DECLS
