/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-planner-words.h"

G_BEGIN_DECLS

typedef enum {
  PLANNER_UNIT_NONE,
  PLANNER_UNIT_DAY,
  PLANNER_UNIT_WEEK,
  PLANNER_UNIT_MONTH,
  PLANNER_UNIT_QUARTER,
  PLANNER_UNIT_YEAR,
} PlannerUnit;

/**
 * PlannerPeriod:
 * @from: its first day; invalid where it is open
 * @to: the day after its last; invalid where it is open
 * @is_age: whether it says how old something is ("for more than 30 days"), not when it happened
 * @is_state: whether the age is that of a state ("unprocessed for more than 30 days")
 */
typedef struct {
  GDate from;
  GDate to;
  gboolean is_age;
  gboolean is_state;
} PlannerPeriod;

guint       planner_read_period    (GPtrArray *tokens, guint start, const GDate *today, PlannerPeriod *period);
PlannerUnit planner_read_unit      (const char *word);
guint       planner_read_count     (GPtrArray *tokens, guint start, gint64 *count);
gboolean    planner_period_is_whole (const PlannerPeriod *period, PlannerUnit unit);
char       *planner_date_to_string (const GDate *date, const char *format);

G_END_DECLS
