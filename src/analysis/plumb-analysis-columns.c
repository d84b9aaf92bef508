/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-text.h"

#include <string.h>

static gboolean
has_part (const char *text, const char *const *parts)
{
  for (guint i = 0; parts[i] != NULL; i++) {
    if (strstr (text, parts[i]) != NULL)
      return TRUE;
  }
  return FALSE;
}

/**
 * plumb_column_classify:
 * @type: a declared type in any engine's words
 *
 * Returns: what can be asked of such a column; PLUMB_COLUMN_OTHER for types that can't be compared
 *   everywhere (JSON, arrays, geometry, binary), PLUMB_COLUMN_UNKNOWN for names that aren't known,
 *   which are the database's own types: often a list of allowed words
 */
PlumbColumnClass
plumb_column_classify (const char *type)
{
  static const char *const others[] = {
    "[]", "array", "json", "xml", "blob", "bytea", "binary", "raw", "geometry", "geography",
    "interval", "tsvector", "map(", "tuple(", "nested", "image", "vector", "range", "point",
    "polygon", "record", "struct", "uuid", "uniqueidentifier", "clob", NULL,
  };
  static const char *const dates[] = { "date", "timestamp", "datetime", NULL };
  static const char *const booleans[] = { "bool", NULL };
  static const char *const texts[] = { "char", "text", "string", "enum", "name", NULL };
  static const char *const integers[] = { "int", "serial", "tinyint", NULL };
  static const char *const numbers[] = {
    "dec", "num", "real", "float", "double", "money", "fixed", NULL,
  };
  g_autofree char *lower = g_ascii_strdown (type != NULL ? type : "", -1);

  if (has_part (lower, others))
    return PLUMB_COLUMN_OTHER;
  if (has_part (lower, dates))
    return PLUMB_COLUMN_DATE;
  if (has_part (lower, booleans))
    return PLUMB_COLUMN_BOOLEAN;
  if (has_part (lower, texts))
    return PLUMB_COLUMN_TEXT;
  if (has_part (lower, integers))
    return PLUMB_COLUMN_INTEGER;
  if (has_part (lower, numbers))
    return PLUMB_COLUMN_NUMBER;
  /* CREATE TABLE … AS leaves columns without a type in SQLite. */
  return *lower == '\0' ? PLUMB_COLUMN_TEXT : PLUMB_COLUMN_UNKNOWN;
}

/** plumb_column_is_comparable: Returns: whether two columns of these types can be joined as they
 *  are; an unknown type goes with any */
gboolean
plumb_column_is_comparable (const char *type, const char *other)
{
  PlumbColumnClass a = plumb_column_classify (type);
  PlumbColumnClass b = plumb_column_classify (other);

  if (type == NULL || other == NULL || *type == '\0' || *other == '\0')
    return TRUE;
  if ((a == PLUMB_COLUMN_INTEGER && b == PLUMB_COLUMN_NUMBER) ||
      (a == PLUMB_COLUMN_NUMBER && b == PLUMB_COLUMN_INTEGER))
    return TRUE;
  return a == b;
}

/** plumb_words_have: Returns: whether one of @wanted is among @words */
gboolean
plumb_words_have (GPtrArray *words, const char *const *wanted)
{
  for (guint i = 0; i < words->len; i++) {
    if (g_strv_contains (wanted, g_ptr_array_index (words, i)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
name_has (const char *name, const char *const *wanted)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (name);

  return plumb_words_have (words, wanted);
}

/** plumb_column_is_code: Returns: whether the name says that short codes stand in the column */
gboolean
plumb_column_is_code (const char *name)
{
  static const char *const words[] = { "cd", "code", "yn", "flag", "flg", "status", "stat", "sts",
                                       "state", "type", "typ", "tp", "kind", "class", "cls", "gbn",
                                       "grade", "grd", "level", "lvl", "priority", "stage", "mtd",
                                       "method", "category", "gender", "sex", "is", "has", "dv",
                                       "div", NULL };

  return name_has (name, words);
}

/** plumb_column_is_name: Returns: whether the name says that the column names its row */
gboolean
plumb_column_is_name (const char *name)
{
  static const char *const words[] = {
    "nm", "name", "title", "desc", "description", "descr", "label", "meaning", "text", "txt",
    "bezeichnung", "이름", "명칭", NULL,
  };

  return name_has (name, words);
}

/** plumb_column_is_free_text: Returns: whether the name says that people write what they like */
gboolean
plumb_column_is_free_text (const char *name)
{
  static const char *const words[] = {
    "rmk", "rmks", "remark", "remarks", "memo", "note", "notes", "comment", "comments", "cmt",
    "txt", "text", "msg", "message", "summary", "subject", "bemerkung", "비고", "메모", NULL,
  };

  return name_has (name, words);
}

/** plumb_column_is_amount: Returns: whether money stands in the column */
gboolean
plumb_column_is_amount (const char *name, const char *type)
{
  static const char *const words[] = {
    "amt", "amount", "price", "prc", "cost", "fee", "total", "sum", "revenue", "sales", "salary",
    "sal", "charge", "betrag", "금액", NULL,
  };
  PlumbColumnClass class = plumb_column_classify (type);

  return (class == PLUMB_COLUMN_NUMBER || class == PLUMB_COLUMN_INTEGER || *type == '\0') &&
         name_has (name, words);
}

/** plumb_column_is_date: Returns: whether days or moments stand in the column */
gboolean
plumb_column_is_date (const char *name, const char *type)
{
  static const char *const words[] = { "dt", "date", "dtm", "ymd", "ym", "datum", "일자", NULL };
  PlumbColumnClass class = plumb_column_classify (type);

  return class == PLUMB_COLUMN_DATE ||
         ((class == PLUMB_COLUMN_TEXT || class == PLUMB_COLUMN_INTEGER ||
           class == PLUMB_COLUMN_NUMBER) &&
          name_has (name, words));
}

/** plumb_column_is_bookkeeping: Returns: whether the column only says when or by whom its row was
 *  written */
gboolean
plumb_column_is_bookkeeping (const char *name)
{
  static const char *const words[] = {
    "upd", "updated", "update", "modified", "mod", "created", "crt", "inserted", "ins", "load",
    "loaded", "etl", NULL,
  };
  g_autoptr (GPtrArray) parts = plumb_text_split_identifier (name);

  return plumb_words_have (parts, words);
}
