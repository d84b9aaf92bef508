/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-tool.h"

#include <stdint.h>

/* Arguments of a tool call as a model wrote them. Whatever they are, there is either an object with
 * all that the tool needs, or a message that can be shown. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_tool (const PlumbTool *tool, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) arguments = plumb_tool_arguments_parse (tool, text, "sales, crm", &error);
  g_autoptr (JsonNode) schema = plumb_json_parse (tool->parameters, -1, NULL);
  g_auto (GStrv) required = plumb_json_get_strv (json_node_get_object (schema), "required");

  g_assert_true ((arguments != NULL) == (error == NULL));
  if (error != NULL)
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  for (guint i = 0; arguments != NULL && required[i] != NULL; i++)
    g_assert_true (json_object_has_member (arguments, required[i]));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  guint n_tools;
  const PlumbTool *const *tools = plumb_tool_list (&n_tools);

  for (guint i = 0; i < n_tools; i++)
    check_tool (tools[i], text);
  return 0;
}
