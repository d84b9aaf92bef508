/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What search keeps beside the cards: arrays of plain numbers and text, in the layout in which they
 * are used, so that a mapped file needs no loading. A dictionary takes three sections in a row. */
typedef enum {
  PLUMB_SECTION_TABLES,
  PLUMB_SECTION_TABLE_TEXT,
  PLUMB_SECTION_EDGE_STARTS,
  PLUMB_SECTION_EDGES,
  PLUMB_SECTION_LIVE,
  PLUMB_SECTION_WORDS,
  PLUMB_SECTION_WORD_PLACES,
  PLUMB_SECTION_WORD_SLOTS,
  PLUMB_SECTION_POSTING_STARTS,
  PLUMB_SECTION_KEYS,
  PLUMB_SECTION_KEY_PLACES,
  PLUMB_SECTION_KEY_SLOTS,
  PLUMB_SECTION_LINK_STARTS,
  PLUMB_SECTION_LINKS,
  PLUMB_SECTION_SHORT_STARTS,
  PLUMB_SECTION_SHORT_WORDS,
  PLUMB_SECTION_VECTORS,
  PLUMB_SECTION_TRIGRAMS,
  PLUMB_SECTION_TRIGRAM_STARTS,
  PLUMB_SECTION_TRIGRAM_NUMBERS,
  PLUMB_SECTION_MEANING_TABLES,
  PLUMB_SECTION_MEANING_DATABASES,
  PLUMB_SECTION_SUMS,
  PLUMB_SECTION_POSTINGS,         /* from here on the large ones, whose sums are compared when they are used */
  PLUMB_SECTION_TRIGRAM_LISTS,
  PLUMB_N_SECTIONS,
} PlumbSection;

/**
 * PlumbImage:
 *
 * The sections, in memory or in a mapped file. Reference counted; not changed once it is shared.
 */
typedef struct _PlumbImage PlumbImage;

/* What an image is made of: the same numbers mean the same content. */
typedef struct {
  guint64 maker;      /* program, weights and word lists */
  guint64 content;    /* the cards */
} PlumbImageStamp;

PlumbImage   *plumb_image_new       (void);
PlumbImage   *plumb_image_ref       (PlumbImage *self);
void          plumb_image_unref     (PlumbImage *self);
void          plumb_image_take      (PlumbImage *self, PlumbSection section, gpointer data, gsize length);
void          plumb_image_take_array (PlumbImage *self, PlumbSection section, GArray *array);
gconstpointer plumb_image_get       (const PlumbImage *self, PlumbSection section, gsize size, gsize *n);
gboolean      plumb_image_check     (PlumbImage *self, PlumbSection section, gsize offset, gsize length);
gboolean      plumb_image_is_damaged (const PlumbImage *self);
PlumbImage   *plumb_image_read      (GBytes *bytes, gboolean check, PlumbImageStamp *stamp);
PlumbImage   *plumb_image_map       (const char *path, PlumbImageStamp *stamp);
gboolean      plumb_image_save      (const PlumbImage *self, const PlumbImageStamp *stamp, const char *path, GError **error);
guint64       plumb_image_sum       (gconstpointer data, gsize length, guint64 seed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbImage, plumb_image_unref)

/* plumb-search-dictionary.c: strings and their numbers, from 0 on in the order in which they came. */
typedef struct {
  const char *text;
  gsize length;
  const guint32 *places;
  guint n;
  const guint32 *slots;
  guint32 mask;
} PlumbDictionary;

typedef struct {
  guint64 key;
  guint32 number;     /* plus one; 0 where the slot is free */
  guint32 unused;
} PlumbNumberSlot;

/* Strings or numbers of 64 bits and their places, while they are collected. */
typedef struct _PlumbDictionaryBuilder PlumbDictionaryBuilder;
typedef struct _PlumbNumberMap PlumbNumberMap;

gboolean    plumb_dictionary_open (PlumbDictionary *self, const PlumbImage *image, PlumbSection first);
int         plumb_dictionary_find (const PlumbDictionary *self, const char *word);
const char *plumb_dictionary_get  (const PlumbDictionary *self, guint number);

PlumbDictionaryBuilder *plumb_dictionary_builder_new  (void);
void                    plumb_dictionary_builder_free (PlumbDictionaryBuilder *self);
guint                   plumb_dictionary_builder_add  (PlumbDictionaryBuilder *self, const char *word);
int                     plumb_dictionary_builder_find (const PlumbDictionaryBuilder *self, const char *word);
guint                   plumb_dictionary_builder_get_size (const PlumbDictionaryBuilder *self);
const char             *plumb_dictionary_builder_get  (const PlumbDictionaryBuilder *self, guint number);
void                    plumb_dictionary_builder_end  (PlumbDictionaryBuilder *self, PlumbImage *image, PlumbSection first);

PlumbNumberMap *plumb_number_map_new  (void);
void            plumb_number_map_free (PlumbNumberMap *self);
guint           plumb_number_map_add  (PlumbNumberMap *self, guint64 key);
guint           plumb_number_map_get_size (const PlumbNumberMap *self);
void            plumb_number_map_end  (PlumbNumberMap *self, PlumbImage *image, PlumbSection section);
int             plumb_number_slots_find (const PlumbNumberSlot *slots, gsize n_slots, guint64 key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbDictionaryBuilder, plumb_dictionary_builder_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbNumberMap, plumb_number_map_free)

/* Starts of lists: list i goes from starts[i] to starts[i + 1], none where that isn't so. */
static inline guint
plumb_list_bounds (const guint32 *starts, guint n_lists, guint list, gsize n_elements, guint32 *start)
{
  *start = 0;
  if (list >= n_lists || starts[list] > starts[list + 1] || starts[list + 1] > n_elements)
    return 0;
  *start = starts[list];
  return starts[list + 1] - starts[list];
}

G_END_DECLS
