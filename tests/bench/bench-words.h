/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"

/* A made-up schema, the same in every run: cards of tables whose words are as rare and as common as
 * those of public schemas (Zipf's law over 4,000 words), and questions about them. */
#define BENCH_DATABASES 20

GPtrArray *bench_make_cards     (guint n_tables, guint n_columns);
GStrv      bench_make_questions (GPtrArray *cards, guint n_questions, gboolean everyday);
GStrv      bench_make_misspelt  (GPtrArray *cards, guint n_words);
GPtrArray *bench_make_chunks    (PlumbCard *card);
GPtrArray *bench_make_identifiers (PlumbCard *card);
