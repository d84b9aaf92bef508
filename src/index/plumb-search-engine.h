/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-search.h"
#include "plumb-search-image.h"

G_BEGIN_DECLS

/**
 * PlumbSearchWeights:
 *
 * The numbers that search turns on. plumb_search_weights are those that measured best over the sets
 * of src/index/SEARCH.md; nothing else is meant for use outside of measurements.
 */
typedef struct {
  float field[7];           /* table name, its texts, columns, their texts, neighbours, values, place */
  float length[7];          /* how much a field's length counts against it, 0 to 1 */
  float wide;               /* how much of a wide table's length counts, 0 to 1 */
  float saturation;         /* how soon more of a word stops helping */
  float stem;               /* strengths of relatives; the word itself has 1 */
  float abbreviation;
  float prefix;
  float spelling;
  float synonym;
  float vector;
  float vector_power;       /* how fast likeness loses its strength */
  float vector_floor;       /* cosine below which words are strangers */
  float translation;
  float wordy;              /* how soon relatives lose in a long question */
  float elsewhere;          /* relatives in a database that has the word itself */
  float number;             /* importance of a number, and of a part of a word */
  float part;
  float character;          /* importance of a word of a single Han character */
  float weak;               /* importance of a word of counting and comparing */
  float quoted;             /* importance of what is quoted, and of a proper name */
  float proper;
  float pair;               /* neighbouring words in one identifier */
  float rarity_power;       /* how little a weak hit counts among the tables that hold a word */
  float rarity_floor;       /* what even the commonest word says */
  float alike;              /* a standard deviation of likeness by vectors, of a table */
  float meaning;            /* a standard deviation of likeness as a whole, of a table, of a database */
  float meaning_database;
  float neighbour;          /* passed along a declared key, and along a second one */
  float neighbour_again;
  float walk;               /* shared out among neighbours, and how much a hub shares it */
  float walk_share;
  float walk_take;
  float repeat;             /* discount for what tables before told already */
  float group;              /* for a table whose name begins as that of one before */
  float far;                /* how far behind the best a database falls to be left out */
  float database_best;      /* from the best table of the database, and from all together */
  float database_cover;
  float approved;           /* tables of a question answered before */
} PlumbSearchWeights;

extern const PlumbSearchWeights plumb_search_weights;

gboolean plumb_search_weights_leave_out (PlumbSearchWeights *self, const char *part);

/**
 * PlumbSearchEngine:
 *
 * Search over an image of cards, without an index file. Not changed once it is made, therefore safe
 * from any thread. Reference counted.
 */
typedef struct _PlumbSearchEngine PlumbSearchEngine;

/* Reads the whole card of a table of which @card has the names alone; %NULL with an error. */
typedef PlumbCard *(*PlumbCardFunc) (PlumbCard *card, gpointer data, GError **error);

PlumbSearchEngine *plumb_search_engine_new   (GPtrArray *cards, GPtrArray *notes, GPtrArray *approved,
                                              const PlumbSearchWeights *weights);
PlumbImage        *plumb_search_engine_build (GPtrArray *cards, const PlumbSearchWeights *weights);
PlumbSearchEngine *plumb_search_engine_open  (PlumbImage *image, GPtrArray *notes, GPtrArray *approved, GPtrArray *edges);
PlumbSearchEngine *plumb_search_engine_new_with_notes (PlumbSearchEngine *self, GPtrArray *notes, GPtrArray *approved,
                                                       GPtrArray *edges);
gboolean           plumb_search_engine_is_damaged (PlumbSearchEngine *self);
PlumbSearchEngine *plumb_search_engine_ref   (PlumbSearchEngine *self);
void               plumb_search_engine_unref (PlumbSearchEngine *self);
GPtrArray         *plumb_search_engine_get_tables (PlumbSearchEngine *self);
PlumbCandidates   *plumb_search_engine_run   (PlumbSearchEngine *self, const PlumbSearchRequest *request,
                                              GCancellable *cancellable, GError **error);
PlumbCandidates   *plumb_search_engine_run_with (PlumbSearchEngine *self, const PlumbSearchRequest *request,
                                              PlumbCardFunc get_card, gpointer data,
                                              GCancellable *cancellable, GError **error);
GPtrArray         *plumb_search_engine_rank_databases (PlumbSearchEngine *self, const char *question);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbSearchEngine, plumb_search_engine_unref)

G_END_DECLS
