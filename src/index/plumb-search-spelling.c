/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-private.h"

#include "plumb-search-trigrams.h"

#include <math.h>
#include <string.h>

/* A near spelling shares at least this much of its trigrams (Dice coefficient). */
#define MIN_LIKENESS 0.6f
#define MAX_FOUND 8

struct _PlumbSpelling {
  PlumbImage *image;
  const PlumbPostings *postings;
  const PlumbNumberSlot *trigrams;
  gsize n_slots;
  const guint32 *starts;
  guint n_lists;
  const guint8 *lists;
  gsize length;
  const guint8 *n_trigrams;   /* for each term */
};

typedef struct {
  guint32 term;
  float likeness;
} Near;

/* Terms that hold one trigram of the word. */
typedef struct {
  guint64 trigram;
  const guint8 *bytes;
  guint length;
} List;

/** plumb_spelling_open: Returns: (transfer full) (nullable): the trigrams of @postings, which must outlive it as
 *  @image must; %NULL where @image is damaged */
PlumbSpelling *
plumb_spelling_open (PlumbImage *image, const PlumbPostings *postings)
{
  PlumbSpelling *self = g_new0 (PlumbSpelling, 1);
  gsize n_starts, n_numbers;

  self->image = image;
  self->postings = postings;
  self->trigrams = plumb_image_get (image, PLUMB_SECTION_TRIGRAMS, sizeof *self->trigrams, &self->n_slots);
  self->starts = plumb_image_get (image, PLUMB_SECTION_TRIGRAM_STARTS, sizeof *self->starts, &n_starts);
  self->lists = plumb_image_get (image, PLUMB_SECTION_TRIGRAM_LISTS, 1, &self->length);
  self->n_trigrams = plumb_image_get (image, PLUMB_SECTION_TRIGRAM_NUMBERS, 1, &n_numbers);
  if (n_starts == 0 || n_starts > G_MAXINT || n_numbers != postings->n_terms) {
    g_free (self);
    return NULL;
  }
  self->n_lists = n_starts - 1;
  return self;
}

/** plumb_spelling_free: frees it, not its image */
void
plumb_spelling_free (PlumbSpelling *self)
{
  g_free (self);
}

static int
compare_near (gconstpointer a, gconstpointer b)
{
  const Near *one = a, *other = b;

  if (one->likeness != other->likeness)
    return one->likeness < other->likeness ? 1 : -1;
  return one->term < other->term ? -1 : one->term > other->term;
}

static int
compare_lists (gconstpointer a, gconstpointer b)
{
  const List *one = a, *other = b;

  return one->length < other->length ? -1 : one->length > other->length;
}

/* The lists of the word's trigrams, the shortest first. */
static void
get_lists (const PlumbSpelling *self, const guint64 *trigrams, guint n, List *lists)
{
  for (guint i = 0; i < n; i++) {
    int number = plumb_number_slots_find (self->trigrams, self->n_slots, trigrams[i]);
    guint32 start = 0;
    guint length = number >= 0 ? plumb_list_bounds (self->starts, self->n_lists, number, self->length, &start) : 0;

    if (!plumb_image_check (self->image, PLUMB_SECTION_TRIGRAM_LISTS, start, length))
      length = 0;
    lists[i] = (List) { trigrams[i], self->lists + start, length };
  }
  qsort (lists, n, sizeof *lists, compare_lists);
}

/* One of a list's distances; at most its end is read. */
static const guint8 *
read_distance (const guint8 *at, const guint8 *end, guint32 *distance)
{
  *distance = 0;
  for (guint shift = 0; shift < 32 && at < end; shift += 7) {
    guint8 byte = *at++;

    *distance |= (guint32) (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0)
      break;
  }
  return at;
}

/* Counts the terms of one list; those that are new go to @found. */
static void
count_list (const PlumbSpelling *self, const List *list, guint8 *shared, GArray *found)
{
  const guint8 *at = list->bytes, *end = at + list->length;
  guint32 term = 0, *next;
  guint n = found->len;

  /* A term takes a byte at the least. */
  g_array_set_size (found, n + list->length);
  next = &g_array_index (found, guint32, n);
  while (at < end) {
    guint32 distance = *at;

    if (distance < 0x80)
      at++;
    else
      at = read_distance (at, end, &distance);
    term += distance;
    /* Lists in a damaged file end where they no longer make sense. */
    if (term == 0 || term > self->postings->n_terms)
      break;
    *next = term - 1;
    next += shared[term - 1]++ == 0;
  }
  g_array_set_size (found, next - &g_array_index (found, guint32, 0));
}

/* How many of the trigrams of @lists a term holds. */
static guint
count_in_word (const PlumbSpelling *self, guint term, const List *lists, guint n)
{
  guint64 trigrams[PLUMB_MAX_TRIGRAMS];
  guint n_own = plumb_get_trigrams (plumb_postings_get_word (self->postings, term), trigrams), shared = 0;

  for (guint i = 0; i < n; i++) {
    for (guint j = 0; j < n_own; j++) {
      if (lists[i].trigram == trigrams[j]) {
        shared++;
        break;
      }
    }
  }
  return shared;
}

/* A word that shares @least trigrams holds one of all but @least - 1 of them: the longest lists need not
 * be read. What is found in the others and can still reach the likeness is compared by itself. */
static void
weigh_found (const PlumbSpelling *self, const List *lists, guint n, guint n_read, const guint8 *shared,
             const GArray *found, GArray *kept)
{
  guint unread = n - n_read;

  for (guint i = 0; i < found->len; i++) {
    Near near = { g_array_index (found, guint32, i), 0 };
    guint both = n + self->n_trigrams[near.term];

    if (2.0f * (shared[near.term] + unread) / both < MIN_LIKENESS)
      continue;
    near.likeness = 2.0f * (shared[near.term] + count_in_word (self, near.term, lists + n_read, unread)) / both;
    if (near.likeness >= MIN_LIKENESS)
      g_array_append_val (kept, near);
  }
}

/**
 * plumb_spelling_find:
 * @word: a folded word that is spelled wrongly
 * @strength: what a word spelled the same would count
 * @relatives: (element-type PlumbRelative): where to add the words of the index spelled like it
 */
void
plumb_spelling_find (const PlumbSpelling *self, const char *word, float strength, GArray *relatives)
{
  guint64 trigrams[PLUMB_MAX_TRIGRAMS];
  List lists[PLUMB_MAX_TRIGRAMS];
  g_autofree guint8 *shared = NULL;
  g_autoptr (GArray) found = NULL;
  g_autoptr (GArray) kept = NULL;
  guint n, least;

  if (strlen (word) < PLUMB_MIN_SPELLED)
    return;
  n = plumb_get_trigrams (word, trigrams);
  /* The shortest word that can be as like it has MIN_LIKENESS / (2 - MIN_LIKENESS) of its trigrams, all shared. */
  least = MAX (floorf (n * MIN_LIKENESS / (2 - MIN_LIKENESS)), 1);
  shared = g_new0 (guint8, MAX (self->postings->n_terms, 1));
  found = g_array_sized_new (FALSE, FALSE, sizeof (guint32), 256);
  kept = g_array_new (FALSE, FALSE, sizeof (Near));
  get_lists (self, trigrams, n, lists);
  for (guint i = 0; i < n - least + 1; i++)
    count_list (self, &lists[i], shared, found);
  weigh_found (self, lists, n, n - least + 1, shared, found, kept);
  g_array_sort (kept, compare_near);
  for (guint i = 0; i < kept->len && i < MAX_FOUND; i++) {
    const Near *near = &g_array_index (kept, Near, i);

    plumb_relatives_add (relatives, near->term, strength * near->likeness);
  }
}
