/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

#include <string.h>

/* A card in the file: its fields one after another, numbers in seven bits a byte, texts with their
 * length in front. Ten thousand cards are read when search begins, which from JSON takes seconds.
 * Each function below goes both ways, so that what is written and what is read can't differ. */

/* The first byte; a card of another format is made again by analysis. */
#define BODY_FORMAT 1

/* The most bytes that a number takes. */
#define MAX_NUMBER_BYTES 10

/* @out is %NULL while reading. While writing, its bytes up to @next are written, and it is cut to that length in the
 * end. A failed read goes on with empty values until it is noticed. */
typedef struct {
  GByteArray *out;
  guint8 *next;
  const guint8 *at;
  const guint8 *end;
  gboolean failed;
} Body;

/* Makes room for @n bytes more. */
static void
reserve (Body *body, gsize n)
{
  gsize used = body->next - body->out->data;

  if (n <= body->out->len - used)
    return;
  g_byte_array_set_size (body->out, 2 * body->out->len + n);
  body->next = body->out->data + used;
}

static void
pass_number (Body *body, guint64 *number)
{
  if (body->out != NULL) {
    guint64 rest = *number;

    reserve (body, MAX_NUMBER_BYTES);
    for (; rest > 0x7f; rest >>= 7)
      *body->next++ = (rest & 0x7f) | 0x80;
    *body->next++ = rest;
    return;
  }
  *number = 0;
  for (guint shift = 0; shift < 64; shift += 7) {
    if (body->at == body->end)
      break;
    *number |= (guint64) (*body->at & 0x7f) << shift;
    if ((*body->at++ & 0x80) == 0)
      return;
  }
  body->failed = TRUE;
  *number = 0;
}

/* -1, which stands for "unknown" everywhere, is written as 0. */
static void
pass_int64 (Body *body, gint64 *value)
{
  guint64 number = (guint64) *value + 1;

  pass_number (body, &number);
  *value = (gint64) (number - 1);
}

static void
pass_int (Body *body, int *value)
{
  gint64 number = *value;

  pass_int64 (body, &number);
  *value = (int) number;
}

static void
pass_double (Body *body, double *value)
{
  guint64 bits;

  G_STATIC_ASSERT (sizeof bits == sizeof *value);
  memcpy (&bits, value, sizeof bits);
  pass_number (body, &bits);
  memcpy (value, &bits, sizeof bits);
}

static void
pass_string (Body *body, char **text)
{
  guint64 length = body->out != NULL && *text != NULL ? strlen (*text) + 1 : 0;

  pass_number (body, &length);
  if (length == 0)
    return;
  if (body->out != NULL) {
    reserve (body, length - 1);
    memcpy (body->next, *text, length - 1);
    body->next += length - 1;
  } else if (length - 1 > (guint64) (body->end - body->at)) {
    body->failed = TRUE;
  } else {
    g_free (*text);
    *text = g_malloc (length);
    memcpy (*text, body->at, length - 1);
    (*text)[length - 1] = '\0';
    body->at += length - 1;
  }
}

static void
pass_strv (Body *body, GStrv *strings)
{
  guint64 n = body->out != NULL && *strings != NULL ? g_strv_length (*strings) : 0;
  g_autoptr (GStrvBuilder) builder = NULL;

  pass_number (body, &n);
  if (n == 0)
    return;
  builder = g_strv_builder_new ();
  for (guint64 i = 0; i < n && !body->failed; i++) {
    g_autofree char *read = NULL;

    pass_string (body, body->out != NULL ? &(*strings)[i] : &read);
    if (body->out == NULL)
      g_strv_builder_add (builder, read != NULL ? read : "");
  }
  if (body->out == NULL)
    *strings = g_strv_builder_end (builder);
}

static void
pass_values (Body *body, PlumbCardColumn *column)
{
  guint64 n = column->values->len;

  pass_number (body, &n);
  for (guint64 i = 0; i < n && !body->failed; i++) {
    PlumbCodeValue *value;

    if (body->out == NULL)
      plumb_card_column_add_value (column, NULL, NULL, -1);
    value = g_ptr_array_index (column->values, i);
    pass_string (body, &value->value);
    pass_string (body, &value->meaning);
    pass_int64 (body, &value->count);
  }
}

static void
pass_column (Body *body, PlumbCardColumn *column)
{
  pass_string (body, &column->name);
  pass_string (body, &column->type);
  pass_string (body, &column->comment);
  pass_string (body, &column->meaning);
  pass_string (body, &column->key);
  pass_int (body, &column->nullable);
  pass_double (body, &column->null_fraction);
  pass_int64 (body, &column->distinct);
  pass_string (body, &column->minimum);
  pass_string (body, &column->maximum);
  pass_string (body, &column->misuse);
  pass_values (body, column);
}

static void
pass_columns (Body *body, PlumbCard *card)
{
  guint64 n = card->columns->len;

  pass_number (body, &n);
  for (guint64 i = 0; i < n && !body->failed; i++) {
    if (body->out == NULL)
      plumb_card_add_column (card, "", "");
    pass_column (body, g_ptr_array_index (card->columns, i));
  }
}

static void
pass_foreign_keys (Body *body, PlumbCard *card)
{
  guint64 n = card->foreign_keys->len;

  pass_number (body, &n);
  for (guint64 i = 0; i < n && !body->failed; i++) {
    PlumbForeignKey *key;

    if (body->out == NULL)
      g_ptr_array_add (card->foreign_keys, plumb_foreign_key_new (NULL, ""));
    key = g_ptr_array_index (card->foreign_keys, i);
    pass_string (body, &key->name);
    pass_strv (body, &key->columns);
    pass_string (body, &key->ref_schema);
    pass_string (body, &key->ref_table);
    pass_strv (body, &key->ref_columns);
  }
}

/* Everything but what stands in columns of its own: name, presence, time of analysis. */
static void
pass_card (Body *body, PlumbCard *card)
{
  int kind = card->kind, role = card->role, status = card->status;

  pass_int (body, &kind);
  pass_int (body, &role);
  pass_int (body, &status);
  card->kind = CLAMP (kind, 0, PLUMB_TABLE_KIND_FOREIGN);
  card->role = CLAMP (role, 0, PLUMB_ROLE_BACKUP);
  card->status = CLAMP (status, 0, PLUMB_STATUS_PARTITION);
  pass_string (body, &card->comment);
  pass_string (body, &card->label);
  pass_string (body, &card->purpose);
  pass_string (body, &card->grain);
  pass_string (body, &card->copy_of);
  pass_string (body, &card->family);
  pass_strv (body, &card->reasons);
  pass_int64 (body, &card->row_estimate);
  pass_strv (body, &card->primary_key);
  pass_strv (body, &card->misuse);
  pass_strv (body, &card->synonyms);
  pass_int (body, &card->selectable);
  pass_string (body, &card->fingerprint);
  pass_foreign_keys (body, card);
  pass_columns (body, card);
}

/** plumb_card_to_body: Returns: (transfer full): the card as bytes, without its name, presence and
 *  time of analysis */
GByteArray *
plumb_card_to_body (PlumbCard *card)
{
  Body body = { .out = g_byte_array_new () };
  guint64 format = BODY_FORMAT;

  g_byte_array_set_size (body.out, 64 * (card->columns->len + 4));
  body.next = body.out->data;
  pass_number (&body, &format);
  pass_card (&body, card);
  g_byte_array_set_size (body.out, body.next - body.out->data);
  return body.out;
}

/**
 * plumb_card_read_body:
 * @card: a new card with its name
 * @data: (nullable): what plumb_card_to_body() wrote
 * @length: its bytes
 *
 * Fills @card.
 *
 * Returns: %FALSE where @data is nothing of the kind; @card is then of no use
 */
gboolean
plumb_card_read_body (PlumbCard *card, const guint8 *data, gsize length)
{
  Body body = { .at = data, .end = data != NULL ? data + length : NULL };
  guint64 format;

  pass_number (&body, &format);
  if (body.failed || format != BODY_FORMAT)
    return FALSE;
  pass_card (&body, card);
  return !body.failed && body.at == body.end;
}
