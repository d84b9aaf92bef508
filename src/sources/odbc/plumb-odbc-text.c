/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-odbc-private.h"

/* unixODBC's wide characters are UTF-16 unless it was built otherwise, which no distribution does.
 */
G_STATIC_ASSERT (sizeof (SQLWCHAR) == sizeof (gunichar2));

/** plumb_odbc_to_wide: Returns: (transfer full): @text, which is UTF-8, for the driver */
SQLWCHAR *
plumb_odbc_to_wide (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return (SQLWCHAR *) g_utf8_to_utf16 (valid, -1, NULL, NULL, NULL);
}

/** plumb_odbc_append_wide: appends @n characters of a driver, among which a NUL is one too; half a
 *   pair, which stands for nothing, becomes U+FFFD */
void
plumb_odbc_append_wide (GString *text, const SQLWCHAR *wide, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    gunichar c = wide[i];

    if (c < 0x80 && c != 0) {
      g_string_append_c (text, (char) c);
      continue;
    }
    if (c >= 0xd800 && c < 0xdc00 && i + 1 < n && wide[i + 1] >= 0xdc00 && wide[i + 1] < 0xe000)
      c = 0x10000 + ((c - 0xd800) << 10) + (wide[++i] - 0xdc00);
    else if (c >= 0xd800 && c < 0xe000)
      c = 0xfffd;
    g_string_append_unichar (text, c);
  }
}

/** plumb_odbc_from_wide: Returns: (transfer full): @n characters of a driver, -1 where they end with
 *   a NUL, as UTF-8 */
char *
plumb_odbc_from_wide (const SQLWCHAR *wide, gssize n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize length = 0;

  while (n < 0 ? wide[length] != 0 : (gssize) length < n)
    length++;
  plumb_odbc_append_wide (text, wide, length);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
