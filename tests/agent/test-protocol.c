/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "agent-fixture.h"

#include <libsoup/soup.h>
#include <string.h>

/* A whole turn over HTTP: a server in this process plays a model after a recorded conversation. */
typedef struct {
  AgentFixture agent;
  SoupServer *server;
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  GMutex mutex;
  GQueue replies;
  GPtrArray *requests;
  PlumbModel *model;
  PlumbTurnRequest request;
  GString *streamed;
  GError *error;
} Fixture;

typedef struct {
  guint status;
  const char *type;
  char *body;
} Reply;

static void
reply_free (gpointer data)
{
  g_free (((Reply *) data)->body);
  g_free (data);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query,
            gpointer user_data)
{
  Fixture *f = user_data;
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autoptr (GBytes) bytes = soup_message_body_flatten (body);
  Reply *reply;

  g_mutex_lock (&f->mutex);
  g_ptr_array_add (f->requests,
                   g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)));
  reply = g_queue_pop_head (&f->replies);
  g_mutex_unlock (&f->mutex);
  g_assert_cmpstr (path, ==, "/v1/chat/completions");
  g_assert_nonnull (reply);
  soup_server_message_set_status (message, reply->status, NULL);
  soup_server_message_set_response (message, reply->type, SOUP_MEMORY_COPY, reply->body,
                                    strlen (reply->body));
  reply_free (reply);
}

static gpointer
run_server (gpointer data)
{
  Fixture *f = data;

  g_main_context_push_thread_default (f->context);
  g_main_loop_run (f->loop);
  g_main_context_pop_thread_default (f->context);
  return NULL;
}

static char *
start_server (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  GSList *uris;
  char *address;

  f->context = g_main_context_new ();
  f->loop = g_main_loop_new (f->context, FALSE);
  g_main_context_push_thread_default (f->context);
  f->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (f->server, NULL, on_request, f, NULL);
  soup_server_listen_local (f->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (f->server);
  address = g_strdup_printf ("http://127.0.0.1:%d/v1", g_uri_get_port (uris->data));
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  g_main_context_pop_thread_default (f->context);
  f->thread = g_thread_new ("model-server", run_server, f);
  return address;
}

static gboolean
stop_server (gpointer data)
{
  Fixture *f = data;

  soup_server_disconnect (f->server);
  g_main_loop_quit (f->loop);
  return G_SOURCE_REMOVE;
}

static void
on_event (const PlumbEvent *event, gpointer user_data)
{
  Fixture *f = user_data;

  if (event->kind == PLUMB_EVENT_TEXT_DELTA)
    g_string_append_printf (f->streamed, "[%s]", event->text);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *address = NULL;

  agent_fixture_set_up (&f->agent, NULL);
  g_mutex_init (&f->mutex);
  g_queue_init (&f->replies);
  f->requests = g_ptr_array_new_with_free_func (g_free);
  f->streamed = g_string_new (NULL);
  address = start_server (f);
  f->model = plumb_openai_model_new (address, "test-model", "sk-secret-key");
  f->request = (PlumbTurnRequest) {
    .workspace = f->agent.workspace,
    .model = f->model,
    .question = "Who has the most orders, and how many?",
    .now = g_date_time_new_local (2026, 11, 30, 12, 0, 0),
    .export_folder = f->agent.folder,
    .query_limits = PLUMB_LIMITS_DEFAULT,
    .limits = PLUMB_TURN_LIMITS_DEFAULT,
    .func = on_event,
    .user_data = f,
  };
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_object_unref (f->model);
  g_main_context_invoke (f->context, stop_server, f);
  g_thread_join (f->thread);
  g_object_unref (f->server);
  g_main_loop_unref (f->loop);
  g_main_context_unref (f->context);
  g_queue_clear_full (&f->replies, reply_free);
  g_ptr_array_unref (f->requests);
  g_string_free (f->streamed, TRUE);
  g_date_time_unref (f->request.now);
  g_clear_error (&f->error);
  g_mutex_clear (&f->mutex);
  agent_fixture_tear_down (&f->agent);
}

static void
add_reply (Fixture *f, guint status, const char *type, const char *body)
{
  Reply *reply = g_new0 (Reply, 1);

  reply->status = status;
  reply->type = type;
  reply->body = g_strdup (body);
  g_queue_push_tail (&f->replies, reply);
}

static char *
quote (const char *text)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_string (writer, text);
  return plumb_json_writer_finish (writer);
}

static void
append_event (GString *events, const char *delta, const char *finish)
{
  g_string_append_printf (
      events, "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta,
      finish);
}

/* A call whose arguments arrive in two pieces. */
static void
append_call (GString *events, guint index, const char *tool, const char *arguments)
{
  gsize half = strlen (arguments) / 2;
  g_autofree char *start = g_strndup (arguments, half);
  g_autofree char *first = quote (start);
  g_autofree char *second = quote (arguments + half);
  g_autofree char *begin =
      g_strdup_printf ("{\"tool_calls\":[{\"index\":%u,\"id\":\"call_%s_%u\",\"type\":\"function\","
                       "\"function\":{\"name\":\"%s\",\"arguments\":%s}}]}",
                       index, tool, index, tool, first);
  g_autofree char *rest = g_strdup_printf (
      "{\"tool_calls\":[{\"index\":%u,\"function\":{\"arguments\":%s}}]}", index, second);

  append_event (events, begin, "null");
  append_event (events, rest, "null");
}

static void
add_calls (Fixture *f, const char *const *calls)
{
  g_autoptr (GString) events = g_string_new (NULL);

  for (guint i = 0; calls[i] != NULL; i += 2)
    append_call (events, i / 2, calls[i], calls[i + 1]);
  append_event (events, "{}", "\"tool_calls\"");
  g_string_append (events, "data: [DONE]\n\n");
  add_reply (f, 200, "text/event-stream", events->str);
}

static void
add_answer (Fixture *f, const char *const *pieces)
{
  g_autoptr (GString) events = g_string_new (NULL);

  for (guint i = 0; pieces[i] != NULL; i++) {
    g_autofree char *quoted = quote (pieces[i]);
    g_autofree char *delta = g_strdup_printf ("{\"content\":%s}", quoted);

    append_event (events, delta, "null");
  }
  append_event (events, "{}", "\"stop\"");
  g_string_append (events, "data: [DONE]\n\n");
  add_reply (f, 200, "text/event-stream", events->str);
}

static JsonArray *
get_messages (Fixture *f, guint number, JsonNode **node)
{
  *node = plumb_json_parse (g_ptr_array_index (f->requests, number), -1, NULL);
  return plumb_json_get_array (json_node_get_object (*node), "messages");
}

static void
assert_message (JsonArray *messages, guint number, const char *role, const char *says)
{
  JsonObject *message = json_array_get_object_element (messages, number);

  g_assert_cmpstr (plumb_json_get_string (message, "role", NULL), ==, role);
  if (says != NULL)
    g_assert_nonnull (strstr (plumb_json_get_string (message, "content", ""), says));
}

#define JOIN                                                                                       \
  "FROM orders o JOIN customer c ON c.id = o.customer_id GROUP BY c.name ORDER BY n DESC, c.name " \
  "LIMIT 1"

static void
script_turn (Fixture *f)
{
  static const char *const search[] = { "search_tables", "{\"query\":\"orders of customers\"}",
                                        NULL };
  static const char *const cards[] = { "get_table_card", "{\"table\":\"shop.main.orders\"}",
                                       "get_table_card", "{\"table\":\"shop.main.customer\"}",
                                       NULL };
  static const char *const path[] = { "find_join_path",
                                      "{\"tables\":[\"shop.main.orders\",\"shop.main.customer\"]}",
                                      NULL };
  static const char *const wrong[] = {
    "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT c.title, COUNT(*) AS n " JOIN "\"}", NULL
  };
  static const char *const right[] = {
    "run_query", "{\"database\":\"shop\",\"sql\":\"SELECT c.name, COUNT(*) AS n " JOIN "\"}", NULL
  };
  static const char *const answer[] = { "**Ada** has the ", "most: ", "3 orders.", NULL };

  add_calls (f, search);
  add_calls (f, cards);
  add_calls (f, path);
  add_calls (f, wrong);
  add_calls (f, right);
  add_answer (f, answer);
}

static void
test_whole_turn (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbTurn) turn = NULL;
  g_autoptr (JsonNode) first = NULL;
  g_autoptr (JsonNode) last = NULL;
  JsonArray *messages;

  script_turn (f);
  turn = plumb_turn_loop_run (&f->request, NULL, &f->error);
  g_assert_no_error (f->error);
  g_assert_cmpstr (turn->answer, ==, "**Ada** has the most: 3 orders.");
  g_assert_cmpstr (f->streamed->str, ==, "[**Ada** has the ][most: ][3 orders.]");
  g_assert_cmpuint (turn->steps->len, ==, 6);
  g_assert_cmpint (((PlumbStep *) g_ptr_array_index (turn->steps, 4))->state, ==,
                   PLUMB_STATE_FAILED);
  g_assert_cmpint (((PlumbStep *) g_ptr_array_index (turn->steps, 5))->state, ==, PLUMB_STATE_DONE);
  g_assert_cmpuint (turn->numbers->len, ==, 1);
  g_assert_true (((PlumbAnswerNumber *) g_ptr_array_index (turn->numbers, 0))->found);
  g_assert_cmpint (((PlumbAnswerNumber *) g_ptr_array_index (turn->numbers, 0))->step_number, ==,
                   6);

  messages = get_messages (f, 0, &first);
  g_assert_cmpuint (json_array_get_length (messages), ==, 2);
  assert_message (messages, 0, "system", "Today is 2026-11-30");
  assert_message (messages, 0, "system", "- shop (SQLite");
  assert_message (messages, 1, "user", "Who has the most orders");
  g_assert_cmpuint (
      json_array_get_length (plumb_json_get_array (json_node_get_object (first), "tools")), ==, 8);
  messages = get_messages (f, 5, &last);
  g_assert_cmpuint (json_array_get_length (messages), ==, 13);
  assert_message (messages, 3, "tool", "\"table\":\"orders\"");
  assert_message (messages, 5, "tool", "customer_id");
  assert_message (messages, 8, "tool", "\"path\":[{");
  assert_message (messages, 10, "tool", "{\"error\":");
  assert_message (messages, 12, "tool", "[[\"Ada\",3]]");
  g_assert_cmpstr (
      plumb_json_get_string (json_array_get_object_element (messages, 6), "tool_call_id", NULL), ==,
      "call_get_table_card_1");
}

/* What a model's endpoint does wrong, and what the turn ends with. */
static const struct {
  guint status;
  const char *type;
  const char *body;
  int code;
} faults[] = {
  { 200, "text/html", "<html>Sign in</html>", PLUMB_MODEL_ERROR_PROTOCOL },
  { 401, "application/json", "{\"error\":{\"message\":\"bad key\"}}", PLUMB_MODEL_ERROR_KEY },
  { 404, "application/json", "{\"error\":{\"message\":\"no such model\"}}",
    PLUMB_MODEL_ERROR_NOT_FOUND },
  { 200, "text/event-stream",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"So\"}}]}\n\n",
    PLUMB_MODEL_ERROR_BROKEN_OFF },
};

static void
test_faults (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autoptr (PlumbTurn) turn = NULL;
    g_autoptr (GPtrArray) conversations = NULL;
    g_autoptr (GPtrArray) turns = NULL;
    const PlumbTurn *stored;

    add_reply (f, faults[i].status, faults[i].type, faults[i].body);
    turn = plumb_turn_loop_run (&f->request, NULL, &f->error);
    g_assert_null (turn);
    g_assert_error (f->error, PLUMB_MODEL_ERROR, faults[i].code);
    g_assert_null (strstr (f->error->message, "sk-secret-key"));
    conversations = plumb_index_list_conversations (f->agent.index, NULL);
    g_assert_cmpuint (conversations->len, ==, i + 1);
    turns = plumb_index_list_turns (
        f->agent.index, ((PlumbConversation *) g_ptr_array_index (conversations, 0))->id, NULL);
    stored = g_ptr_array_index (turns, 0);
    g_assert_cmpint (stored->state, ==, PLUMB_STATE_FAILED);
    g_assert_cmpstr (stored->question, ==, f->request.question);
    g_clear_error (&f->error);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/protocol/whole-turn", Fixture, NULL, set_up, test_whole_turn, tear_down);
  g_test_add ("/protocol/faults", Fixture, NULL, set_up, test_faults, tear_down);
  return g_test_run ();
}
