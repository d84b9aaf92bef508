/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source.h"

#include <stdint.h>

/* The address of a source. Whatever a person types, what is stored holds no password, and reads
 * back as itself; an engine takes it or says why not. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *title = plumb_source_uri_get_title (text);
  g_autofree char *stored = plumb_source_uri_strip_password (text, NULL, NULL);
  g_autofree char *password = NULL;
  g_autofree char *again = NULL;
  g_autoptr (PlumbSource) source G_GNUC_UNUSED = plumb_source_new ("x", text, NULL, NULL);

  g_assert_nonnull (title);
  if (stored == NULL)
    return 0;
  again = plumb_source_uri_strip_password (stored, &password, NULL);
  g_assert_null (password);
  g_assert_cmpstr (again, ==, stored);
  return 0;
}
