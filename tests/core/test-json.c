/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-json.h"

/* What a text that is no JSON gets, and that no value is cut at an escaped NUL. */
static void
test_parse_nul (void)
{
  static const struct {
    const char *json;
    const char *text;
  } cases[] = {
    { "{\"a\":\"SELECT 1\\u0000; DELETE\"}", "SELECT 1\357\277\275; DELETE" },
    { "{\"a\":\"\\u0000\\u0000\"}", "\357\277\275\357\277\275" },
    { "{\"a\":\"\\\\u0000\"}", "\\u0000" },
    { "{\"a\":\"\\\\\\u0000\"}", "\\\357\277\275" },
    { "{\"a\":\"plain\"}", "plain" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (JsonNode) node = plumb_json_parse (cases[i].json, -1, &error);

    g_assert_no_error (error);
    g_assert_cmpstr (plumb_json_get_string (json_node_get_object (node), "a", NULL), ==,
                     cases[i].text);
  }
}

static void
test_parse_bad (void)
{
  static const char *const bad[] = { "", "{", "{\"a\":\"\377\"}", "\\u0000" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (JsonNode) node = plumb_json_parse (bad[i], -1, &error);

    g_assert_null (node);
    g_assert_nonnull (error);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/json/parse-nul", test_parse_nul);
  g_test_add_func ("/core/json/parse-bad", test_parse_bad);
  return g_test_run ();
}
