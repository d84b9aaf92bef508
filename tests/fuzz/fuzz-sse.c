/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-chat-json.h"
#include "plumb-sse.h"

#include <stdint.h>

/* A model's reply from outside: as server-sent events in pieces whose size the first byte gives, as
 * one JSON document, and as a refusal. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

typedef struct {
  PlumbChatAssembler *assembler;
  gboolean failed;
} Reader;

static gboolean
on_event (const char *data, gsize length, gpointer user_data)
{
  Reader *reader = user_data;

  reader->failed = !plumb_chat_assembler_add_event (reader->assembler, data, length, NULL);
  return !reader->failed && !plumb_chat_assembler_is_done (reader->assembler);
}

static void
read_events (const char *bytes, gsize length, gsize piece)
{
  g_autoptr (PlumbChatAssembler) assembler = plumb_chat_assembler_new (NULL, NULL);
  Reader reader = { assembler, FALSE };
  g_autoptr (PlumbSseParser) parser = plumb_sse_parser_new (on_event, &reader);

  for (gsize i = 0; i < length; i += piece) {
    if (!plumb_sse_parser_feed (parser, bytes + i, MIN (piece, length - i)))
      break;
  }
  plumb_sse_parser_end (parser);
  if (!reader.failed)
    plumb_chat_reply_free (plumb_chat_assembler_finish (assembler, NULL));
}

static void
read_document (const char *bytes, gsize length)
{
  g_autoptr (PlumbChatAssembler) assembler = plumb_chat_assembler_new (NULL, NULL);
  g_autoptr (GError) error = NULL;

  if (plumb_chat_assembler_add_document (assembler, bytes, length, NULL))
    plumb_chat_reply_free (plumb_chat_assembler_finish (assembler, NULL));
  plumb_model_fault_from_status (400, bytes, length, "http://localhost", "model", &error);
  plumb_model_fault_hide_key (&error, "key");
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *bytes = NULL;

  if (size == 0)
    return 0;
  /* The parsers may rely on nothing but the length; the NUL is for what comes from HTTP as a
   * string. */
  bytes = g_malloc (size);
  memcpy (bytes, data + 1, size - 1);
  bytes[size - 1] = '\0';
  read_events (bytes, size - 1, data[0] + 1);
  read_document (bytes, size - 1);
  return 0;
}
