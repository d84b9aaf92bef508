/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"

/* A made-up schema, the same in every run: cards of tables whose words are as rare and as common as
 * those of public schemas (Zipf's law over 4,000 words), and questions about them. */
GPtrArray *bench_make_cards     (guint n_tables);
GStrv      bench_make_questions (GPtrArray *cards, guint n_questions, gboolean everyday);
GPtrArray *bench_make_chunks    (PlumbCard *card);
