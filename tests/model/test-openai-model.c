/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "peer.h"
#include "plumb-model.h"

#include <string.h>

#define KEY "sk-secret-0123456789"

typedef struct {
  Peer *peer;
  PlumbModel *model;
  GPtrArray *messages;
  GString *streamed;
  GError *error;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  PlumbModelLimits limits = PLUMB_MODEL_LIMITS_DEFAULT;
  g_autofree char *address = NULL;

  limits.first_byte_ms = 400;
  limits.stall_ms = 400;
  limits.retry_ms = 20;
  limits.max_retry_ms = 1500;
  limits.retries = 2;
  limits.max_reply_bytes = 64 * 1024;
  f->peer = peer_new ();
  address = peer_get_address (f->peer, "/v1");
  f->model = plumb_openai_model_new (address, "test-model", KEY);
  plumb_openai_model_set_limits (f->model, &limits);
  f->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_message_free);
  g_ptr_array_add (f->messages, plumb_message_new (PLUMB_MESSAGE_SYSTEM, "Be exact."));
  g_ptr_array_add (f->messages, plumb_message_new (PLUMB_MESSAGE_USER, "How many \"orders\"?\n"));
  f->streamed = g_string_new (NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->model);
  peer_free (f->peer);
  g_ptr_array_unref (f->messages);
  g_string_free (f->streamed, TRUE);
  g_clear_error (&f->error);
}

static void
on_delta (const char *text, gpointer data)
{
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_string_append (data, text);
}

static PlumbChatReply *
ask (Fixture *f, GCancellable *cancellable)
{
  static const PlumbToolSchema tools[] = {
    { "run_query", "Runs a statement.", "{\"type\":\"object\"}" },
  };
  PlumbChatRequest request = { f->messages, tools, 1, 500 };

  return plumb_model_chat (f->model, &request, on_delta, f->streamed, cancellable, &f->error);
}

static PlumbToolCall *
get_call (PlumbChatReply *reply, guint number)
{
  g_assert_cmpuint (number, <, reply->message->tool_calls->len);
  return g_ptr_array_index (reply->message->tool_calls, number);
}

static void
assert_fault (Fixture *f, PlumbModelError code, const char *says)
{
  g_autoptr (PlumbChatReply) reply = ask (f, NULL);

  g_assert_null (reply);
  g_assert_error (f->error, PLUMB_MODEL_ERROR, (int) code);
  g_assert_nonnull (strstr (f->error->message, says));
  g_assert_null (strstr (f->error->message, KEY));
  g_clear_error (&f->error);
}

static void
test_streams_text (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbChatReply) reply = NULL;
  const char *request;

  /* CRLF, keep-alive comments, and a character cut in the middle. */
  peer_add_events (
      f->peer, PEER_HOLD,
      ": hello\r\n\r\n"
      "data: "
      "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\r\n\r\n"
      "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\r\n\r\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"3\xe2\001\x82\xac \"}}]}\r\001\n\r\n"
      "data:{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"in "
      "all\"}]}}]}\r\n\r\n"
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\r\n\r\n"
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}\r\n\r\n"
      "data: [DONE]\r\n\r\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_cmpstr (reply->message->text, ==, "3€ in all");
  g_assert_cmpstr (f->streamed->str, ==, "3€ in all");
  g_assert_cmpstr (reply->finish_reason, ==, "stop");
  g_assert_cmpint (reply->prompt_tokens, ==, 12);
  g_assert_cmpint (reply->reply_tokens, ==, 3);
  g_assert_true (peer_wait_for_hang_up (f->peer, 2000));
  request = peer_get_request (f->peer, 0);
  g_assert_true (g_str_has_prefix (request, "POST /v1/chat/completions HTTP/1.1\r\n"));
  g_assert_nonnull (strstr (request, "Authorization: Bearer " KEY "\r\n"));
  g_assert_nonnull (strstr (request, "\"model\":\"test-model\""));
  g_assert_nonnull (
      strstr (request, "{\"role\":\"user\",\"content\":\"How many \\\"orders\\\"?\\n\"}"));
  g_assert_nonnull (strstr (request, "\"max_tokens\":500"));
  g_assert_nonnull (strstr (request, "\"parameters\":{\"type\":\"object\"}"));
}

static void
test_streams_tool_calls (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbChatReply) reply = NULL;

  peer_add_events (
      f->peer, PEER_CLOSE,
      "data: "
      "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\","
      "\"function\":{\"name\":\"run_query\",\"arguments\":\"\"}}]}}]}\n\n"
      "data: "
      "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{"
      "\\\"sql\\\":\"}}]}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"a\",\"function\":"
      "{\"name\":\"list_tables\",\"arguments\":\"{\\\"no\"}}]}}]}\n\n"
      "data: "
      "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":"
      "\"\\\"SELECT 1\\\"}\"}}]}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_null (reply->message->text);
  g_assert_cmpuint (reply->message->tool_calls->len, ==, 2);
  g_assert_cmpstr (get_call (reply, 0)->name, ==, "run_query");
  g_assert_cmpstr (get_call (reply, 0)->arguments, ==, "{\"sql\":\"SELECT 1\"}");
  /* Text that is no JSON is handed on; the tool says so to the model. */
  g_assert_cmpstr (get_call (reply, 1)->arguments, ==, "{\"no");
  g_assert_cmpstr (get_call (reply, 0)->id, !=, get_call (reply, 1)->id);
}

/* Calls that come whole, without index, with the same id or none, and arguments as an object. */
static void
test_whole_tool_calls (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbChatReply) reply = NULL;

  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"choices\":[{\"delta\":{\"tool_calls\":["
                   "{\"id\":\"x\",\"function\":{\"name\":\"run_query\",\"arguments\":{\"n\":1}}},"
                   "{\"id\":\"x\",\"function\":{\"name\":\"run_query\",\"arguments\":\"{\\\"n\\\":"
                   "2}\"}}]}}]}\n\n"
                   "data: {\"choices\":[{\"delta\":{\"tool_calls\":["
                   "{\"function\":{\"name\":\"run_query\",\"arguments\":\"{\\\"n\\\":3}\"}},"
                   "{\"index\":0,\"id\":\"y\",\"function\":{\"name\":\"list_tables\"}}]},\"finish_"
                   "reason\":\"stop\"}]}\n"
                   "data: [DONE]\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_cmpuint (reply->message->tool_calls->len, ==, 4);
  g_assert_cmpstr (get_call (reply, 0)->arguments, ==, "{\"n\":1}");
  g_assert_cmpstr (get_call (reply, 1)->arguments, ==, "{\"n\":2}");
  g_assert_cmpstr (get_call (reply, 2)->arguments, ==, "{\"n\":3}");
  g_assert_cmpstr (get_call (reply, 3)->arguments, ==, "{}");
  for (guint i = 0; i < 4; i++) {
    for (guint j = i + 1; j < 4; j++)
      g_assert_cmpstr (get_call (reply, i)->id, !=, get_call (reply, j)->id);
  }
}

static void
test_plain_json (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbChatReply) reply = NULL;

  peer_add_status (
      f->peer, 200, "Content-Type: application/json\r\n",
      "\n{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"42\",\"tool_calls\":"
      "[{\"id\":\"q\",\"function\":{\"name\":\"run_query\",\"arguments\":\"{}\"}}]},"
      "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_cmpstr (reply->message->text, ==, "42");
  g_assert_cmpstr (f->streamed->str, ==, "42");
  g_assert_cmpstr (get_call (reply, 0)->id, ==, "q");
}

/* What was called and answered goes back to the endpoint. */
static void
test_sends_history (Fixture *f, gconstpointer data)
{
  PlumbMessage *assistant = plumb_message_new (PLUMB_MESSAGE_ASSISTANT, NULL);
  PlumbMessage *tool = plumb_message_new (PLUMB_MESSAGE_TOOL, "{\"rows\":[[1]]}");
  g_autoptr (PlumbChatReply) reply = NULL;
  const char *request;

  g_ptr_array_add (assistant->tool_calls, plumb_tool_call_new ("c1", "run_query", "{\"sql\": 1}"));
  g_ptr_array_add (assistant->tool_calls, plumb_tool_call_new ("c2", "run_query", "{broken"));
  tool->tool_call_id = g_strdup ("c1");
  g_ptr_array_add (f->messages, assistant);
  g_ptr_array_add (f->messages, tool);
  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"1\"}}]}\n\ndata: [DONE]\n\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  request = peer_get_request (f->peer, 0);
  g_assert_nonnull (
      strstr (request, "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\","
                       "\"type\":\"function\",\"function\":{\"name\":\"run_query\","
                       "\"arguments\":\"{\\\"sql\\\": 1}\"}}"));
  g_assert_nonnull (strstr (request, "\"arguments\":\"{\\\"not_json\\\":\\\"{broken\\\"}\""));
  g_assert_nonnull (strstr (
      request, "{\"role\":\"tool\",\"content\":\"{\\\"rows\\\":[[1]]}\",\"tool_call_id\":\"c1\"}"));
}

static void
test_refusals (Fixture *f, gconstpointer data)
{
  peer_add_status (f->peer, 401, NULL,
                   "{\"error\":{\"message\":\"Incorrect API key provided: " KEY "\"}}");
  assert_fault (f, PLUMB_MODEL_ERROR_KEY, "Enter a valid key");
  peer_add_status (f->peer, 403, NULL, "no");
  assert_fault (f, PLUMB_MODEL_ERROR_KEY, "HTTP 403");
  peer_add_status (f->peer, 404, NULL, "<html>Not found</html>");
  assert_fault (f, PLUMB_MODEL_ERROR_NOT_FOUND, "usually ends in /v1");
  peer_add_status (
      f->peer, 404, NULL,
      "{\"error\":{\"message\":\"model \\\"test-model\\\" not found, try pulling it first\"}}");
  assert_fault (f, PLUMB_MODEL_ERROR_NOT_FOUND, "has no model “test-model”");
  peer_add_status (f->peer, 500, NULL, "{\"error\":\"out of memory\"}");
  assert_fault (f, PLUMB_MODEL_ERROR_SERVER, "The server says: out of memory");
  peer_add_status (f->peer, 400, NULL,
                   "{\"error\":{\"message\":\"This model does not support tools\"}}");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "can call tools");
  peer_add_status (f->peer, 400, NULL,
                   "{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"too much\"}}");
  assert_fault (f, PLUMB_MODEL_ERROR_TOO_LONG, "new conversation");
  peer_add_status (f->peer, 413, NULL, "");
  assert_fault (f, PLUMB_MODEL_ERROR_TOO_LONG, "new conversation");
  peer_add_status (f->peer, 301, "Location: https://other.example/v1\r\n", "");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "has moved");
}

static void
test_no_model_server (Fixture *f, gconstpointer data)
{
  peer_add_status (f->peer, 200, "Content-Type: text/html\r\n",
                   "<!DOCTYPE html><title>Router</title>");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "a web page");
  peer_add_status (f->peer, 200, NULL, "{\"choices\":[{\"message\":");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "broken");
  peer_add_status (f->peer, 200, NULL, "{\"version\":3}");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "no “choices”");
  peer_add_status (f->peer, 200, NULL, "");
  assert_fault (f, PLUMB_MODEL_ERROR_BROKEN_OFF, "without a reply");
  peer_add_status (f->peer, 200, NULL, "\xff\xfe binary");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "something else than JSON");
  peer_add (f->peer, PEER_CLOSE, "SSH-2.0-OpenSSH_9.2\r\n");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "no HTTP server");
  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {oops\n\n");
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "{oops");
}

static void
test_fault_in_stream (Fixture *f, gconstpointer data)
{
  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"error\":{\"message\":\"CUDA out of memory\",\"code\":500}}\n\n");
  assert_fault (f, PLUMB_MODEL_ERROR_SERVER, "CUDA out of memory");
  peer_add_events (
      f->peer, PEER_CLOSE,
      "data: {\"error\":{\"message\":\"the request exceeds the available context size\"}}\n\n");
  assert_fault (f, PLUMB_MODEL_ERROR_TOO_LONG, "new conversation");
  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"The\"}}]}\n\n");
  assert_fault (f, PLUMB_MODEL_ERROR_BROKEN_OFF, "broke off");
  /* A chunked body whose connection drops. */
  peer_add (
      f->peer, PEER_CLOSE,
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      "ff\r\ndata: {\"choices\":[{\"delta\"");
  assert_fault (f, PLUMB_MODEL_ERROR_BROKEN_OFF, "broke off");
  peer_add (f->peer, PEER_CLOSE, "");
  assert_fault (f, PLUMB_MODEL_ERROR_BROKEN_OFF, "broke off");
}

static void
test_stalls (Fixture *f, gconstpointer data)
{
  peer_add (f->peer, PEER_HOLD, "");
  assert_fault (f, PLUMB_MODEL_ERROR_STALLED, "sent nothing for 1 seconds");
  peer_add_events (f->peer, PEER_HOLD, "");
  assert_fault (f, PLUMB_MODEL_ERROR_STALLED, "sent nothing for 1 seconds");
  peer_add_events (f->peer, PEER_HOLD,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"The\"}}]}\n\n");
  assert_fault (f, PLUMB_MODEL_ERROR_STALLED, "sent nothing more for 1 seconds");
}

/* The reply is whole, though the endpoint neither says [DONE] nor closes the connection. */
static void
test_no_done (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbChatReply) reply = NULL;

  peer_add_events (
      f->peer, PEER_HOLD,
      "data: {\"choices\":[{\"delta\":{\"content\":\"7\"},\"finish_reason\":\"stop\"}]}\n\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_cmpstr (reply->message->text, ==, "7");
}

static void
test_busy (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbChatReply) reply = NULL;
  gint64 start = g_get_monotonic_time ();

  peer_add_status (f->peer, 503, NULL, "{\"error\":{\"message\":\"Loading model\"}}");
  peer_add_status (f->peer, 429, "Retry-After: 1\r\n", "{}");
  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata: [DONE]\n\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_cmpstr (f->streamed->str, ==, "ok");
  g_assert_cmpint (g_get_monotonic_time () - start, >=, G_USEC_PER_SEC);
  g_assert_cmpuint (peer_get_n_requests (f->peer), ==, 3);

  for (guint i = 0; i < 3; i++)
    peer_add_status (f->peer, 429, NULL, "{\"error\":{\"message\":\"quota\"}}");
  assert_fault (f, PLUMB_MODEL_ERROR_BUSY, "quota");
  g_assert_cmpuint (peer_get_n_requests (f->peer), ==, 6);
  /* An endpoint that wants to be left alone for an hour isn't waited for. */
  peer_add_status (f->peer, 429, "Retry-After: 3600\r\n", "{}");
  assert_fault (f, PLUMB_MODEL_ERROR_BUSY, "HTTP 429");
  g_assert_cmpuint (peer_get_n_requests (f->peer), ==, 7);
}

/* What a model thinks aloud is no part of its answer, however it is cut into pieces. */
static void
test_thought (Fixture *f, gconstpointer data)
{
  static const struct {
    const char *pieces[6];
    const char *text;
  } cases[] = {
    { { "<think>1 or 2?</think>\\n\\n2 orders" }, "2 orders" },
    { { "\\n<th", "ink>1 or 2? <", "/thi", "nk", ">\\n", "2 orders" }, "2 orders" },
    { { "<", "b>2</b> orders" }, "<b>2</b> orders" },
    { { "<thi" }, "<thi" },
    { { "2 <think>x</think>" }, "2 <think>x</think>" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (PlumbChatReply) reply = NULL;
    g_autoptr (GString) events = g_string_new (NULL);

    for (guint j = 0; j < G_N_ELEMENTS (cases[i].pieces) && cases[i].pieces[j] != NULL; j++)
      g_string_append_printf (events,
                              "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n",
                              cases[i].pieces[j]);
    g_string_append (events, "data: [DONE]\n\n");
    peer_add_events (f->peer, PEER_CLOSE, events->str);
    g_string_truncate (f->streamed, 0);
    reply = ask (f, NULL);
    g_assert_no_error (f->error);
    g_assert_cmpstr (reply->message->text, ==, cases[i].text);
    g_assert_cmpstr (f->streamed->str, ==, cases[i].text);
  }
}

static void
test_quirks (Fixture *f, gconstpointer data)
{
  g_autoptr (PlumbChatReply) reply = NULL;

  peer_add_status (f->peer, 400, NULL,
                   "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens'. Use "
                   "'max_completion_tokens' instead.\"}}");
  peer_add_status (f->peer, 400, NULL,
                   "{\"error\":{\"message\":\"'temperature' does not support 0\"}}");
  peer_add_status (f->peer, 422, NULL,
                   "{\"detail\":\"stream_options: extra fields not permitted\"}");
  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata: [DONE]\n\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_cmpuint (peer_get_n_requests (f->peer), ==, 4);
  g_assert_nonnull (strstr (peer_get_request (f->peer, 3), "\"max_completion_tokens\":500"));
  g_assert_null (strstr (peer_get_request (f->peer, 3), "temperature"));
  g_assert_null (strstr (peer_get_request (f->peer, 3), "stream_options"));
}

static void
test_too_large (Fixture *f, gconstpointer data)
{
  g_autofree char *long_text = g_strnfill (70 * 1024, 'x');
  g_autofree char *events =
      g_strdup_printf ("data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n", long_text);

  peer_add_events (f->peer, PEER_HOLD, events);
  assert_fault (f, PLUMB_MODEL_ERROR_PROTOCOL, "longer than");
}

typedef struct {
  GCancellable *cancellable;
  guint ms;
} Canceller;

static gpointer
cancel_later (gpointer data)
{
  Canceller *canceller = data;

  g_usleep (canceller->ms * 1000);
  g_cancellable_cancel (canceller->cancellable);
  return NULL;
}

static void
check_cancel (Fixture *f)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Canceller canceller = { cancellable, 80 };
  gint64 start = g_get_monotonic_time ();
  GThread *thread = g_thread_new ("cancel", cancel_later, &canceller);
  g_autoptr (PlumbChatReply) reply = ask (f, cancellable);

  g_thread_join (thread);
  g_assert_null (reply);
  g_assert_error (f->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
  g_clear_error (&f->error);
}

static void
test_cancel_in_stream (Fixture *f, gconstpointer data)
{
  peer_add_events (f->peer, PEER_HOLD,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"The\"}}]}\n\n");
  check_cancel (f);
  g_assert_cmpstr (f->streamed->str, ==, "The");
  g_assert_true (peer_wait_for_hang_up (f->peer, 1000));
}

static void
test_cancel_before_reply (Fixture *f, gconstpointer data)
{
  peer_add (f->peer, PEER_HOLD, "");
  check_cancel (f);
  g_assert_true (peer_wait_for_hang_up (f->peer, 1000));
}

static void
test_cancel_while_busy (Fixture *f, gconstpointer data)
{
  peer_add_status (f->peer, 429, "Retry-After: 1\r\n", "{}");
  check_cancel (f);
}

static void
replace_model (Fixture *f, const char *address, const char *key)
{
  g_assert_finalize_object (f->model);
  f->model = plumb_openai_model_new (address, "test-model", key);
}

static void
test_unreachable (Fixture *f, gconstpointer data)
{
  g_autoptr (Peer) gone = peer_new ();
  g_autofree char *address = peer_get_address (gone, "/v1");
  g_autofree char *secure = NULL;

  peer_free (g_steal_pointer (&gone));
  replace_model (f, address, KEY);
  assert_fault (f, PLUMB_MODEL_ERROR_CONNECT, "Nothing is listening");
  replace_model (f, "http://no-such-computer.invalid/v1", KEY);
  assert_fault (f, PLUMB_MODEL_ERROR_CONNECT, "no-such-computer.invalid");
  secure = g_strdup_printf ("https://127.0.0.1:%u/v1", peer_get_port (f->peer));
  peer_add_status (f->peer, 400, NULL, "plain HTTP");
  replace_model (f, secure, KEY);
  assert_fault (f, PLUMB_MODEL_ERROR_CONNECT, "https://");
}

static void
test_bad_settings (Fixture *f, gconstpointer data)
{
  static const char *const addresses[] = {
    "",           "   ",         "http://",        "ftp://example.org/v1",
    "http:///v1", "http://[::1", "not an address", "http://h:99999/v1"
  };

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    replace_model (f, addresses[i], KEY);
    assert_fault (f, PLUMB_MODEL_ERROR_CONNECT, "model settings");
  }
  replace_model (f, "http://127.0.0.1:1/v1", "sk-one\r\nX-Evil: 1");
  assert_fault (f, PLUMB_MODEL_ERROR_KEY, "characters");
}

/* Each spelling of an address leads to the same path. */
static void
test_addresses (Fixture *f, gconstpointer data)
{
  static const char *const paths[] = {
    "", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/models"
  };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_autofree char *address = peer_get_address (f->peer, paths[i]);
    g_autofree char *bare = g_strconcat (address + strlen ("http://"), " ", NULL);
    g_autoptr (PlumbChatReply) reply = NULL;

    replace_model (f, i % 2 == 0 ? address : bare, NULL);
    peer_add_events (f->peer, PEER_CLOSE,
                     "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata: [DONE]\n\n");
    reply = ask (f, NULL);
    g_assert_no_error (f->error);
    g_assert_true (
        g_str_has_prefix (peer_get_request (f->peer, i), "POST /v1/chat/completions HTTP/1.1\r\n"));
    g_assert_null (strstr (peer_get_request (f->peer, i), "Authorization"));
  }
}

/* An address without a version is tried with /v1, then as it stands. */
static void
test_address_without_version (Fixture *f, gconstpointer data)
{
  g_autofree char *address = peer_get_address (f->peer, "/proxy?key=1");
  g_autoptr (PlumbChatReply) reply = NULL;

  replace_model (f, address, NULL);
  peer_add_status (f->peer, 404, NULL, "no such path");
  peer_add_events (f->peer, PEER_CLOSE,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata: [DONE]\n\n");
  reply = ask (f, NULL);
  g_assert_no_error (f->error);
  g_assert_true (
      g_str_has_prefix (peer_get_request (f->peer, 0), "POST /proxy/v1/chat/completions?key=1 "));
  g_assert_true (
      g_str_has_prefix (peer_get_request (f->peer, 1), "POST /proxy/chat/completions?key=1 "));
}

static void
test_list_models (Fixture *f, gconstpointer data)
{
  g_autofree char *address = peer_get_address (f->peer, "");
  g_auto (GStrv) models = NULL;
  g_auto (GStrv) none = NULL;

  peer_add_status (f->peer, 200, NULL,
                   "{\"object\":\"list\",\"data\":[{\"id\":\"a\"},{\"id\":\"b:7b\"},3]}");
  models = plumb_openai_list_models (address, KEY, NULL, &f->error);
  g_assert_no_error (f->error);
  g_assert_cmpuint (g_strv_length (models), ==, 2);
  g_assert_cmpstr (models[1], ==, "b:7b");
  g_assert_true (g_str_has_prefix (peer_get_request (f->peer, 0), "GET /v1/models HTTP/1.1\r\n"));
  peer_add_status (f->peer, 200, NULL, "<html></html>");
  none = plumb_openai_list_models (address, KEY, NULL, &f->error);
  g_assert_error (f->error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_PROTOCOL);
  g_clear_error (&f->error);
  peer_add_status (f->peer, 401, NULL, "{\"error\":{\"message\":\"bad key " KEY "\"}}");
  none = plumb_openai_list_models (address, KEY, NULL, &f->error);
  g_assert_error (f->error, PLUMB_MODEL_ERROR, PLUMB_MODEL_ERROR_KEY);
  g_assert_null (strstr (f->error->message, "secret"));
}

#define ADD(name, test) g_test_add ("/openai-model/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("streams-text", test_streams_text);
  ADD ("streams-tool-calls", test_streams_tool_calls);
  ADD ("whole-tool-calls", test_whole_tool_calls);
  ADD ("plain-json", test_plain_json);
  ADD ("sends-history", test_sends_history);
  ADD ("refusals", test_refusals);
  ADD ("no-model-server", test_no_model_server);
  ADD ("fault-in-stream", test_fault_in_stream);
  ADD ("stalls", test_stalls);
  ADD ("no-done", test_no_done);
  ADD ("busy", test_busy);
  ADD ("thought", test_thought);
  ADD ("quirks", test_quirks);
  ADD ("too-large", test_too_large);
  ADD ("cancel-in-stream", test_cancel_in_stream);
  ADD ("cancel-before-reply", test_cancel_before_reply);
  ADD ("cancel-while-busy", test_cancel_while_busy);
  ADD ("unreachable", test_unreachable);
  ADD ("bad-settings", test_bad_settings);
  ADD ("addresses", test_addresses);
  ADD ("address-without-version", test_address_without_version);
  ADD ("list-models", test_list_models);
  return g_test_run ();
}
