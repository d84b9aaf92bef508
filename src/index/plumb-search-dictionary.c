/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-image.h"

#include <string.h>

/* Hashing with open addressing and linear probing; the number of slots is a power of two, at least
 * a quarter of them free. */
#define FIRST_SLOTS 16

struct _PlumbDictionaryBuilder {
  GByteArray *text;
  GArray *places;
  guint64 *slots;     /* hash in the high half, number + 1 in the low one */
  guint32 mask;
};

struct _PlumbNumberMap {
  PlumbNumberSlot *slots;
  guint32 mask;
  guint n;
};

static guint32
hash_string (const char *word, gsize length)
{
  return (guint32) plumb_image_sum (word, length, 0);
}

static guint32
hash_number (guint64 key)
{
  key *= G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint32) (key >> 32);
}

/** plumb_dictionary_open: Returns: whether the three sections from @first on make a dictionary */
gboolean
plumb_dictionary_open (PlumbDictionary *self, const PlumbImage *image, PlumbSection first)
{
  gsize n, n_slots;

  self->text = plumb_image_get (image, first, 1, &self->length);
  self->places = plumb_image_get (image, first + 1, sizeof (guint32), &n);
  self->slots = plumb_image_get (image, first + 2, sizeof (guint32), &n_slots);
  if (n > G_MAXINT || n_slots == 0 || n_slots > G_MAXUINT32 || (n_slots & (n_slots - 1)) != 0 || n >= n_slots ||
      (n > 0 && (self->length == 0 || self->text[self->length - 1] != '\0')))
    return FALSE;
  self->n = n;
  self->mask = n_slots - 1;
  return TRUE;
}

/** plumb_dictionary_get: Returns: (transfer none): the string of @number, "" where there is none */
const char *
plumb_dictionary_get (const PlumbDictionary *self, guint number)
{
  return number < self->n && self->places[number] < self->length ? self->text + self->places[number] : "";
}

/** plumb_dictionary_find: Returns: the number of @word, -1 where it isn't there */
int
plumb_dictionary_find (const PlumbDictionary *self, const char *word)
{
  guint32 slot = hash_string (word, strlen (word)) & self->mask;

  /* A file without free slots must not hold us for ever. */
  for (guint32 i = 0; i <= self->mask && self->slots[slot] != 0; i++) {
    if (strcmp (plumb_dictionary_get (self, self->slots[slot] - 1), word) == 0)
      return self->slots[slot] - 1 < self->n ? (int) self->slots[slot] - 1 : -1;
    slot = (slot + 1) & self->mask;
  }
  return -1;
}

/** plumb_dictionary_builder_new: Returns: (transfer full): an empty dictionary */
PlumbDictionaryBuilder *
plumb_dictionary_builder_new (void)
{
  PlumbDictionaryBuilder *self = g_new0 (PlumbDictionaryBuilder, 1);

  self->text = g_byte_array_new ();
  self->places = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->mask = FIRST_SLOTS - 1;
  self->slots = g_new0 (guint64, FIRST_SLOTS);
  return self;
}

/** plumb_dictionary_builder_free: frees it */
void
plumb_dictionary_builder_free (PlumbDictionaryBuilder *self)
{
  if (self == NULL)
    return;
  g_byte_array_unref (self->text);
  g_array_unref (self->places);
  g_free (self->slots);
  g_free (self);
}

static void
grow_dictionary (PlumbDictionaryBuilder *self)
{
  guint32 mask = 2 * self->mask + 1;
  guint64 *slots = g_new0 (guint64, (gsize) mask + 1);

  for (guint32 i = 0; i <= self->mask; i++) {
    guint32 slot = (guint32) (self->slots[i] >> 32) & mask;

    if (self->slots[i] == 0)
      continue;
    while (slots[slot] != 0)
      slot = (slot + 1) & mask;
    slots[slot] = self->slots[i];
  }
  g_free (self->slots);
  self->slots = slots;
  self->mask = mask;
}

/** plumb_dictionary_builder_get: Returns: (transfer none): the string of @number, until the next is
 *  added */
const char *
plumb_dictionary_builder_get (const PlumbDictionaryBuilder *self, guint number)
{
  return (const char *) self->text->data + g_array_index (self->places, guint32, number);
}

/** plumb_dictionary_builder_get_size: Returns: how many strings there are */
guint
plumb_dictionary_builder_get_size (const PlumbDictionaryBuilder *self)
{
  return self->places->len;
}

/** plumb_dictionary_builder_add: Returns: the number of @word, which is added if it is new */
guint
plumb_dictionary_builder_add (PlumbDictionaryBuilder *self, const char *word)
{
  gsize length = strlen (word);
  guint32 hash = hash_string (word, length), slot = hash & self->mask, place = self->text->len;

  for (; self->slots[slot] != 0; slot = (slot + 1) & self->mask) {
    guint32 number = (guint32) self->slots[slot] - 1;

    if (self->slots[slot] >> 32 == hash && strcmp (plumb_dictionary_builder_get (self, number), word) == 0)
      return number;
  }
  g_array_append_val (self->places, place);
  g_byte_array_append (self->text, (const guint8 *) word, length + 1);
  self->slots[slot] = (guint64) hash << 32 | self->places->len;
  if (self->places->len > self->mask - self->mask / 4)
    grow_dictionary (self);
  return self->places->len - 1;
}

/** plumb_dictionary_builder_find: Returns: the number of @word, -1 where it isn't there */
int
plumb_dictionary_builder_find (const PlumbDictionaryBuilder *self, const char *word)
{
  guint32 hash = hash_string (word, strlen (word)), slot = hash & self->mask;

  for (; self->slots[slot] != 0; slot = (slot + 1) & self->mask) {
    guint32 number = (guint32) self->slots[slot] - 1;

    if (self->slots[slot] >> 32 == hash && strcmp (plumb_dictionary_builder_get (self, number), word) == 0)
      return number;
  }
  return -1;
}

/** plumb_dictionary_builder_end: moves the dictionary into the three sections from @first on */
void
plumb_dictionary_builder_end (PlumbDictionaryBuilder *self, PlumbImage *image, PlumbSection first)
{
  gsize n_slots = (gsize) self->mask + 1, length;
  guint32 *slots = g_new (guint32, n_slots);
  guint8 *text;

  for (gsize i = 0; i < n_slots; i++)
    slots[i] = (guint32) self->slots[i];
  text = g_byte_array_steal (self->text, &length);
  plumb_image_take (image, first, text, length);
  plumb_image_take_array (image, first + 1, self->places);
  plumb_image_take (image, first + 2, slots, n_slots * sizeof *slots);
}

/** plumb_number_map_new: Returns: (transfer full): an empty map */
PlumbNumberMap *
plumb_number_map_new (void)
{
  PlumbNumberMap *self = g_new0 (PlumbNumberMap, 1);

  self->mask = FIRST_SLOTS - 1;
  self->slots = g_new0 (PlumbNumberSlot, FIRST_SLOTS);
  return self;
}

/** plumb_number_map_free: frees it */
void
plumb_number_map_free (PlumbNumberMap *self)
{
  if (self == NULL)
    return;
  g_free (self->slots);
  g_free (self);
}

static void
grow_map (PlumbNumberMap *self)
{
  guint32 mask = 2 * self->mask + 1;
  PlumbNumberSlot *slots = g_new0 (PlumbNumberSlot, (gsize) mask + 1);

  for (guint32 i = 0; i <= self->mask; i++) {
    guint32 slot = hash_number (self->slots[i].key) & mask;

    if (self->slots[i].number == 0)
      continue;
    while (slots[slot].number != 0)
      slot = (slot + 1) & mask;
    slots[slot] = self->slots[i];
  }
  g_free (self->slots);
  self->slots = slots;
  self->mask = mask;
}

/** plumb_number_map_get_size: Returns: how many keys there are */
guint
plumb_number_map_get_size (const PlumbNumberMap *self)
{
  return self->n;
}

/** plumb_number_map_add: Returns: the number of @key, which is added if it is new */
guint
plumb_number_map_add (PlumbNumberMap *self, guint64 key)
{
  guint32 slot = hash_number (key) & self->mask;

  for (; self->slots[slot].number != 0; slot = (slot + 1) & self->mask) {
    if (self->slots[slot].key == key)
      return self->slots[slot].number - 1;
  }
  self->slots[slot] = (PlumbNumberSlot) { key, ++self->n, 0 };
  if (self->n > self->mask - self->mask / 4)
    grow_map (self);
  return self->n - 1;
}

/** plumb_number_map_end: moves the map into @section */
void
plumb_number_map_end (PlumbNumberMap *self, PlumbImage *image, PlumbSection section)
{
  plumb_image_take (image, section, g_steal_pointer (&self->slots), ((gsize) self->mask + 1) * sizeof *self->slots);
}

/** plumb_number_slots_find: Returns: the number of @key in a map's section, -1 where it isn't there */
int
plumb_number_slots_find (const PlumbNumberSlot *slots, gsize n_slots, guint64 key)
{
  guint32 mask = n_slots - 1, slot = hash_number (key) & mask;

  if (n_slots == 0 || (n_slots & (n_slots - 1)) != 0)
    return -1;
  for (gsize i = 0; i < n_slots && slots[slot].number != 0; i++) {
    if (slots[slot].key == key)
      return (int) MIN (slots[slot].number - 1, G_MAXINT);
    slot = (slot + 1) & mask;
  }
  return -1;
}
