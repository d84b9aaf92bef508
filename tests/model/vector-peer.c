/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "vector-peer.h"

#include "plumb-json.h"
#include "plumb-text.h"

#include <libsoup/soup.h>
#include <math.h>
#include <string.h>

struct _VectorPeer {
  SoupServer *server;
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  char *address;
  GMutex mutex;
  VectorPeerFault fault;
  guint times;
  gboolean poison;
  gboolean refuse_base64;
  gboolean tei;
  gsize max_bytes;
  guint delay_ms;
  guint n_dimensions;
  char *model;
  guint n_requests;
  guint n_texts;
  guint at_once;
  guint most_at_once;
  GString *bodies;
};

/* A request as far as it was read. */
typedef struct {
  VectorPeer *peer;
  VectorPeerFault fault;
  JsonArray *texts;
  const char *question;
  gboolean base64;
} Asked;

static void
reply (SoupServerMessage *message, guint status, const char *type, char *body)
{
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, type, SOUP_MEMORY_TAKE, body, strlen (body));
}

static void
refuse (SoupServerMessage *message, guint status, const char *words)
{
  reply (message, status, "application/json",
         g_strdup_printf ("{\"error\":{\"message\":\"%s\"}}", words));
}

static float *
make_vector (const char *text, guint n_dimensions)
{
  g_autoptr (GPtrArray) tokens = plumb_text_tokenize (text);
  float *vector = g_new0 (float, n_dimensions);

  for (guint i = 0; i < tokens->len; i++)
    vector[g_str_hash (g_ptr_array_index (tokens, i)) % n_dimensions] += 1;
  if (tokens->len == 0)
    vector[0] = 1;
  return vector;
}

static gboolean
holds_poison (const Asked *asked, guint number)
{
  return !asked->peer->poison ||
         strstr (json_array_get_string_element (asked->texts, number), "poison") != NULL;
}

static void
write_floats (PlumbJsonWriter *writer, const float *vector, guint n, VectorPeerFault fault)
{
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < n; i++) {
    if (i == 1 && fault == VECTOR_PEER_NAN)
      plumb_json_writer_raw (writer, "NaN");
    else if (i == 1 && fault == VECTOR_PEER_INFINITY)
      plumb_json_writer_raw (writer, "1e999");
    else if (i == 1 && fault == VECTOR_PEER_NULL)
      plumb_json_writer_null (writer);
    else
      plumb_json_writer_double (writer, fault == VECTOR_PEER_ZERO ? 0 : vector[i]);
  }
  plumb_json_writer_end_array (writer);
}

static void
write_base64 (PlumbJsonWriter *writer, float *vector, guint n, VectorPeerFault fault)
{
  g_autofree guint32 *bits = g_new (guint32, n);
  g_autofree char *text = NULL;

  for (guint i = 0; i < n; i++) {
    float number = fault == VECTOR_PEER_ZERO ? 0 : vector[i];

    if (i == 1 && fault == VECTOR_PEER_NAN)
      number = NAN;
    if (i == 1 && fault == VECTOR_PEER_INFINITY)
      number = INFINITY;
    memcpy (&bits[i], &number, sizeof number);
    bits[i] = GUINT32_TO_LE (bits[i]);
  }
  text = g_base64_encode ((const guchar *) bits, n * sizeof (guint32));
  plumb_json_writer_string (writer, text);
}

/* The answer to one text. */
static void
write_item (const Asked *asked, PlumbJsonWriter *writer, guint number)
{
  VectorPeerFault fault = holds_poison (asked, number) ? asked->fault : VECTOR_PEER_FINE;
  guint n = asked->peer->n_dimensions + (fault == VECTOR_PEER_OTHER_DIMENSION);
  g_autofree float *vector = make_vector (json_array_get_string_element (asked->texts, number), n);

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "index");
  plumb_json_writer_int (writer, fault == VECTOR_PEER_TWICE ? 0 : number);
  plumb_json_writer_name (writer, "embedding");
  if (asked->base64 && fault != VECTOR_PEER_NULL)
    write_base64 (writer, vector, n, fault);
  else
    write_floats (writer, vector, n, fault);
  plumb_json_writer_end_object (writer);
}

/* Answers come in another order than the texts, as a server may send them. */
static char *
make_embeddings (const Asked *asked)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  guint n = json_array_get_length (asked->texts);

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "data");
  plumb_json_writer_begin_array (writer);
  for (guint i = n; i > 0; i--) {
    gboolean left_out = asked->peer->poison ? holds_poison (asked, i - 1) : i == n;

    if (asked->fault != VECTOR_PEER_ONE_LESS || !left_out)
      write_item (asked, writer, i - 1);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

static double
get_score (const char *question, const char *text)
{
  g_autoptr (GPtrArray) words = plumb_text_tokenize (question);
  g_autofree char *folded = plumb_text_fold (text);
  guint found = 0;

  for (guint i = 0; i < words->len; i++)
    found += strstr (folded, g_ptr_array_index (words, i)) != NULL;
  return words->len > 0 ? found / (double) words->len : 0;
}

static char *
make_scores (const Asked *asked)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  gboolean tei = asked->peer->tei;
  guint n = json_array_get_length (asked->texts);

  if (!tei) {
    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "results");
  }
  plumb_json_writer_begin_array (writer);
  for (guint i = n; i > (asked->fault == VECTOR_PEER_ONE_LESS ? 1 : 0); i--) {
    plumb_json_writer_begin_object (writer);
    plumb_json_writer_name (writer, "index");
    plumb_json_writer_int (writer, asked->fault == VECTOR_PEER_TWICE ? 0 : i - 1);
    plumb_json_writer_name (writer, tei ? "score" : "relevance_score");
    if (asked->fault == VECTOR_PEER_NULL)
      plumb_json_writer_null (writer);
    else
      plumb_json_writer_double (
          writer, get_score (asked->question, json_array_get_string_element (asked->texts, i - 1)));
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
  if (!tei)
    plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

/* Faults that are about the request as a whole. Returns: whether @message is answered */
static gboolean
answer_with_fault (const Asked *asked, SoupServerMessage *message)
{
  switch (asked->fault) {
  case VECTOR_PEER_SILENT:
    soup_server_message_pause (message);
    return TRUE;
  case VECTOR_PEER_HTML:
    reply (message, 200, "text/html", g_strdup ("<html><body>Welcome</body></html>"));
    return TRUE;
  case VECTOR_PEER_NOT_FOUND:
    refuse (message, 404, "Not Found");
    return TRUE;
  case VECTOR_PEER_NO_KEY:
    refuse (message, 401, "No api key passed in.");
    return TRUE;
  case VECTOR_PEER_BUSY:
    soup_message_headers_replace (soup_server_message_get_response_headers (message), "Retry-After",
                                  "0");
    refuse (message, 429, "Too many requests");
    return TRUE;
  case VECTOR_PEER_SERVER_ERROR:
    refuse (message, 500, "CUDA error");
    return TRUE;
  case VECTOR_PEER_CUT:
    reply (message, 200, "application/json", g_strdup ("{\"data\":[{\"index\":0,\"embed"));
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
has_long_text (const Asked *asked)
{
  for (guint i = 0; i < json_array_get_length (asked->texts); i++) {
    if (strlen (json_array_get_string_element (asked->texts, i)) > asked->peer->max_bytes)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_poison (const Asked *asked)
{
  for (guint i = 0; i < json_array_get_length (asked->texts); i++) {
    if (holds_poison (asked, i))
      return TRUE;
  }
  return FALSE;
}

static void
count (VectorPeer *self, guint n_texts, GBytes *body)
{
  self->n_requests++;
  self->n_texts += n_texts;
  g_string_append_len (self->bodies, g_bytes_get_data (body, NULL), g_bytes_get_size (body));
}

static void
answer (VectorPeer *self, SoupServerMessage *message, const char *path, JsonObject *object,
        GBytes *body)
{
  gboolean rerank = g_str_has_suffix (path, "/rerank");
  Asked asked = { self, VECTOR_PEER_FINE, NULL, NULL, FALSE };

  asked.texts = plumb_json_get_array (object, !rerank     ? "input"
                                              : self->tei ? "texts"
                                                          : "documents");
  asked.question = plumb_json_get_string (object, "query", "");
  asked.base64 = g_strcmp0 (plumb_json_get_string (object, "encoding_format", NULL), "base64") == 0;
  count (self, asked.texts != NULL ? json_array_get_length (asked.texts) : 0, body);
  if (asked.texts == NULL) {
    refuse (message, 422, self->tei ? "missing field `texts`" : "missing field documents");
    return;
  }
  if (self->tei && rerank && g_str_has_prefix (path, "/v1")) {
    refuse (message, 404, "Not Found");
    return;
  }
  if (self->times > 0 && has_poison (&asked)) {
    asked.fault = self->fault;
    self->times--;
  }
  if (asked.base64 && self->refuse_base64)
    refuse (message, 400, "encoding_format base64 is not supported");
  else if (has_long_text (&asked))
    refuse (message, 400, "the input length exceeds the context length");
  else if (!answer_with_fault (&asked, message))
    reply (message, 200, "application/json",
           rerank ? make_scores (&asked) : make_embeddings (&asked));
}

/* Reads the request and answers it. The mutex is held by the caller. */
static void
handle (VectorPeer *self, SoupServerMessage *message)
{
  const char *path = g_uri_get_path (soup_server_message_get_uri (message));
  g_autoptr (GBytes)
      body = soup_message_body_flatten (soup_server_message_get_request_body (message));
  g_autoptr (JsonNode) root = NULL;

  if (g_str_has_suffix (path, "/models")) {
    reply (message, 200, "application/json",
           g_strdup_printf ("{\"data\":[{\"id\":\"%s\"},{\"id\":\"chatty\"}]}", self->model));
    return;
  }
  root = plumb_json_parse (g_bytes_get_data (body, NULL), g_bytes_get_size (body), NULL);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    refuse (message, 400, "no JSON");
  else
    answer (self, message, path, json_node_get_object (root), body);
}

typedef struct {
  VectorPeer *peer;
  SoupServerMessage *message;
} Delayed;

static gboolean
on_delay_over (gpointer data)
{
  Delayed *delayed = data;

  g_mutex_lock (&delayed->peer->mutex);
  delayed->peer->at_once--;
  handle (delayed->peer, delayed->message);
  g_mutex_unlock (&delayed->peer->mutex);
  soup_server_message_unpause (delayed->message);
  g_object_unref (delayed->message);
  g_free (delayed);
  return G_SOURCE_REMOVE;
}

static void
delay (VectorPeer *self, SoupServerMessage *message)
{
  g_autoptr (GSource) source = g_timeout_source_new (self->delay_ms);
  Delayed *delayed = g_new0 (Delayed, 1);

  delayed->peer = self;
  delayed->message = g_object_ref (message);
  self->at_once++;
  self->most_at_once = MAX (self->most_at_once, self->at_once);
  soup_server_message_pause (message);
  g_source_set_callback (source, on_delay_over, delayed, NULL);
  g_source_attach (source, self->context);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query,
            gpointer data)
{
  VectorPeer *self = data;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  if (self->delay_ms > 0)
    delay (self, message);
  else
    handle (self, message);
}

static gpointer
run_loop (gpointer data)
{
  VectorPeer *self = data;

  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

/** vector_peer_new: Returns: a server on a free port of the loopback interface, without faults */
VectorPeer *
vector_peer_new (guint n_dimensions)
{
  VectorPeer *self = g_new0 (VectorPeer, 1);
  g_autoptr (GError) error = NULL;
  GSList *addresses;

  g_mutex_init (&self->mutex);
  self->n_dimensions = n_dimensions;
  self->model = g_strdup ("bge-m3");
  self->max_bytes = G_MAXSIZE;
  self->bodies = g_string_new (NULL);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  g_main_context_push_thread_default (self->context);
  self->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (self->server, NULL, on_request, self, NULL);
  soup_server_listen_local (self->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  g_main_context_pop_thread_default (self->context);
  addresses = soup_server_get_uris (self->server);
  self->address = g_strdup_printf ("http://127.0.0.1:%d", g_uri_get_port (addresses->data));
  g_slist_free_full (addresses, (GDestroyNotify) g_uri_unref);
  self->thread = g_thread_new ("vector-peer", run_loop, self);
  return self;
}

static gboolean
on_quit (gpointer data)
{
  VectorPeer *self = data;

  soup_server_disconnect (self->server);
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

/** vector_peer_free: stops it */
void
vector_peer_free (VectorPeer *self)
{
  g_autoptr (GSource) quit = g_idle_source_new ();

  g_source_set_callback (quit, on_quit, self, NULL);
  g_source_attach (quit, self->context);
  g_thread_join (self->thread);
  g_object_unref (self->server);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_string_free (self->bodies, TRUE);
  g_mutex_clear (&self->mutex);
  g_free (self->address);
  g_free (self->model);
  g_free (self);
}

/** vector_peer_get_address: Returns: (transfer full): its address with @path */
char *
vector_peer_get_address (VectorPeer *self, const char *path)
{
  return g_strconcat (self->address, path, NULL);
}

/** vector_peer_set_fault: the next @times requests meet @fault */
void
vector_peer_set_fault (VectorPeer *self, VectorPeerFault fault, guint times)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  self->fault = fault;
  self->times = times;
}

/** vector_peer_set_poison: whether only texts that hold "poison" meet the fault */
void
vector_peer_set_poison (VectorPeer *self, gboolean poison)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  self->poison = poison;
}

/** vector_peer_set_delay: how long each answer takes */
void
vector_peer_set_delay (VectorPeer *self, guint ms)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  self->delay_ms = ms;
}

/** vector_peer_set_model: the model that it lists, and the length of its vectors */
void
vector_peer_set_model (VectorPeer *self, const char *model, guint n_dimensions)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  g_free (self->model);
  self->model = g_strdup (model);
  self->n_dimensions = n_dimensions;
}

/** vector_peer_set_floats: whether it refuses to be asked for base64 */
void
vector_peer_set_floats (VectorPeer *self, gboolean refuse_base64)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  self->refuse_base64 = refuse_base64;
}

/** vector_peer_set_tei: whether it speaks of reranking as TEI does */
void
vector_peer_set_tei (VectorPeer *self, gboolean tei)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  self->tei = tei;
}

/** vector_peer_set_max_bytes: the longest text that it takes */
void
vector_peer_set_max_bytes (VectorPeer *self, gsize max_bytes)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  self->max_bytes = max_bytes;
}

/** vector_peer_get_n_requests: Returns: how many requests have come, lists of models left out */
guint
vector_peer_get_n_requests (VectorPeer *self)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  return self->n_requests;
}

/** vector_peer_get_n_texts: Returns: how many texts have come with them */
guint
vector_peer_get_n_texts (VectorPeer *self)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  return self->n_texts;
}

/** vector_peer_get_most_at_once: Returns: the most requests that were under way together */
guint
vector_peer_get_most_at_once (VectorPeer *self)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  return self->most_at_once;
}

/** vector_peer_got: Returns: whether any request held @words */
gboolean
vector_peer_got (VectorPeer *self, const char *words)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  return strstr (self->bodies->str, words) != NULL;
}

/** vector_peer_reset: forgets what has come */
void
vector_peer_reset (VectorPeer *self)
{
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&self->mutex);

  self->n_requests = self->n_texts = self->most_at_once = 0;
  g_string_truncate (self->bodies, 0);
}
