/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"
#include "plumb-note.h"

G_BEGIN_DECLS

/**
 * PlumbCandidate:
 * @card: the table
 * @score: the fused score; only its order means anything
 * @excerpt: (nullable): the part of the card that matched
 * @matched_by: lists that found it: "meaning", "words", "spelling", "notes"
 * @notes: (element-type PlumbNote): at most five, hits first
 * @copies: its copies, as `schema.table`
 * @partitions: members of its partition family, as `schema.table`; empty where it has none
 * @helped_by: (nullable): the earlier question that brought it up
 * @helped_by_domain: (nullable): the domain whose file gives that question as an example; %NULL where a person
 *   approved it
 */
typedef struct {
  PlumbCard *card;
  double score;
  char *excerpt;
  GStrv matched_by;
  GPtrArray *notes;
  GStrv copies;
  GStrv partitions;
  char *helped_by;
  char *helped_by_domain;
} PlumbCandidate;

/**
 * PlumbCandidates:
 * @candidates: (element-type PlumbCandidate): best first
 * @no_permission: names outside the access role, as `database.schema.table`
 * @searched: databases that were searched
 * @of: databases that there are
 * @lists: lists that took part
 * @embedding_model: (nullable): the model whose vectors took part; without it "meaning" comes from the word
 *   lists that ship
 * @reranked: whether a reranker has ordered the candidates again
 * @warning: (nullable): what went wrong without ending the search, a sentence
 * @elapsed_us: microseconds
 *
 * What a search found. Reference counted.
 */
typedef struct {
  GPtrArray *candidates;
  GPtrArray *no_permission;
  guint searched;
  guint of;
  GStrv lists;
  char *embedding_model;
  gboolean reranked;
  char *warning;
  gint64 elapsed_us;
} PlumbCandidates;

PlumbCandidate  *plumb_candidate_new         (PlumbCard *card, double score);
void             plumb_candidate_free        (PlumbCandidate *self);
PlumbCandidates *plumb_candidates_new        (void);
PlumbCandidates *plumb_candidates_ref        (PlumbCandidates *self);
void             plumb_candidates_unref      (PlumbCandidates *self);
int              plumb_candidates_find       (PlumbCandidates *self, const char *database, const char *table);
void             plumb_candidates_write_json (PlumbCandidates *self, PlumbJsonWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbCandidate, plumb_candidate_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbCandidates, plumb_candidates_unref)

G_END_DECLS
