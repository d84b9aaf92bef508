/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-private.h"

#include <libsoup/soup.h>
#include <string.h>

/* Begins each query id; the mark of the program follows. */
#define QUERY_ID_PREFIX "plumbline-"
#define BUFFER_SIZE (256 * 1024)
/* How long the server may be silent when Plumbline asks for itself, in seconds. */
#define CONTROL_TIMEOUT 15
#define STOP_TIMEOUT 2
#define STOP_ASK_EVERY_US (50 * 1000)
/* How often in a row the server must say that a statement doesn't run which it never found. */
#define QUIET_LOOKS 3
/* What is kept of an error's text. */
#define LONGEST_ERROR (64 * 1024)

/* Values arrive as tab-separated text, which every version writes and which holds all of them
 * exactly: any bytes, and numbers of any length as digits. */
#define FORMAT "\nFORMAT TabSeparatedWithNamesAndTypes"

/* Settings of each request, where the server knows them and the account's profile lets them be set.
 * The later ones only make sure that the text is written in the way that is read here. */
static const struct {
  const char *name;
  const char *value;
} settings[] = {
  { "timeout_overflow_mode", "throw" },
  { "cancel_http_readonly_queries_on_client_close", "1" },
  { "allow_ddl", "0" },
  { "output_format_decimal_trailing_zeros", "1" },
  { "format_tsv_null_representation", "\\N" },
  { "output_format_tsv_crlf_end_of_line", "0" },
  { "date_time_output_format", "simple" },
  { "http_write_exception_in_output_format", "0" },
};

static void
server_clear (PlumbClickhouseServer *self)
{
  g_free (self->version);
  g_hash_table_unref (self->settings);
  g_hash_table_unref (self->columns);
}

/** plumb_clickhouse_server_ref: Returns: (transfer full): @self with one more reference */
PlumbClickhouseServer *
plumb_clickhouse_server_ref (PlumbClickhouseServer *self)
{
  return g_atomic_rc_box_acquire (self);
}

/** plumb_clickhouse_server_unref: gives a reference back */
void
plumb_clickhouse_server_unref (PlumbClickhouseServer *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) server_clear);
}

/** plumb_clickhouse_has_column: Returns: whether that table of the database `system` has the column
 */
gboolean
plumb_clickhouse_has_column (PlumbClickhouseServer *self, const char *table, const char *column)
{
  g_autofree char *key = g_strdup_printf ("%s.%s", table, column);

  return g_hash_table_contains (self->columns, key);
}

static void
append_parameter (GString *uri, const char *name, const char *value)
{
  g_autofree char *escaped = g_uri_escape_string (value, NULL, FALSE);

  g_string_append_printf (uri, "%c%s=%s", strchr (uri->str, '?') != NULL ? '&' : '?', name,
                          escaped);
}

static void
append_settings (GString *uri, PlumbClickhouseServer *server, gint64 timeout_ms)
{
  g_autofree char *seconds = g_strdup_printf ("%" G_GINT64_FORMAT,
                                              MAX (1, (timeout_ms + 999) / 1000));

  if (server == NULL || server->readonly == 1)
    return;
  if (timeout_ms > 0)
    append_parameter (uri, "max_execution_time", seconds);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    if (g_hash_table_contains (server->settings, settings[i].name))
      append_parameter (uri, settings[i].name, settings[i].value);
  }
  /* Last, since nothing can be set behind it. A profile with 2 keeps that: it can't be changed. */
  if (server->readonly == 0)
    append_parameter (uri, "readonly", "1");
}

/* A request that the server works on for minutes is silent, and so is one that a firewall has
 * forgotten. */
static void
watch_connection (SoupMessage *message, GSocketClientEvent event, GIOStream *stream)
{
  GSocket *socket;

  if (event != G_SOCKET_CLIENT_CONNECTED || !G_IS_SOCKET_CONNECTION (stream))
    return;
  socket = g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream));
  plumb_source_watch_socket (g_socket_get_fd (socket));
}

/* HTTP takes spaces at the ends of a header away, and says nothing about letters beyond ASCII, so
 * the password is sent in the way that hides both (RFC 7617). A name with a colon in it can't be. */
static void
set_account (SoupMessage *message, const char *user, const char *password)
{
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  g_autofree char *plain = g_strdup_printf ("%s:%s", user, password != NULL ? password : "");
  g_autofree char *encoded = g_base64_encode ((const guchar *) plain, strlen (plain));
  g_autofree char *value = g_strconcat ("Basic ", encoded, NULL);

  if (strchr (user, ':') == NULL) {
    soup_message_headers_replace (headers, "Authorization", value);
    return;
  }
  soup_message_headers_replace (headers, "X-ClickHouse-User", user);
  if (password != NULL)
    soup_message_headers_replace (headers, "X-ClickHouse-Key", password);
}

static SoupMessage *
make_message (PlumbSource *source, PlumbClickhouseServer *server, const char *query_id,
              const char *sql, gint64 timeout_ms)
{
  const PlumbSourceUri *address = plumb_source_get_address (source);
  gboolean secure = g_strcmp0 (plumb_source_uri_get_parameter (address, "secure"), "1") == 0;
  g_autofree char *password = plumb_source_dup_password (source);
  const char *host = address->host != NULL ? address->host : "localhost";
  gboolean is_ipv6 = strchr (host, ':') != NULL;
  g_autoptr (GString) uri = g_string_new (NULL);
  g_autoptr (GBytes) body = g_bytes_new (sql, strlen (sql));
  SoupMessage *message;

  g_string_printf (uri, "%s://%s%s%s:%s/", secure ? "https" : "http", is_ipv6 ? "[" : "", host,
                   is_ipv6 ? "]" : "",
                   address->port != NULL ? address->port
                   : secure              ? "8443"
                                         : "8123");
  if (address->path != NULL)
    append_parameter (uri, "database", address->path);
  append_parameter (uri, "query_id", query_id);
  append_settings (uri, server, timeout_ms);
  message = soup_message_new ("POST", uri->str);
  if (message == NULL)
    return NULL;
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  g_signal_connect (message, "network-event", G_CALLBACK (watch_connection), NULL);
  set_account (message, address->user != NULL ? address->user : "default", password);
  soup_message_set_request_body_from_bytes (message, "text/plain; charset=utf-8", body);
  return message;
}

static char *
read_text (GInputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autofree char *buffer = g_malloc (LONGEST_ERROR + 1);
  gsize length = 0;

  if (!g_input_stream_read_all (stream, buffer, LONGEST_ERROR, &length, cancellable, error))
    return NULL;
  buffer[length] = '\0';
  return g_steal_pointer (&buffer);
}

/* One request and what its answer has come to. */
typedef struct {
  PlumbClickhouseLine line;
  gpointer user_data;
  GString *pending; /* bytes behind the last line that is whole */
  GString *held;    /* a line that is an error if nothing follows it */
} LineReader;

/* Versions from 25.11 on put an empty line and this one in front of an error, and more behind it.
 */
static gboolean
is_marker (const char *line, gsize length)
{
  return length >= strlen ("__exception__") &&
         memcmp (line, "__exception__", strlen ("__exception__")) == 0;
}

static gboolean
take_line (LineReader *self, char *line, gsize length, GError **error)
{
  gboolean maybe_error = plumb_clickhouse_is_exception (line, length) ||
                         (length == 1 && *line == '\r');
  GString *held = self->held;
  gboolean good = TRUE;

  if (held != NULL && (is_marker (held->str, held->len) || is_marker (line, length))) {
    g_string_append_printf (held, " %.*s", (int) length, line);
    if (is_marker (line, length))
      g_string_prepend (held, "__exception__");
    return TRUE;
  }
  self->held = maybe_error ? g_string_new_len (line, length) : NULL;
  if (held != NULL) {
    good = self->line (held->str, held->len, self->user_data, error);
    g_string_free (held, TRUE);
  }
  return good && (maybe_error || self->line (line, length, self->user_data, error));
}

static gboolean
take_bytes (LineReader *self, char *bytes, gsize length, GError **error)
{
  char *end = bytes + length;
  char *newline;

  while ((newline = memchr (bytes, '\n', end - bytes)) != NULL) {
    gboolean good;

    if (self->pending->len > 0) {
      g_string_append_len (self->pending, bytes, newline - bytes);
      good = take_line (self, self->pending->str, self->pending->len, error);
      g_string_truncate (self->pending, 0);
    } else {
      good = take_line (self, bytes, newline - bytes, error);
    }
    if (!good)
      return FALSE;
    bytes = newline + 1;
  }
  g_string_append_len (self->pending, bytes, end - bytes);
  return TRUE;
}

/* An error may come after a good beginning, as the last line of the body. */
static gboolean
finish_lines (LineReader *self, GError **error)
{
  if (self->held != NULL && self->held->len == 1)
    return self->line (self->held->str, 1, self->user_data, error);
  if (self->held != NULL) {
    if (self->pending->len > 0)
      g_string_append_printf (self->held, " %s", self->pending->str);
    return plumb_clickhouse_set_error (200, self->held->str, error);
  }
  if (self->pending->len == 0)
    return TRUE;
  if (plumb_clickhouse_is_exception (self->pending->str, self->pending->len))
    return plumb_clickhouse_set_error (200, self->pending->str, error);
  g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
                       "The server's answer ends in the middle of a row. Ask again.");
  return FALSE;
}

/* @stopped tells a line that was enough from an error. */
static gboolean
read_lines (GInputStream *stream, LineReader *self, gboolean *stopped, GCancellable *cancellable,
            GError **error)
{
  g_autofree char *buffer = g_malloc (BUFFER_SIZE);
  g_autoptr (GError) inner = NULL;
  gssize length;

  while ((length = g_input_stream_read (stream, buffer, BUFFER_SIZE, cancellable, &inner)) > 0) {
    if (!take_bytes (self, buffer, length, error)) {
      *stopped = TRUE;
      return FALSE;
    }
  }
  if (inner != NULL)
    return plumb_clickhouse_set_io_error (inner, TRUE, error);
  return finish_lines (self, error);
}

/* A session belongs to one thread, so each request has its own. */
static SoupSession *
make_session (PlumbSource *source, guint timeout, GError **error)
{
  const char *file = plumb_source_uri_get_parameter (plumb_source_get_address (source), "ssl_ca");
  g_autoptr (SoupSession) session =
    soup_session_new_with_options ("user-agent", "Plumbline", "timeout", timeout, NULL);
  g_autoptr (GTlsDatabase) authorities = NULL;
  g_autoptr (GError) inner = NULL;

  if (file == NULL)
    return g_steal_pointer (&session);
  authorities = g_tls_file_database_new (file, &inner);
  if (authorities == NULL) {
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                 "The file of authorities in the address (ssl_ca) can't be read. (%s)",
                 inner->message);
    return NULL;
  }
  soup_session_set_tls_database (session, authorities);
  return g_steal_pointer (&session);
}

/* Why a certificate isn't trusted, which the library keeps to itself. */
static gboolean
set_certificate_error (SoupMessage *message, GError **error)
{
  GTlsCertificateFlags flags = soup_message_get_tls_peer_certificate_errors (message);
  const char *why = "Name the file of the authority that made it in the address "
                    "(secure=1&ssl_ca=/folder/ca.pem), or install that authority on this computer.";

  if ((flags & G_TLS_CERTIFICATE_UNKNOWN_CA) == 0) {
    if ((flags & G_TLS_CERTIFICATE_BAD_IDENTITY) != 0)
      why = "It is made for another host: write the host in the address as the certificate names it.";
    else if ((flags & G_TLS_CERTIFICATE_EXPIRED) != 0)
      why = "It has expired: tell who runs the server.";
    else if ((flags & G_TLS_CERTIFICATE_NOT_ACTIVATED) != 0)
      why = "It isn't valid yet: check this computer's clock.";
  }
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
               "The server's certificate is not trusted. %s", why);
  return FALSE;
}

static void
note_asked (SoupMessage *message, gboolean *asked)
{
  *asked = TRUE;
}

static gboolean
send_query (PlumbSource *source, PlumbClickhouseServer *server, const char *query_id,
            const char *sql, gint64 timeout_ms, guint network_timeout, LineReader *reader,
            gboolean *stopped, GCancellable *cancellable, GError **error)
{
  g_autoptr (SoupSession) session = make_session (source, network_timeout, error);
  g_autoptr (SoupMessage) message = make_message (source, server, query_id, sql, timeout_ms);
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GError) inner = NULL;
  g_autofree char *body = NULL;
  g_autofree char *numbered = NULL;
  gboolean asked = FALSE;
  const char *code;
  guint status;

  if (session == NULL)
    return FALSE;
  if (message == NULL) {
    g_set_error_literal (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_ADDRESS,
                         "The host in the address can't be used in HTTP.");
    return FALSE;
  }
  g_signal_connect (message, "wrote-body", G_CALLBACK (note_asked), &asked);
  stream = soup_session_send (session, message, cancellable, &inner);
  if (g_error_matches (inner, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE))
    return set_certificate_error (message, error);
  if (stream == NULL)
    return plumb_clickhouse_set_io_error (inner, asked, error);
  status = soup_message_get_status (message);
  code = soup_message_headers_get_one (soup_message_get_response_headers (message),
                                       "X-ClickHouse-Exception-Code");
  if (status == SOUP_STATUS_OK && code == NULL)
    return read_lines (stream, reader, stopped, cancellable, error);
  body = read_text (stream, cancellable, &inner);
  if (body == NULL)
    return plumb_clickhouse_set_io_error (inner, TRUE, error);
  /* Newer versions write the number beside the text, which may be in another format. */
  if (code != NULL && strstr (body, "Code: ") == NULL)
    numbered = g_strdup_printf ("Code: %s. DB::Exception: %s", code, body);
  return plumb_clickhouse_set_error (status, numbered != NULL ? numbered : body, error);
}

static gboolean
keep_line (char *line, gsize length, gpointer user_data, GError **error)
{
  g_ptr_array_add (user_data, g_strndup (line, length));
  return TRUE;
}

static char *
make_query_id (void)
{
  g_autofree char *mark = plumb_source_get_mark ();
  g_autofree char *unique = g_uuid_string_random ();

  return g_strconcat (QUERY_ID_PREFIX, mark, "-", unique, NULL);
}

static GPtrArray *
ask_within (PlumbSource *source, PlumbClickhouseServer *server, const char *sql, guint timeout,
            GCancellable *cancellable, GError **error)
{
  g_autofree char *query_id = make_query_id ();
  g_autofree char *full = g_strconcat (sql, "\nFORMAT TabSeparated", NULL);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) pending = g_string_new (NULL);
  LineReader reader = { keep_line, lines, pending, NULL };
  gboolean stopped = FALSE;
  gboolean good = send_query (source, server, query_id, full, timeout * 1000, timeout, &reader,
                              &stopped, cancellable, error);

  if (reader.held != NULL)
    g_string_free (reader.held, TRUE);
  return good ? g_steal_pointer (&lines) : NULL;
}

/** plumb_clickhouse_ask: runs a statement of Plumbline's own. Returns: (transfer full)
 * (element-type utf8): its rows, tab-separated and escaped; %NULL with an error */
GPtrArray *
plumb_clickhouse_ask (PlumbSource *source, PlumbClickhouseServer *server, const char *sql,
                      GCancellable *cancellable, GError **error)
{
  return ask_within (source, server, sql, CONTROL_TIMEOUT, cancellable, error);
}

/* Has the server end a statement, and asks it until the statement is gone: a dropped connection
 * alone doesn't stop it. It is told each time, since one that is only about to begin isn't found
 * yet; then the server must say more than once that there is none. @has_begun: whether the server is
 * known to have begun it. Returns whether it said so within 2 s. */
static gboolean
kill_query (PlumbSource *source, PlumbClickhouseServer *server, const char *query_id,
            gboolean has_begun)
{
  g_autofree char *kill = g_strdup_printf ("KILL QUERY WHERE query_id = '%s' ASYNC", query_id);
  g_autofree char *look = g_strdup_printf (
    "SELECT count() FROM system.processes WHERE query_id = '%s'", query_id);
  gint64 deadline = g_get_monotonic_time () + STOP_TIMEOUT * G_TIME_SPAN_SECOND;
  guint n_quiet = 0;

  while (g_get_monotonic_time () < deadline) {
    /* A KILL is no reading, so the request doesn't ask to be read-only. */
    g_autoptr (GPtrArray) killed = ask_within (source, NULL, kill, STOP_TIMEOUT, NULL, NULL);
    g_autoptr (GPtrArray) running = ask_within (source, server, look, STOP_TIMEOUT, NULL, NULL);
    gboolean is_quiet =
      running != NULL && running->len == 1 && strcmp (g_ptr_array_index (running, 0), "0") == 0;

    has_begun = has_begun || (killed != NULL && killed->len > 0);
    n_quiet = is_quiet ? n_quiet + 1 : 0;
    if (n_quiet >= (has_begun ? 1 : QUIET_LOOKS))
      return TRUE;
    g_usleep (STOP_ASK_EVERY_US);
  }
  return FALSE;
}

/**
 * plumb_clickhouse_query:
 * @sql: one statement without FORMAT
 * @line: given each line of the answer
 * @stopped: (out): whether @line said stop
 *
 * Runs a statement under a query id of its own. When it has to stop, the server is told.
 *
 * Returns: whether the answer came to its end
 */
gboolean
plumb_clickhouse_query (PlumbSource *source, PlumbClickhouseServer *server, const char *sql,
                        gint64 timeout_ms, PlumbClickhouseLine line, gpointer user_data,
                        gboolean *stopped, GCancellable *cancellable, GError **error)
{
  g_autofree char *query_id = make_query_id ();
  g_autofree char *full = g_strconcat (sql, FORMAT, NULL);
  g_autoptr (GString) pending = g_string_new (NULL);
  LineReader reader = { line, user_data, pending, NULL };
  GError *inner = NULL;
  gboolean good;

  *stopped = FALSE;
  good = send_query (source, server, query_id, full, timeout_ms, 0, &reader, stopped, cancellable,
                     &inner);
  if (reader.held != NULL)
    g_string_free (reader.held, TRUE);
  if ((*stopped || g_error_matches (inner, G_IO_ERROR, G_IO_ERROR_CANCELLED)) &&
      !kill_query (source, server, query_id, *stopped)) {
    g_clear_error (&inner);
    g_set_error (
      &inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
      "The statement was told to stop, and the server does not confirm that it has. It may still "
      "be running "
      "there as query %s until its time budget ends. Tell who runs the server if it has to go.",
      query_id);
  }
  if (inner != NULL)
    g_propagate_error (error, inner);
  return good;
}

/* Ends what a program of this computer left running when it was killed: where the profile forbids
 * the setting, the server doesn't notice that nobody waits any more. */
static void
end_orphans (PlumbSource *source, PlumbClickhouseServer *server, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) ids = plumb_clickhouse_ask (
    source, server, "SELECT query_id FROM system.processes WHERE query_id LIKE '" QUERY_ID_PREFIX
    "%'",
    cancellable, NULL);

  for (guint i = 0; ids != NULL && i < ids->len; i++) {
    const char *id = g_ptr_array_index (ids, i);

    if (strpbrk (id, "\\'") == NULL && plumb_source_mark_is_orphan (id + strlen (QUERY_ID_PREFIX)))
      kill_query (source, server, id, TRUE);
  }
}

static gboolean
read_set (PlumbSource *source, const char *sql, GHashTable *names, GCancellable *cancellable,
          GError **error)
{
  g_autoptr (GPtrArray) lines = plumb_clickhouse_ask (source, NULL, sql, cancellable, error);

  for (guint i = 0; lines != NULL && i < lines->len; i++)
    g_hash_table_add (names, g_strdup (g_ptr_array_index (lines, i)));
  return lines != NULL;
}

/**
 * plumb_clickhouse_server_read:
 *
 * Returns: (transfer full): what the server is and what the account's profile allows, asked without
 *   any setting, since a profile may forbid them; %NULL with an error
 */
PlumbClickhouseServer *
plumb_clickhouse_server_read (PlumbSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbClickhouseServer) self = g_atomic_rc_box_new0 (PlumbClickhouseServer);
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) inner = NULL;
  g_auto (GStrv) cells = NULL;

  self->settings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  lines = plumb_clickhouse_ask (
    source, NULL, "SELECT version(), value FROM system.settings WHERE name = 'readonly'",
    cancellable, &inner);
  if (g_error_matches (inner, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST))
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                 "What answers there does not speak as ClickHouse's HTTP interface. Check host and "
                 "port, and secure=1 where the port is for HTTPS. (%s)",
                 inner->message);
  else if (inner != NULL)
    g_propagate_error (error, g_steal_pointer (&inner));
  if (lines == NULL)
    return NULL;
  cells = g_strsplit (lines->len > 0 ? g_ptr_array_index (lines, 0) : "", "\t", 2);
  if (g_strv_length (cells) != 2) {
    plumb_clickhouse_set_error (200, lines->len > 0 ? g_ptr_array_index (lines, 0) : "", error);
    return NULL;
  }
  self->version = g_strdup (cells[0]);
  self->readonly = (guint) g_ascii_strtoull (cells[1], NULL, 10);
  if (!read_set (source, "SELECT name FROM system.settings", self->settings, cancellable, error) ||
      !read_set (source,
                 "SELECT concat(table, '.', name) FROM system.columns WHERE database = 'system' "
                 "AND table IN ('tables', 'columns', 'functions')",
                 self->columns, cancellable, error))
    return NULL;
  end_orphans (source, self, cancellable);
  return g_steal_pointer (&self);
}
