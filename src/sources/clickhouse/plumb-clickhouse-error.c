/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-clickhouse-private.h"

#include <string.h>

/* ClickHouse's own numbers (src/Common/ErrorCodes.cpp). */
static const struct {
  guint code;
  PlumbSourceError kind;
  const char *advice;
} known_codes[] = {
  { 192, PLUMB_SOURCE_ERROR_AUTHENTICATION, "The server does not know the account. Check it." },
  { 193, PLUMB_SOURCE_ERROR_AUTHENTICATION, "The server did not accept the password. Check it." },
  { 194, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server asks for a password, and there is none for this source. Enter it." },
  { 195, PLUMB_SOURCE_ERROR_AUTHENTICATION, "The server does not let this account in from here." },
  { 516, PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server did not accept the account or the password. Check both, and that the password has "
    "not expired." },
  { 81, PLUMB_SOURCE_ERROR_ADDRESS, "There is no such database on the server. Check its name." },
  { 291, PLUMB_SOURCE_ERROR_DENIED, "The account may not use that database." },
  { 497, PLUMB_SOURCE_ERROR_DENIED,
    "The account may not read that. Ask for the right to SELECT, or use another table." },
  { 60, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_TABLE },
  { 47, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_COLUMN },
  { 164, PLUMB_SOURCE_ERROR_STATEMENT,
    "Only reading from tables is allowed here, without table functions. For a row of numbers use "
    "arrayJoin(range(n))." },
  { 241, PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement needs more memory than it may have. Narrow it down." },
  { 209, PLUMB_SOURCE_ERROR_STATEMENT,
    "The server's own network is too slow or broken. Try again, and tell who runs the server." },
  { 473, PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement waited too long for a lock that somebody else holds. Try again." },
  { 202, PLUMB_SOURCE_ERROR_STATEMENT,
    "The server runs as many statements as it may. Try again in a moment." },
  { 243, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_FULL },
  { 33, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_TROUBLE },
  { 75, PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_TROUBLE },
};

/** plumb_clickhouse_is_exception: Returns: whether a line is an error, as the server writes it at
 * the end of a body that began well */
gboolean
plumb_clickhouse_is_exception (const char *line, gsize length)
{
  g_autofree char *text = NULL;
  const char *at;

  /* Nearly all lines are rows, and there may be millions of them. */
  if (length == 0 || (*line != 'C' && *line != '_'))
    return FALSE;
  at = text = g_strndup (line, MIN (length, 100));
  if (g_str_has_prefix (text, "__exception__"))
    return TRUE;
  if (!g_str_has_prefix (text, "Code: "))
    return FALSE;
  at += strlen ("Code: ");
  at += strspn (at, "0123456789");
  return g_str_has_prefix (at, ", e.displayText() = DB::Exception") ||
         g_str_has_prefix (at, ". DB::Exception");
}

/* "Code: 60, e.displayText() = DB::Exception: Table … doesn't exist, e.what() = DB::Exception" */
static char *
take_code (const char *body, guint *code)
{
  g_autofree char *valid = g_utf8_make_valid (body, -1);
  const char *found = strstr (valid, "Code: ");
  const char *said = strstr (valid, "DB::Exception: ");
  char *text;
  char *end;

  *code = found != NULL ? (guint) g_ascii_strtoull (found + strlen ("Code: "), NULL, 10) : 0;
  text = g_strdup (said != NULL ? said + strlen ("DB::Exception: ") : valid);
  end = strstr (text, ", e.what() = ");
  if (end != NULL)
    *end = '\0';
  return g_strchomp (text);
}

/**
 * plumb_clickhouse_set_error:
 * @status: the HTTP status
 * @body: what the server says, or the error at the end of a body
 *
 * Returns: %FALSE, with what it means and what to do
 */
gboolean
plumb_clickhouse_set_error (guint status, const char *body, GError **error)
{
  guint code;
  g_autofree char *said = take_code (body, &code);

  if (code == 159) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
                 "The server stopped the statement at the end of its time budget. Narrow it down, "
                 "or allow it more "
                 "time. (ClickHouse says: %s)",
                 said);
    return FALSE;
  }
  if (code == 0) {
    g_autofree char *start = g_utf8_substring (said, 0, MIN (g_utf8_strlen (said, -1), 200));

    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                 "What answers there is not ClickHouse's HTTP interface. Check host and port; the "
                 "usual port is 8123. "
                 "(HTTP status %u: %s)",
                 status, start);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (known_codes); i++) {
    if (known_codes[i].code != code)
      continue;
    g_set_error (error, PLUMB_SOURCE_ERROR, known_codes[i].kind, "%s (ClickHouse says: %s)",
                 known_codes[i].advice, said);
    return FALSE;
  }
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT, "ClickHouse says: %s",
               said);
  return FALSE;
}

/**
 * plumb_clickhouse_set_io_error:
 * @inner: what went wrong on the network
 * @asked: whether the server had been asked before
 *
 * Returns: %FALSE, with what it means; G_IO_ERROR_CANCELLED stays as it is
 */
gboolean
plumb_clickhouse_set_io_error (const GError *inner, gboolean asked, GError **error)
{
  if (g_error_matches (inner, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_error_copy (inner));
  else if (g_error_matches (inner, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    g_set_error (error, PLUMB_SOURCE_ERROR,
                 asked ? PLUMB_SOURCE_ERROR_LOST : PLUMB_SOURCE_ERROR_CONNECT,
                 "The server did not answer in time. Check host and port, and that no firewall is "
                 "in between. (%s)",
                 inner->message);
  else if (asked)
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
                 "The connection to the server broke. The next question connects again. (%s)",
                 inner->message);
  else if (inner->domain == G_RESOLVER_ERROR)
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                 "The host is not known. Check its name, and the network. (%s)", inner->message);
  else if (inner->domain == G_TLS_ERROR)
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                 "There is no encrypted connection that both sides trust. Check secure=1, the port "
                 "and the server's "
                 "certificate. (%s)",
                 inner->message);
  else
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_CONNECT,
                 "The server can't be reached. Check host and port, and that it is running. (%s)",
                 inner->message);
  return FALSE;
}
