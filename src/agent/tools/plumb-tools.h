/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-tool.h"

G_BEGIN_DECLS

/* Byte caps of what the model gets from each tool. */
#define PLUMB_SEARCH_MAX_BYTES (16 * 1024)
#define PLUMB_CARD_MAX_BYTES   (24 * 1024)
#define PLUMB_PATH_MAX_BYTES   (12 * 1024)
#define PLUMB_LIST_MAX_BYTES   (12 * 1024)
#define PLUMB_PLAN_MAX_BYTES   (16 * 1024)
#define PLUMB_RESULT_MAX_BYTES (32 * 1024)
#define PLUMB_SHORT_MAX_BYTES  (4 * 1024)

extern const PlumbTool plumb_search_tables_tool;
extern const PlumbTool plumb_get_table_card_tool;
extern const PlumbTool plumb_find_join_path_tool;
extern const PlumbTool plumb_list_tables_tool;
extern const PlumbTool plumb_explain_query_tool;
extern const PlumbTool plumb_run_query_tool;
extern const PlumbTool plumb_export_query_tool;
extern const PlumbTool plumb_save_table_note_tool;

G_END_DECLS
