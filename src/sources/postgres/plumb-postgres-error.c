/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-private.h"

#include <string.h>

/* What an SQLSTATE means for whoever asked; PostgreSQL manual, appendix A. A class stands for all
 * of its codes that aren't named themselves. */
static const struct {
  const char *state;
  PlumbSourceError kind;
  const char *advice;
} known_states[] = {
  { "28P01", PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server did not accept the account or the password. Check both, and that the password has "
    "not expired." },
  { "28000", PLUMB_SOURCE_ERROR_AUTHENTICATION,
    "The server does not let this account in from here. Check the account, or ask for an entry in "
    "pg_hba.conf." },
  { "28", PLUMB_SOURCE_ERROR_AUTHENTICATION, "The server did not accept the account. Check it." },
  { "3D000", PLUMB_SOURCE_ERROR_ADDRESS,
    "There is no such database on the server. Check its name in the address." },
  { "42501", PLUMB_SOURCE_ERROR_DENIED,
    "The account may not read that. Ask for the right to SELECT, or use another table." },
  { "42P01", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_TABLE },
  { "42703", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_NO_COLUMN },
  { "53300", PLUMB_SOURCE_ERROR_CONNECT, "The server has no free connection. Try again later." },
  { "53100", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_FULL },
  { "53", PLUMB_SOURCE_ERROR_STATEMENT,
    "The server lacks resources for this statement. Narrow it down, or try again later." },
  { "40", PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement got in the way of others and was given up. Try again." },
  { "25006", PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement would write, and the transaction is read-only." },
  { "57P03", PLUMB_SOURCE_ERROR_CONNECT,
    "The server is starting or stopping. Try again in a moment." },
  { "55P03", PLUMB_SOURCE_ERROR_STATEMENT,
    "The statement waited too long for a lock that somebody else holds. Try again." },
  { "57P", PLUMB_SOURCE_ERROR_LOST,
    "The server ended the connection. The next question connects again." },
  { "58", PLUMB_SOURCE_ERROR_STATEMENT, PLUMB_SOURCE_DISK_TROUBLE },
  { "XX", PLUMB_SOURCE_ERROR_STATEMENT, "The server has an internal error. Tell who runs it." },
};

static gint
find_state (const char *state)
{
  for (guint i = 0; state != NULL && i < G_N_ELEMENTS (known_states); i++) {
    if (g_str_has_prefix (state, known_states[i].state))
      return i;
  }
  return -1;
}

/* With sslmode=prefer libpq tries twice and says the same thing twice. */
static char *
drop_repeated_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) kept = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++) {
    if (*lines[i] != '\0' && strstr (kept->str, lines[i]) == NULL)
      g_string_append_printf (kept, "%s%s", kept->len > 0 ? "\n" : "", lines[i]);
  }
  return g_string_free (g_steal_pointer (&kept), FALSE);
}

/* A verbose message reads "FATAL:  28P01: password …", and says further down where in the server's
 * source it comes from. The words depend on the server's language; the state doesn't. */
static char *
take_state (const char *message, char **plain)
{
  g_autoptr (GRegex) regex = g_regex_new (":\\s+(?=[A-Z]*[0-9])([0-9A-Z]{5}): ", 0, 0, NULL);
  g_autoptr (GRegex) location =
    g_regex_new ("\\n\\S+:  \\w+, \\w+\\.c:\\d+\\s*$", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *valid = g_utf8_make_valid (message, -1);
  g_autofree char *without_state = NULL;
  g_autofree char *without_location = NULL;
  char *state = NULL;

  if (g_regex_match (regex, valid, 0, &match))
    state = g_match_info_fetch (match, 1);
  without_state = g_regex_replace_literal (regex, valid, -1, 0, ": ", 0, NULL);
  without_location = g_regex_replace_literal (location, without_state, -1, 0, "", 0, NULL);
  *plain = drop_repeated_lines (without_location);
  return state;
}

/**
 * plumb_postgres_set_connect_error:
 * @message: what libpq says, verbose
 *
 * Returns: %FALSE, with what it means and what to do
 */
gboolean
plumb_postgres_set_connect_error (const char *message, GError **error)
{
  g_autofree char *plain = NULL;
  g_autofree char *state = take_state (message, &plain);
  gint i = find_state (state);
  PlumbSourceError kind = PLUMB_SOURCE_ERROR_CONNECT;
  const char *advice = "The server can't be reached. Check host and port, and that it is running.";

  if (i >= 0) {
    kind = known_states[i].kind == PLUMB_SOURCE_ERROR_LOST ? PLUMB_SOURCE_ERROR_CONNECT
                                                           : known_states[i].kind;
    advice = known_states[i].advice;
  } else if (strstr (plain, "no password supplied") != NULL) {
    kind = PLUMB_SOURCE_ERROR_AUTHENTICATION;
    advice = "The server asks for a password, and there is none for this source. Enter it.";
  } else if (strstr (plain, "definition of service") != NULL) {
    kind = PLUMB_SOURCE_ERROR_ADDRESS;
    advice = "The service in the address isn't in pg_service.conf.";
  } else if (strstr (plain, "SSL") != NULL || strstr (plain, "certificate") != NULL) {
    advice =
      "There is no encrypted connection that both sides trust. Check sslmode and sslrootcert in "
      "the address, and the server's certificate.";
  }
  g_set_error (error, PLUMB_SOURCE_ERROR, kind, "%s (The server or its library says: %s)", advice,
               plain);
  return FALSE;
}

static void
append_field (GString *text, const PGresult *result, int field, const char *label)
{
  const char *value = PQresultErrorField (result, field);

  if (value != NULL && *value != '\0')
    g_string_append_printf (text, "%s%s", label, value);
}

/**
 * plumb_postgres_set_result_error:
 * @result: a failed result
 *
 * Returns: %FALSE, with the server's message, detail and hint, and what to do where that isn't
 * plain. PLUMB_ERROR_TIMED_OUT where the server's time limit ended the statement
 */
gboolean
plumb_postgres_set_result_error (const PGresult *result, GError **error)
{
  const char *state = PQresultErrorField (result, PG_DIAG_SQLSTATE);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *valid = NULL;
  gint i = find_state (state);

  append_field (text, result, PG_DIAG_MESSAGE_PRIMARY, "");
  append_field (text, result, PG_DIAG_STATEMENT_POSITION, ", at character ");
  append_field (text, result, PG_DIAG_MESSAGE_DETAIL, ". ");
  append_field (text, result, PG_DIAG_MESSAGE_HINT, " Hint: ");
  if (text->len == 0)
    g_string_append (text, PQresultErrorMessage (result));
  valid = g_strchomp (g_utf8_make_valid (text->str, text->len));
  if (g_strcmp0 (state, "57014") == 0)
    g_set_error (
      error, PLUMB_ERROR, PLUMB_ERROR_TIMED_OUT,
      "The server stopped the statement at the end of its time budget. Narrow it down, or allow it "
      "more time. (PostgreSQL says: %s)",
      valid);
  else if (i >= 0)
    g_set_error (error, PLUMB_SOURCE_ERROR, known_states[i].kind, "%s (PostgreSQL says: %s)",
                 known_states[i].advice, valid);
  else
    g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_STATEMENT, "PostgreSQL says: %s",
                 valid);
  return FALSE;
}

/** plumb_postgres_set_lost_error: Returns: %FALSE, with why the connection is gone */
gboolean
plumb_postgres_set_lost_error (PGconn *pg, GError **error)
{
  g_autofree char *plain = NULL;

  g_free (take_state (PQerrorMessage (pg), &plain));
  g_set_error (error, PLUMB_SOURCE_ERROR, PLUMB_SOURCE_ERROR_LOST,
               "The connection to the server broke. The next question connects again. (%s)",
               *plain != '\0' ? plain : "no reason given");
  return FALSE;
}
