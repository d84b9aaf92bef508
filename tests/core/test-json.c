/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-json.h"

/* No value is cut at an escaped NUL, and what is no character doesn't become invalid UTF-8. */
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
    { "{\"a\":\"\\ud83d\\ude00\"}", "\360\237\230\200" },
    { "{\"a\":\"\\ud83d!\"}", "\357\277\275!" },
    { "{\"a\":\"\\ude00\\ud83d\"}", "\357\277\275\357\277\275" },
    { "{\"a\":\"\\\\udatabas\"}", "\\udatabas" },
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
  static const char *const bad[] = { "", "{", "{\"a\":\"\377\"}", "\\u0000",
                                     "{\"\\udatabas\":1}", "[\"\\u12\"]", "[\"\\u",
                                     "{\"tNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNa-\\ud83d!\"83d" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (JsonNode) node = plumb_json_parse (bad[i], -1, &error);

    g_assert_null (node);
    g_assert_nonnull (error);
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
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
