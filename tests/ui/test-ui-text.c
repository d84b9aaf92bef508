/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

/* The parts of the window that work on text alone: no display needed. */

#include "plumb-cell-text.h"
#include "plumb-json-layout.h"
#include "plumb-markdown.h"
#include "plumb-source-address.h"
#include "plumb-stored-candidates.h"
#include "plumb-stored-result.h"
#include "plumb-trace.h"
#include "plumb-wording.h"

#include <string.h>

static const PlumbMarkdownBlock *
block_at (GPtrArray *blocks, guint place)
{
  g_assert_cmpuint (place, <, blocks->len);
  return g_ptr_array_index (blocks, place);
}

static void
test_markdown_blocks (void)
{
  const char *text =
      "# Orders\n\nThere are **320** orders,\nin `ORD_MST`.\n\n- one\n  - two\n1. three\n\n"
      "> quoted\n\n```sql\nSELECT 1 < 2;\n```\n\n| a | b |\n|---|--:|\n| x | 1 |\n\n---\nend";
  g_autoptr (GPtrArray) blocks = plumb_markdown_parse (text, NULL);
  const PlumbMarkdownBlock *table;
  GStrv row;

  g_assert_cmpuint (blocks->len, ==, 9);
  g_assert_cmpint (block_at (blocks, 0)->kind, ==, PLUMB_MARKDOWN_HEADING);
  g_assert_cmpint (block_at (blocks, 0)->level, ==, 1);
  g_assert_cmpstr (block_at (blocks, 0)->markup, ==, "Orders");
  g_assert_cmpstr (block_at (blocks, 1)->markup, ==,
                   "There are <b>320</b> orders,\nin <tt>ORD_MST</tt>.");
  g_assert_cmpstr (block_at (blocks, 2)->marker, ==, "•");
  g_assert_cmpint (block_at (blocks, 3)->level, ==, 1);
  g_assert_cmpstr (block_at (blocks, 4)->marker, ==, "1.");
  g_assert_cmpint (block_at (blocks, 5)->kind, ==, PLUMB_MARKDOWN_QUOTE);
  g_assert_cmpstr (block_at (blocks, 6)->markup, ==, "SELECT 1 < 2;");
  table = block_at (blocks, 7);
  g_assert_cmpint (table->kind, ==, PLUMB_MARKDOWN_TABLE);
  g_assert_cmpuint (table->rows->len, ==, 2);
  row = g_ptr_array_index (table->rows, 1);
  g_assert_cmpstr (row[0], ==, "x");
  g_assert_cmpstr (row[1], ==, "1");
  g_assert_cmpstr (block_at (blocks, 8)->markup, ==, "end");
}

static PlumbAnswerNumber *
new_number (const char *text, const char *digits, gint64 audit_id, gboolean found)
{
  PlumbAnswerNumber *number = g_new0 (PlumbAnswerNumber, 1);

  number->start = strstr (text, digits) - text;
  number->length = strlen (digits);
  number->audit_id = audit_id;
  number->found = found;
  return number;
}

static void
test_markdown_numbers (void)
{
  const char *text = "About **320** of 1,000 & `42` from 7.";
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) blocks = NULL;
  const char *markup;

  g_ptr_array_add (numbers, new_number (text, "320", 12, TRUE));
  g_ptr_array_add (numbers, new_number (text, "1,000", 0, FALSE));
  g_ptr_array_add (numbers, new_number (text, "42", 13, TRUE));
  g_ptr_array_add (numbers, new_number (text, "7", 0, TRUE));
  blocks = plumb_markdown_parse (text, numbers);
  markup = block_at (blocks, 0)->markup;
  g_assert_nonnull (strstr (markup, "<b><a href=\"plumbline:statement/12/0\""));
  g_assert_nonnull (strstr (markup, "<a href=\"plumbline:missing\""));
  g_assert_nonnull (strstr (markup, "<tt><a href=\"plumbline:statement/13/0\""));
  g_assert_nonnull (strstr (markup, "&amp; "));
  g_assert_true (g_str_has_suffix (markup, "from 7."));
}

/* Whatever a model writes, the markup is one that Pango takes. */
static void
test_markdown_hostile (void)
{
  static const char *const texts[] = {
    "<b>not bold</b> & <script>",
    "**a *b** c*",
    "__ _ ** * ~~ `",
    "[x](javascript:alert(1))",
    "[x](https://e.org/?a=1&b=\"2\")",
    "\\*plain\\*",
    "a_b_c and _i_",
    "***",
    "|a|\n|-|",
    "```\nopen",
    "snake_case_name **",
    "\xff\xfe broken \xc3",
    "",
    "\n\n\n",
    "`` ` ``",
    "**[a](https://x.org) *b***",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GPtrArray) blocks = plumb_markdown_parse (texts[i], NULL);

    for (guint j = 0; j < blocks->len; j++) {
      const PlumbMarkdownBlock *block = g_ptr_array_index (blocks, j);
      g_autoptr (GMarkupParseContext) context = NULL;
      const GMarkupParser parser = { 0 };
      g_autofree char *document = g_strdup_printf ("<m>%s</m>",
                                                   block->markup != NULL ? block->markup : "");
      g_autoptr (GError) error = NULL;

      if (block->kind == PLUMB_MARKDOWN_CODE)
        continue;
      context = g_markup_parse_context_new (&parser, 0, NULL, NULL);
      g_markup_parse_context_parse (context, document, -1, &error);
      g_assert_no_error (error);
      g_markup_parse_context_end_parse (context, &error);
      g_assert_no_error (error);
      g_assert_null (strstr (document, "javascript:\""));
    }
  }
}

static void
test_markdown_long (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) blocks = NULL;
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < 50000; i++)
    g_string_append (text, i % 3 == 0 ? "*a_" : "**[`");
  blocks = plumb_markdown_parse (text->str, NULL);
  g_assert_cmpuint (blocks->len, ==, 1);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
}

static void
test_json_layout (void)
{
  g_autofree char *text = plumb_json_layout (
      "{\"rows\":[[12.50,null,\"a,b]\"]],\"query\":\"a sentence that is "
      "longer than a line of seventy-six characters\"}");

  g_assert_cmpstr (
      text, ==,
      "{\n  \"rows\": [[12.50, null, \"a,b]\"]],\n  \"query\": \"a sentence that is longer "
      "than a line of seventy-six characters\"\n}");
}

static void
test_json_layout_broken (void)
{
  static const char *const texts[] = { "", "{", "]", "\"", "[[[[", "{\"a\":", "}}}", "\"\\" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *text = plumb_json_layout (texts[i]);

    g_assert_nonnull (text);
  }
}

/* What was written is read back, each value as it was spelled. */
static void
test_stored_result (void)
{
  const char *json =
      "{\"sql\":\"SELECT '}',1\",\"columns\":[{\"name\":\"n\",\"type\":\"numeric\"},"
      "{\"name\":\"t\",\"type\":\"text\"},{\"name\":\"b\",\"type\":\"bool\"}],"
      "\"rows\":[[12.50,\"a \\\"q\\\" ]\",true],[9007199254740993,\"\",null],[null,null,false]],"
      "\"row_count\":3,\"truncated\":false,\"truncated_by\":null,\"elapsed_ms\":7,"
      "\"warnings\":[\"careful\"]}";
  PlumbResult *result = plumb_stored_result_parse (json);

  g_assert_nonnull (result);
  g_assert_cmpuint (plumb_result_get_n_columns (result), ==, 3);
  g_assert_cmpint (plumb_result_get_n_rows (result), ==, 3);
  g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, "12.50");
  g_assert_cmpstr (plumb_result_get_cell (result, 1, 0)->text, ==, "9007199254740993");
  g_assert_cmpstr (plumb_result_get_cell (result, 0, 1)->text, ==, "a \"q\" ]");
  g_assert_cmpint (plumb_result_get_cell (result, 1, 1)->kind, ==, PLUMB_VALUE_TEXT);
  g_assert_cmpint (plumb_result_get_cell (result, 2, 1)->kind, ==, PLUMB_VALUE_NULL);
  g_assert_cmpint (plumb_result_get_column (result, 0)->kind, ==, PLUMB_VALUE_DECIMAL);
  g_assert_cmpint (plumb_result_get_column (result, 2)->kind, ==, PLUMB_VALUE_BOOLEAN);
  g_assert_cmpint (plumb_result_get_elapsed_ms (result), ==, 7);
  g_assert_cmpuint (plumb_result_get_warnings (result)->len, ==, 1);
  plumb_result_unref (result);
}

static void
test_stored_result_broken (void)
{
  static const char *const texts[] = {
    "",
    "null",
    "[]",
    "{}",
    "{\"columns\":[]}",
    "{\"columns\":[{\"name\":\"a\"}]}",
    "not json",
    "{\"columns\":[{\"name\":\"a\"}],\"rows\":{}}",
    "{\"columns\":[{\"name\":\"a\"}],\"rows\":[1,2]}",
    "{\"columns\":[{\"name\":\"a\"}],\"rows\":[[1,2],[3]]}",
    "{\"columns\":[{\"name\":\"a\"}],\"rows\":[[]]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    PlumbResult *result = plumb_stored_result_parse (texts[i]);

    if (result != NULL)
      g_assert_cmpint (plumb_result_get_n_rows (result), <=, 1);
    g_clear_pointer (&result, plumb_result_unref);
  }
}

static void
test_stored_candidates (void)
{
  const char *json =
      "{\"candidates\":[{\"table\":\"ORD_MST\",\"database\":\"sales\",\"schema\":\"main\","
      "\"score\":0.5,\"status\":\"live\",\"role\":\"fact\",\"copies\":[\"main.ORD_MST_BAK\"],"
      "\"matched_by\":[\"words\"],\"notes\":[{\"text\":\"status 10\",\"author\":\"kim\"}]}],"
      "\"no_permission\":[\"sales.main.SALARY\"],\"searched\":{\"databases\":2,\"of\":3}}";
  g_autoptr (PlumbCandidates) candidates = plumb_stored_candidates_parse (json);
  const PlumbCandidate *candidate;

  g_assert_cmpuint (candidates->candidates->len, ==, 1);
  candidate = g_ptr_array_index (candidates->candidates, 0);
  g_assert_cmpstr (candidate->card->name, ==, "ORD_MST");
  g_assert_cmpint (candidate->card->role, ==, PLUMB_ROLE_FACT);
  g_assert_cmpstr (candidate->copies[0], ==, "main.ORD_MST_BAK");
  g_assert_cmpuint (candidate->notes->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (candidates->no_permission, 0), ==, "sales.main.SALARY");
  g_assert_cmpuint (candidates->of, ==, 3);
  g_assert_null (plumb_stored_candidates_parse ("{\"error\":\"no\"}"));
}

static void
test_tab_separated (void)
{
  PlumbResult *result = plumb_stored_result_parse (
      "{\"columns\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
      "\"rows\":[[1,\"x\\ty\"],[null,\"say \\\"hi\\\"\"]]}");
  g_autoptr (GString) tsv = g_string_new (NULL);

  plumb_cell_text_append_header (tsv, result);
  plumb_cell_text_append_row (tsv, result, 0);
  plumb_cell_text_append_row (tsv, result, 1);
  g_assert_cmpstr (tsv->str, ==, "a\tb\n1\t\"x\ty\"\n\t\"say \"\"hi\"\"\"\n");
  plumb_result_unref (result);
}

static void
test_addresses (void)
{
  g_autofree char *file = plumb_source_address_for_file ("/tmp/my data/주문.sqlite");
  g_autofree char *plain = plumb_source_address_for_server ("postgresql", "db.example", "5433",
                                                            "sales", "kim");
  g_autofree char *odd = plumb_source_address_for_server ("mariadb", "::1", "", "a/b c", "kim@x");
  g_autofree char *socket = plumb_source_address_for_server ("postgresql", "/run/postgresql", "",
                                                             "sales", "");
  g_autofree char *name = plumb_source_address_suggest_name (file);
  g_autofree char *other = plumb_source_address_suggest_name (
      "postgresql://kim@h/Sales-2?sslmode=require");
  g_autofree char *none = plumb_source_address_suggest_name ("odbc:Server=x");
  g_autofree char *data_source = plumb_source_address_suggest_name ("odbc:UID=me;dsn={ERP live}");
  g_autofree char *of_driver = plumb_source_address_suggest_name (
      "odbc:DRIVER={X};Server=h;Database=/srv/Sales.db");
  g_autofree char *named = plumb_source_address_for_odbc ("erp", "kim}x");
  g_autofree char *keyed = plumb_source_address_for_odbc ("odbc:DRIVER={X};Server=h; ", "");
  g_autofree char *empty = plumb_source_address_for_odbc ("", "kim");

  g_assert_cmpstr (file, ==, "sqlite:///tmp/my%20data/주문.sqlite");
  g_assert_cmpstr (plain, ==, "postgresql://kim@db.example:5433/sales");
  g_assert_cmpstr (odd, ==, "mariadb://kim%40x@[::1]/a%2Fb%20c");
  g_assert_cmpstr (socket, ==, "postgresql://%2Frun%2Fpostgresql/sales");
  g_assert_cmpstr (name, ==, "주문");
  g_assert_cmpstr (other, ==, "sales_2");
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (data_source, ==, "erp_live");
  g_assert_cmpstr (of_driver, ==, "sales");
  g_assert_cmpstr (named, ==, "odbc:DSN=erp;UID={kim}}x}");
  g_assert_cmpstr (keyed, ==, "odbc:DRIVER={X};Server=h");
  g_assert_cmpstr (empty, ==, "");
}

static void
test_wording (void)
{
  PlumbStep *step = plumb_step_new (PLUMB_STEP_TOOL);
  g_autofree char *found = NULL;
  g_autofree char *failed = NULL;
  g_autofree char *quick = plumb_wording_elapsed (12345);
  g_autofree char *slow = plumb_wording_elapsed (125 * G_USEC_PER_SEC);

  step->state = PLUMB_STATE_DONE;
  step->tool = g_strdup ("search_tables");
  step->arguments = g_strdup ("{\"query\":\"late orders\"}");
  step->result = g_strdup ("{\"candidates\":[{},{}]}");
  found = plumb_wording_step (step);
  g_assert_cmpstr (found, ==, "“late orders”: 2 tables");
  step->error = g_strdup ("no such thing\nmore");
  failed = plumb_wording_step (step);
  g_assert_true (g_str_has_prefix (failed, "no such thing"));
  g_assert_cmpstr (quick, ==, "12 ms");
  g_assert_cmpstr (slow, ==, "2 min 5 s");
  plumb_step_free (step);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/markdown/blocks", test_markdown_blocks);
  g_test_add_func ("/ui/markdown/numbers", test_markdown_numbers);
  g_test_add_func ("/ui/markdown/hostile", test_markdown_hostile);
  g_test_add_func ("/ui/markdown/long", test_markdown_long);
  g_test_add_func ("/ui/json-layout", test_json_layout);
  g_test_add_func ("/ui/json-layout/broken", test_json_layout_broken);
  g_test_add_func ("/ui/stored-result", test_stored_result);
  g_test_add_func ("/ui/stored-result/broken", test_stored_result_broken);
  g_test_add_func ("/ui/stored-candidates", test_stored_candidates);
  g_test_add_func ("/ui/tab-separated", test_tab_separated);
  g_test_add_func ("/ui/addresses", test_addresses);
  g_test_add_func ("/ui/wording", test_wording);
  return g_test_run ();
}
