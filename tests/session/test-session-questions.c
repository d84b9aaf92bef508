/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-demo-builder.h"
#include "session-fixture.h"

#include <math.h>
#include <string.h>

/* The demo's questions, asked of the built-in planner through the whole loop, against the answers
 * that the demo's own test asserts by SQL. Some it can't read, which is fine; a wrong number never
 * is. */
typedef enum {
  ANSWER_NONE,
  ANSWER_RIGHT,
  ANSWER_WRONG,
} Answer;

/* What the planner has to read at the least. */
#define LEAST_RIGHT 15

static gboolean
equal_values (JsonNode *got, JsonNode *wanted)
{
  GType got_type, wanted_type;

  if (JSON_NODE_HOLDS_NULL (got) || JSON_NODE_HOLDS_NULL (wanted))
    return JSON_NODE_HOLDS_NULL (got) && JSON_NODE_HOLDS_NULL (wanted);
  got_type = json_node_get_value_type (got);
  wanted_type = json_node_get_value_type (wanted);
  if (got_type == G_TYPE_STRING || wanted_type == G_TYPE_STRING)
    return got_type == wanted_type &&
           g_str_equal (json_node_get_string (got), json_node_get_string (wanted));
  return fabs (json_node_get_double (got) - json_node_get_double (wanted)) < 0.006;
}

/* Whether each wanted value stands in the row, which may have more columns. */
static gboolean
row_has_all (JsonArray *row, JsonArray *wanted)
{
  for (guint i = 0; i < json_array_get_length (wanted); i++) {
    gboolean found = FALSE;

    for (guint j = 0; !found && j < json_array_get_length (row); j++)
      found = equal_values (json_array_get_element (row, j), json_array_get_element (wanted, i));
    if (!found)
      return FALSE;
  }
  return TRUE;
}

static gboolean
equal_rows (JsonArray *rows, JsonArray *wanted)
{
  if (json_array_get_length (rows) != json_array_get_length (wanted))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (wanted); i++) {
    gboolean found = FALSE;

    for (guint j = 0; !found && j < json_array_get_length (rows); j++)
      found = row_has_all (json_array_get_array_element (rows, j),
                           json_array_get_array_element (wanted, i));
    if (!found)
      return FALSE;
  }
  return TRUE;
}

/* The rows of the last statement that a turn ran. */
static JsonNode *
get_last_result (const PlumbTurn *turn)
{
  for (guint i = turn->steps->len; i > 0; i--) {
    const PlumbStep *step = g_ptr_array_index (turn->steps, i - 1);

    if (g_strcmp0 (step->tool, "run_query") == 0 && step->state == PLUMB_STATE_DONE)
      return plumb_json_parse (step->result, -1, NULL);
  }
  return NULL;
}

static Answer
judge (const PlumbTurn *turn, JsonArray *wanted)
{
  g_autoptr (JsonNode) node = get_last_result (turn);

  /* An answer without a number has looked, and says what it couldn't read. */
  if (node == NULL || turn->numbers->len == 0)
    return ANSWER_NONE;
  return equal_rows (plumb_json_get_array (json_node_get_object (node), "rows"), wanted)
             ? ANSWER_RIGHT
             : ANSWER_WRONG;
}

static void
assert_numbers_found (const PlumbTurn *turn)
{
  for (guint i = 0; i < turn->numbers->len; i++) {
    const PlumbAnswerNumber *number = g_ptr_array_index (turn->numbers, i);

    if (!number->found)
      g_error ("“%.*s” of “%s” stands in no result", (int) number->length,
               turn->answer + number->start, turn->answer);
  }
}

static Answer
ask (PlumbSession *session, JsonObject *question)
{
  PlumbAskRequest request = { .question = plumb_json_get_string (question, "question", NULL) };
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbTurn) turn = plumb_session_ask (session, &request, NULL, NULL, NULL, &error);
  Answer answer;

  g_assert_no_error (error);
  answer = judge (turn, plumb_json_get_array (question, "answer"));
  if (answer == ANSWER_RIGHT)
    assert_numbers_found (turn);
  if (answer == ANSWER_WRONG)
    g_test_message ("Wrong: “%s”: %s", request.question, turn->answer);
  return answer;
}

static void
test_questions (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = plumb_demo_load_file ("questions.jsonl", &error);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint counts[3] = { 0 };

  g_assert_no_error (error);
  plumb_session_add_demo (session, NULL, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >=, 20);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr (JsonNode) node = plumb_json_parse (lines[i], -1, NULL);

    counts[ask (session, json_node_get_object (node))]++;
  }
  g_test_message ("%u right, %u not read, %u wrong", counts[ANSWER_RIGHT], counts[ANSWER_NONE],
                  counts[ANSWER_WRONG]);
  g_assert_cmpuint (counts[ANSWER_WRONG], ==, 0);
  g_assert_cmpuint (counts[ANSWER_RIGHT], >=, LEAST_RIGHT);
}

int
main (int argc, char **argv)
{
  session_test_init (&argc, &argv);
  session_test_add ("/session/questions", test_questions);
  return session_test_run ();
}
