/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  PLUMB_MARKDOWN_PARAGRAPH,
  PLUMB_MARKDOWN_HEADING,
  PLUMB_MARKDOWN_ITEM,
  PLUMB_MARKDOWN_QUOTE,
  PLUMB_MARKDOWN_CODE,
  PLUMB_MARKDOWN_TABLE,
} PlumbMarkdownKind;

/**
 * PlumbMarkdownBlock:
 * @kind: what it is
 * @level: depth of a heading (from 1) or of a list item (from 0)
 * @marker: (nullable): for a list item, its bullet or number
 * @markup: (nullable): Pango markup; plain text for PLUMB_MARKDOWN_CODE; %NULL for a table
 * @rows: (nullable) (element-type GStrv): for a table, markup of its cells, the header first
 */
typedef struct {
  PlumbMarkdownKind kind;
  int level;
  char *marker;
  char *markup;
  GPtrArray *rows;
} PlumbMarkdownBlock;

/* What a number of the answer links to. */
#define PLUMB_MARKDOWN_LINK_STATEMENT "plumbline:statement/"
#define PLUMB_MARKDOWN_LINK_MISSING "plumbline:missing"

GPtrArray *plumb_markdown_parse      (const char *text, GPtrArray *numbers);
void       plumb_markdown_block_free (PlumbMarkdownBlock *self);

G_END_DECLS
