/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

/* Functions that are harmless with some arguments and not with others. */

static gboolean
is_string (SqlExpr *expr)
{
  return expr->kind == SQL_EXPR_LITERAL && strcmp (expr->name, "string") == 0 && expr->text != NULL;
}

/* ts_rewrite (query, 'SELECT …') runs the text; with three arguments it doesn't. */
static const char *
judge_ts_rewrite (SqlExpr *call)
{
  return call->args.n == 3
             ? NULL
             : "ts_rewrite with two arguments runs SQL text. Use the form with three.";
}

/* json_populate_record (row, json) makes a value of each column of the row's type, which must have
 * been looked at: it is written as a cast. */
static const char *
judge_populate (SqlExpr *call)
{
  SqlExpr *row = call->args.n > 0 ? call->args.items[0] : NULL;

  return row != NULL && row->kind == SQL_EXPR_CAST
             ? NULL
             : "The row that is filled must be written as NULL::table. Or use json_to_record "
               "with a list of columns.";
}

/* An XQuery can read tables, files and addresses by the functions that it calls. */
static const char *
judge_xquery (SqlExpr *call)
{
  SqlExpr *query = NULL;

  /* XMLTABLE (XMLNAMESPACES (…), '…' PASSING …). */
  for (guint i = 0; i < call->args.n && query == NULL; i++) {
    SqlExpr *argument = call->args.items[i];

    if (argument->kind != SQL_EXPR_FUNCTION)
      query = argument;
  }
  if (query == NULL || !is_string (query))
    return "The XQuery isn't written as a string, so what it reads isn't known.";
  if (g_regex_match_simple (
          "(collection|doc|doc-available|unparsed-text\\S*|document|load\\S*|view|contains\\S*|"
          "sql\\S*|import|declare|oradb|ora)\\s*[(:]|oradb|import\\s|declare\\s|://",
          query->text, G_REGEX_CASELESS, 0))
    return "The XQuery calls a function that can read what the statement doesn't name.";
  return NULL;
}

/* XML text with a document type can name addresses that the parser then reads. */
static const char *
judge_xml_text (SqlExpr *call)
{
  SqlExpr *text = call->args.n > 0 ? call->args.items[0] : NULL;

  if (text != NULL &&
      (text->kind == SQL_EXPR_COLUMN || (is_string (text) && strchr (text->text, '!') == NULL)))
    return NULL;
  return "XML that isn't a column or a plain string can name addresses that the server then reads.";
}

/* fts3_tokenizer and its kin aside, MATCH and matchinfo are fine; a hidden first argument isn't. */
static const char *
judge_sys_context (SqlExpr *call)
{
  SqlExpr *space = call->args.n > 0 ? call->args.items[0] : NULL;

  if (space != NULL && is_string (space) && g_ascii_strcasecmp (space->text, "USERENV") == 0)
    return NULL;
  return "SYS_CONTEXT is only known to be harmless for 'USERENV'.";
}

/* ClickHouse: values ('a String', …), null ('…'), view (SELECT …) are the table functions
 * allowed. */
static const char *
judge_view (SqlExpr *call)
{
  SqlExpr *query = call->args.n == 1 ? call->args.items[0] : NULL;

  return query != NULL && query->kind == SQL_EXPR_SUBQUERY ? NULL : "view () takes one SELECT.";
}

static const char *
judge_oracle (SqlExpr *call, const char *name)
{
  static const char *const queries[] = { "XMLTABLE", "XMLQUERY", "XMLEXISTS", NULL };
  static const char *const texts[] = { "XMLTYPE", "XMLPARSE", NULL };
  g_autofree char *upper = g_ascii_strup (name, -1);

  if (g_strv_contains (queries, upper))
    return judge_xquery (call);
  if (g_strv_contains (texts, upper))
    return judge_xml_text (call);
  return strcmp (upper, "SYS_CONTEXT") == 0 ? judge_sys_context (call) : NULL;
}

/**
 * sql_arguments_judge:
 * @call: a call of a function that is known to be harmless
 * @name: its name
 *
 * Returns: (nullable): why it isn't with these arguments; %NULL where it is
 */
const char *
sql_arguments_judge (SqlCheck *self, SqlExpr *call, const char *name)
{
  switch (self->dialect) {
  case PLUMB_DIALECT_POSTGRES:
    if (strcmp (name, "ts_rewrite") == 0)
      return judge_ts_rewrite (call);
    return g_str_has_prefix (name, "json") && strstr (name, "_populate_record") != NULL
               ? judge_populate (call)
               : NULL;
  case PLUMB_DIALECT_ORACLE:
    return judge_oracle (call, name);
  case PLUMB_DIALECT_CLICKHOUSE:
    return strcmp (name, "view") == 0 ? judge_view (call) : NULL;
  case PLUMB_DIALECT_MARIADB:
  case PLUMB_DIALECT_SQLITE:
  case PLUMB_DIALECT_SQLSERVER:
  case PLUMB_DIALECT_GENERIC:
  default:
    return NULL;
  }
}
