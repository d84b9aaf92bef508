/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-cli.h"

#include <stdarg.h>

/* Wider cells are cut in a terminal's table; --json and --format csv give them whole. */
#define MAX_CELL_WIDTH 60

struct _PlumbCliTable {
  GPtrArray *rows;
  guint n_columns;
  guint64 right;
};

/** plumb_cli_table_new: Returns: (transfer full): a table for people with these headings */
PlumbCliTable *
plumb_cli_table_new (const char *const *headings)
{
  PlumbCliTable *self = g_new0 (PlumbCliTable, 1);

  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->n_columns = g_strv_length ((char **) headings);
  g_ptr_array_add (self->rows, g_strdupv ((char **) headings));
  return self;
}

/** plumb_cli_table_free: frees @self */
void
plumb_cli_table_free (PlumbCliTable *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->rows);
  g_free (self);
}

/** plumb_cli_table_right: aligns the cells of @column (the first 64 at most) to the right */
void
plumb_cli_table_right (PlumbCliTable *self, guint column)
{
  if (column < 64)
    self->right |= G_GUINT64_CONSTANT (1) << column;
}

/* Control characters would break the table or the terminal. */
static char *
clean_cell (const char *text)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if (c == '\n' || c == '\t' || c == '\r')
      g_string_append_c (clean, ' ');
    else if (g_unichar_iscntrl (c))
      g_string_append (clean, "\357\277\275");
    else
      g_string_append_unichar (clean, c);
  }
  return g_string_free (g_steal_pointer (&clean), FALSE);
}

/** plumb_cli_table_take: adds a row; @cells (transfer full) must have as many as there are headings */
void
plumb_cli_table_take (PlumbCliTable *self, GStrv cells)
{
  for (guint i = 0; cells[i] != NULL; i++) {
    char *clean = clean_cell (cells[i]);

    g_free (cells[i]);
    cells[i] = clean;
  }
  g_ptr_array_add (self->rows, cells);
}

/** plumb_cli_table_add: adds a row of as many strings as there are headings, then %NULL */
void
plumb_cli_table_add (PlumbCliTable *self, ...)
{
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  const char *cell;
  va_list list;

  va_start (list, self);
  while ((cell = va_arg (list, const char *)) != NULL)
    g_strv_builder_add (cells, cell);
  va_end (list);
  plumb_cli_table_take (self, g_strv_builder_end (cells));
}

static guint
character_width (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

static guint
text_width (const char *text)
{
  guint width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    width += character_width (g_utf8_get_char (p));
  return width;
}

/* Prints @text in @width terminal columns, cut with an ellipsis where it is wider. */
static void
print_cell (const char *text, guint width, gboolean right, gboolean last)
{
  guint actual = text_width (text);
  g_autoptr (GString) cell = g_string_new (NULL);

  if (actual > width) {
    guint used = 0;

    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
      guint next = character_width (g_utf8_get_char (p));

      if (used + next > width - 1)
        break;
      g_string_append_unichar (cell, g_utf8_get_char (p));
      used += next;
    }
    g_string_append (cell, "…");
    actual = used + 1;
  } else {
    g_string_append (cell, text);
  }
  if (right)
    g_print ("%*s%s", (int) (width - actual), "", cell->str);
  else if (last)
    g_print ("%s", cell->str);
  else
    g_print ("%s%*s", cell->str, (int) (width - actual), "");
}

/** plumb_cli_table_print: prints the table to standard output */
void
plumb_cli_table_print (PlumbCliTable *self)
{
  g_autofree guint *widths = g_new0 (guint, self->n_columns + 1);

  for (guint row = 0; row < self->rows->len; row++) {
    GStrv cells = g_ptr_array_index (self->rows, row);

    for (guint i = 0; i < self->n_columns; i++)
      widths[i] = MAX (widths[i], MIN (text_width (cells[i]), MAX_CELL_WIDTH));
  }
  for (guint row = 0; row < self->rows->len; row++) {
    GStrv cells = g_ptr_array_index (self->rows, row);

    for (guint i = 0; i < self->n_columns; i++) {
      gboolean right = i < 64 && (self->right >> i & 1) != 0;

      if (i > 0)
        g_print ("  ");
      print_cell (cells[i], widths[i], right, i + 1 == self->n_columns);
    }
    g_print ("\n");
    for (guint i = 0; row == 0 && i < self->n_columns; i++) {
      g_autoptr (GString) line = g_string_new (NULL);

      for (guint j = 0; j < widths[i]; j++)
        g_string_append (line, "─");
      g_print ("%s%s", line->str, i + 1 < self->n_columns ? "  " : "\n");
    }
  }
}
