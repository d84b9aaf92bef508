/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include "plumb-search-trigrams.h"

#include <string.h>

/* A list while it is measured and written: a term is written as the distance from the one before it,
 * seven bits a byte, which makes most of them one byte. */
typedef struct {
  guint32 last;
  guint32 length;
} List;

typedef struct {
  PlumbNumberMap *trigrams;
  GArray *lists;
  GArray *starts;
  guint8 *bytes;
} Builder;

static gboolean
is_spelled (const char *word)
{
  return strlen (word) >= PLUMB_MIN_SPELLED && strchr (word, ' ') == NULL;
}

static guint
measure_number (guint32 number)
{
  guint n = 1;

  for (; number > 0x7f; number >>= 7)
    n++;
  return n;
}

static guint
write_number (guint8 *bytes, guint32 number)
{
  guint n = 0;

  for (; number > 0x7f; number >>= 7)
    bytes[n++] = (number & 0x7f) | 0x80;
  bytes[n++] = number;
  return n;
}

/* The first pass measures the lists, the second one writes them. */
static void
add_term (Builder *self, guint term, const guint64 *trigrams, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint number = plumb_number_map_add (self->trigrams, trigrams[i]);
    List *list;

    if (number >= self->lists->len)
      g_array_set_size (self->lists, number + 1);
    list = &g_array_index (self->lists, List, number);
    if (self->bytes == NULL)
      list->length += measure_number (term + 1 - list->last);
    else
      list->length += write_number (self->bytes + g_array_index (self->starts, guint32, number) + list->length,
                                    term + 1 - list->last);
    list->last = term + 1;
  }
}

static void
add_terms (Builder *self, const PlumbPostings *postings, guint8 *numbers)
{
  for (guint term = 0; term < postings->n_terms; term++) {
    const char *word = plumb_postings_get_word (postings, term);
    guint64 trigrams[PLUMB_MAX_TRIGRAMS];
    guint n;

    if (!is_spelled (word))
      continue;
    n = plumb_get_trigrams (word, trigrams);
    numbers[term] = n;
    add_term (self, term, trigrams, n);
  }
}

/** plumb_spelling_build: puts into @image the trigrams of the words and identifiers of @postings */
void
plumb_spelling_build (PlumbImage *image, const PlumbPostings *postings)
{
  guint8 *numbers = g_new0 (guint8, MAX (postings->n_terms, 1));
  g_autoptr (PlumbNumberMap) trigrams = plumb_number_map_new ();
  g_autoptr (GArray) lists = g_array_new (FALSE, TRUE, sizeof (List));
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint32));
  Builder builder = { trigrams, lists, starts, NULL };
  guint32 length = 0;

  add_terms (&builder, postings, numbers);
  for (guint i = 0; i < lists->len; i++) {
    g_array_append_val (starts, length);
    length += g_array_index (lists, List, i).length;
    g_array_index (lists, List, i) = (List) { 0, 0 };
  }
  g_array_append_val (starts, length);
  builder.bytes = g_malloc (MAX (length, 1));
  add_terms (&builder, postings, numbers);
  plumb_image_take (image, PLUMB_SECTION_TRIGRAM_LISTS, builder.bytes, length);
  plumb_image_take (image, PLUMB_SECTION_TRIGRAM_NUMBERS, numbers, postings->n_terms);
  plumb_image_take_array (image, PLUMB_SECTION_TRIGRAM_STARTS, starts);
  plumb_number_map_end (trigrams, image, PLUMB_SECTION_TRIGRAMS);
}
