/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

#include <string.h>

/* Reads what a question says by its form. Each reader takes tokens from a place on and says how
 * many; what it took is marked. */

static const char *const highest[] = { "highest", "largest", "biggest", "greatest",
                                       "maximum", "max",     "most",    NULL };
static const char *const lowest[] = { "lowest", "smallest", "minimum", "min",
                                      "fewest", "least",    NULL };
static const char *const averages[] = { "average", "mean", "avg", NULL };
static const char *const totals[] = { "total", "sum", "overall", NULL };
static const char *const differents[] = { "different", "distinct", "unique", NULL };
static const char *const negatives[] = { "not", "except", "excluding", "non", NULL };

static const char *
get_word (PlannerReader *reader, guint i)
{
  if (i >= reader->tokens->len || reader->marks[i] != PLANNER_MARK_FREE)
    return "";
  return ((PlannerToken *) g_ptr_array_index (reader->tokens, i))->word;
}

static gboolean
is_word (PlannerReader *reader, guint i, const char *word)
{
  return g_str_equal (get_word (reader, i), word);
}

static void
set_op (PlannerStructure *structure, PlannerOp op, guint at)
{
  if (structure->op != op)
    structure->ops++;
  structure->op = op;
  structure->op_at = at;
}

/* "how many", "how much", "number of". */
static guint
read_how (PlannerReader *reader, guint i)
{
  PlannerStructure *structure = &reader->structure;

  if (is_word (reader, i, "how") && is_word (reader, i + 1, "many")) {
    set_op (structure, PLANNER_OP_COUNT, i);
    return 2;
  }
  if (is_word (reader, i, "how") && is_word (reader, i + 1, "much")) {
    structure->is_how_much = TRUE;
    return 2;
  }
  if ((is_word (reader, i, "number") || is_word (reader, i, "count")) &&
      is_word (reader, i + 1, "of")) {
    set_op (structure, PLANNER_OP_COUNT, i);
    return 2;
  }
  if (is_word (reader, i, "count") && i <= 1) {
    set_op (structure, PLANNER_OP_COUNT, i);
    return 1;
  }
  return 0;
}

/* "total", "average"; "total number of" counts, and "in total" adds nothing to it. */
static guint
read_aggregate (PlannerReader *reader, guint i)
{
  PlannerStructure *structure = &reader->structure;
  const char *word = get_word (reader, i);

  if (planner_in_list (word, averages)) {
    set_op (structure, PLANNER_OP_AVERAGE, i);
    return 1;
  }
  if (!planner_in_list (word, totals))
    return 0;
  if (is_word (reader, i + 1, "number") || is_word (reader, i + 1, "count") ||
      (i > 0 && is_word (reader, i - 1, "in")))
    return 1;
  set_op (structure, PLANNER_OP_SUM, i);
  return 1;
}

static void
set_superlative (PlannerStructure *structure, PlannerOp op, guint at)
{
  if (structure->superlative != PLANNER_OP_NONE)
    structure->ops += 2;
  structure->superlative = op;
  structure->superlative_at = at;
}

/* "the 5 highest", "top 5", "most recent", "fewest". */
static guint
read_superlative (PlannerReader *reader, guint i)
{
  static const char *const latest[] = { "latest", "newest", NULL };
  static const char *const first[] = { "earliest", "oldest", NULL };
  PlannerStructure *structure = &reader->structure;
  const char *word = get_word (reader, i);
  gint64 count;

  if (g_str_equal (word, "top") && planner_read_count (reader->tokens, i + 1, &count) > 0) {
    set_superlative (structure, PLANNER_OP_MAXIMUM, i);
    structure->limit = count;
    return 2;
  }
  if (g_str_equal (word, "most") && is_word (reader, i + 1, "recent")) {
    set_superlative (structure, PLANNER_OP_MAXIMUM, i);
    structure->is_latest = TRUE;
    return 2;
  }
  if (planner_in_list (word, latest) || planner_in_list (word, first)) {
    set_superlative (structure,
                     planner_in_list (word, latest) ? PLANNER_OP_MAXIMUM : PLANNER_OP_MINIMUM, i);
    structure->is_latest = TRUE;
    return 1;
  }
  if (!planner_in_list (word, highest) && !planner_in_list (word, lowest))
    return 0;
  structure->is_most =
      g_str_equal (word, "most") || g_str_equal (word, "fewest") || g_str_equal (word, "least");
  set_superlative (structure,
                   planner_in_list (word, highest) ? PLANNER_OP_MAXIMUM : PLANNER_OP_MINIMUM, i);
  return 1;
}

/* "which 5", "who": what is asked for is a list of things. */
static guint
read_which (PlannerReader *reader, guint i)
{
  PlannerStructure *structure = &reader->structure;
  gint64 count;
  guint length;
  gboolean is_which = is_word (reader, i, "which") || (is_word (reader, i, "what") && i == 0);

  if (!is_which && !is_word (reader, i, "who"))
    return 0;
  if (is_word (reader, i, "which") || is_word (reader, i, "who"))
    structure->which_at = i;
  length = planner_read_count (reader->tokens, i + 1, &count);
  if (length > 0 && reader->marks[i + 1] == PLANNER_MARK_FREE) {
    structure->which_at = i;
    structure->limit = count;
    return 2;
  }
  return structure->which_at == (int) i ? 1 : 0;
}

/* "per", "by", "for each", "monthly". */
static guint
read_group (PlannerReader *reader, guint i)
{
  static const char *const adverbs[] = {
    "daily", "weekly", "monthly", "quarterly", "yearly", NULL
  };
  static const char *const broken[] = { "broken", "split", "grouped", NULL };
  PlannerStructure *structure = &reader->structure;
  const char *word = get_word (reader, i);
  guint length = 1;
  guint at = i;

  for (guint j = 0; adverbs[j] != NULL; j++) {
    if (g_str_equal (word, adverbs[j])) {
      structure->unit = PLANNER_UNIT_DAY + j;
      return 1;
    }
  }
  if (planner_in_list (word, broken)) {
    length += is_word (reader, i + 1, "down") ? 1 : 0;
    if (!is_word (reader, i + length, "by"))
      return 0;
    length++;
  } else if (!g_str_equal (word, "per") && !g_str_equal (word, "by") &&
             !g_str_equal (word, "each") && !g_str_equal (word, "every")) {
    return 0;
  }
  at = i + length;
  if (is_word (reader, at, "each") || is_word (reader, at, "the"))
    at++;
  if (planner_read_unit (get_word (reader, at)) != PLANNER_UNIT_NONE &&
      !g_str_has_suffix (get_word (reader, at), "s")) {
    structure->unit = planner_read_unit (get_word (reader, at));
    /* "per month and region" */
    if (is_word (reader, ++at, "and"))
      g_array_append_val (structure->group_marks, at);
    return at - i;
  }
  g_array_append_val (structure->group_marks, i);
  return length;
}

static guint
read_negation (PlannerReader *reader, guint i)
{
  const char *word = get_word (reader, i);
  guint length = 0;

  if (planner_in_list (word, negatives))
    length = 1;
  else if (g_str_equal (word, "other") && is_word (reader, i + 1, "than"))
    length = 2;
  if (length > 0)
    g_array_append_val (reader->structure.negations, i);
  return length;
}

static void
comparison_free (gpointer data)
{
  PlannerComparison *comparison = data;

  g_free (comparison->number);
  g_free (comparison->upper);
  g_free (comparison->unit);
  g_free (comparison);
}

/* "5000", "5k", "2 million" are what they say; the number is kept in digits. */
static guint
read_amount (PlannerReader *reader, guint i, char **number)
{
  PlannerToken *token;

  if (i < reader->tokens->len && strchr ("$€", *get_word (reader, i)) != NULL &&
      *get_word (reader, i) != '\0') {
    guint rest = read_amount (reader, i + 1, number);

    return rest > 0 ? rest + 1 : 0;
  }
  if (*get_word (reader, i) == '\0')
    return 0;
  token = g_ptr_array_index (reader->tokens, i);
  if (!token->is_number)
    return 0;
  if (is_word (reader, i + 1, "thousand") || is_word (reader, i + 1, "million")) {
    if (strchr (token->word, '.') != NULL)
      return 0;
    *number =
        g_strconcat (token->word, is_word (reader, i + 1, "million") ? "000000" : "000", NULL);
    return 2;
  }
  *number = g_strdup (token->word);
  return 1;
}

/* The sign of a comparison before a number. */
static guint
read_sign (PlannerReader *reader, guint i, const char **sign)
{
  static const struct {
    const char *words[3];
    const char *sign;
  } signs[] = {
    { { "more", "than", NULL }, ">" },
    { { "greater", "than", NULL }, ">" },
    { { "higher", "than", NULL }, ">" },
    { { "larger", "than", NULL }, ">" },
    { { "over", NULL }, ">" },
    { { "above", NULL }, ">" },
    { { "exceeding", NULL }, ">" },
    { { "less", "than", NULL }, "<" },
    { { "fewer", "than", NULL }, "<" },
    { { "lower", "than", NULL }, "<" },
    { { "smaller", "than", NULL }, "<" },
    { { "under", NULL }, "<" },
    { { "below", NULL }, "<" },
    { { "at", "least", NULL }, ">=" },
    { { "at", "most", NULL }, "<=" },
    { { "up", "to", NULL }, "<=" },
    { { "exactly", NULL }, "=" },
    { { "equal", "to", NULL }, "=" },
    { { ">", "=", NULL }, ">=" },
    { { "<", "=", NULL }, "<=" },
    { { ">", NULL }, ">" },
    { { "<", NULL }, "<" },
    { { "=", NULL }, "=" },
    { { "exceed", NULL }, ">" },
  };

  for (guint j = 0; j < G_N_ELEMENTS (signs); j++) {
    guint n = 0;

    while (signs[j].words[n] != NULL && is_word (reader, i + n, signs[j].words[n]))
      n++;
    if (signs[j].words[n] == NULL) {
      *sign = signs[j].sign;
      return n;
    }
  }
  return 0;
}

/* "5000 or more", "10 or less" after the number. */
static guint
read_or_more (PlannerReader *reader, guint i, const char **sign)
{
  if (!is_word (reader, i, "or"))
    return 0;
  if (is_word (reader, i + 1, "more") || is_word (reader, i + 1, "higher") ||
      is_word (reader, i + 1, "above"))
    *sign = ">=";
  else if (is_word (reader, i + 1, "less") || is_word (reader, i + 1, "fewer") ||
           is_word (reader, i + 1, "below"))
    *sign = "<=";
  else
    return 0;
  return 2;
}

static char *
read_unit_word (PlannerReader *reader, guint i)
{
  const char *word = get_word (reader, i);
  g_auto (GStrv) units = *word != '\0' ? planner_unit_words (word) : NULL;

  return units != NULL && units[0] != NULL ? g_strdup (word) : NULL;
}

static guint
read_comparison (PlannerReader *reader, guint i)
{
  g_autofree char *number = NULL;
  g_autofree char *upper = NULL;
  const char *sign = NULL;
  PlannerComparison *comparison;
  guint start = i;
  gboolean between = is_word (reader, i, "between");
  guint length = between ? 1 : read_sign (reader, i, &sign);

  i += length;
  length = read_amount (reader, i, &number);
  i += length;
  if (length == 0)
    return 0;
  if (between) {
    length = is_word (reader, i, "and") ? read_amount (reader, i + 1, &upper) : 0;
    if (length == 0)
      return 0;
    i += length + 1;
    sign = "between";
  } else if (sign == NULL) {
    i += read_or_more (reader, i, &sign);
    if (sign == NULL)
      return 0;
  }
  comparison = g_new0 (PlannerComparison, 1);
  comparison->unit = read_unit_word (reader, i);
  i += comparison->unit != NULL ? 1 : 0;
  comparison->first = start;
  comparison->last = i - 1;
  comparison->sign = sign;
  comparison->number = g_steal_pointer (&number);
  comparison->upper = g_steal_pointer (&upper);
  g_ptr_array_add (reader->structure.comparisons, comparison);
  return i - start;
}

/* Whether the word before a bare number says that it is compared with, so that it is no year. */
static gboolean
is_compared (PlannerReader *reader, guint i)
{
  static const char *const words[] = { "than", "over",      "above",  "under",   "below", "least",
                                       "most", "exceeding", "to",     "exactly", "and",   "=",
                                       "<",    ">",         "exceed", NULL };

  return i > 0 && ((PlannerToken *) g_ptr_array_index (reader->tokens, i))->is_number &&
         planner_in_list (get_word (reader, i - 1), words);
}

static guint
read_period (PlannerReader *reader, guint i)
{
  PlannerStructure *structure = &reader->structure;
  PlannerPeriod period;
  guint length =
      is_compared (reader, i) ? 0 : planner_read_period (reader->tokens, i, reader->today, &period);

  for (guint j = i; j < i + length; j++) {
    if (reader->marks[j] != PLANNER_MARK_FREE)
      return 0;
  }
  if (length == 0)
    return 0;
  structure->periods++;
  structure->period = period;
  structure->period_first = i;
  structure->period_last = i + length - 1;
  return length;
}

static guint
read_distinct (PlannerReader *reader, guint i)
{
  if (!planner_in_list (get_word (reader, i), differents))
    return 0;
  reader->structure.distinct = TRUE;
  return 1;
}

/* Words that repeat what the form says already. */
static guint
read_rest (PlannerReader *reader, guint i)
{
  static const char *const trend[] = { "trend",  "develop", "developed", "development",
                                       "evolve", "evolved", NULL };

  if (reader->structure.unit != PLANNER_UNIT_NONE && planner_in_list (get_word (reader, i), trend))
    return 1;
  if (is_word (reader, i, "how") &&
      (is_word (reader, i + 1, "did") || is_word (reader, i + 1, "has") ||
       is_word (reader, i + 1, "have")) &&
      i == 0)
    return 2;
  if (is_word (reader, i, "when") && is_word (reader, i + 1, "was"))
    return 2;
  return 0;
}

typedef guint (*Read) (PlannerReader *reader, guint i);

static void
run (PlannerReader *reader, Read read)
{
  for (guint i = 0; i < reader->tokens->len; i++) {
    guint length = reader->marks[i] == PLANNER_MARK_FREE ? read (reader, i) : 0;

    for (guint j = i; j < MIN (i + length, reader->tokens->len); j++)
      reader->marks[j] = PLANNER_MARK_STRUCTURE;
    if (length > 0)
      i += length - 1;
  }
}

/** planner_read_structure: reads what the question says by its form */
void
planner_read_structure (PlannerReader *reader)
{
  static const Read reads[] = { read_how,         read_period, read_comparison, read_aggregate,
                                read_superlative, read_which,  read_group,      read_negation,
                                read_distinct,    read_rest };

  reader->structure.which_at = -1;
  reader->structure.group_marks = g_array_new (FALSE, FALSE, sizeof (guint));
  reader->structure.negations = g_array_new (FALSE, FALSE, sizeof (guint));
  reader->structure.comparisons = g_ptr_array_new_with_free_func (comparison_free);
  for (guint i = 0; i < G_N_ELEMENTS (reads); i++)
    run (reader, reads[i]);
}

/** planner_structure_clear: frees what @structure holds */
void
planner_structure_clear (PlannerStructure *structure)
{
  g_array_unref (structure->group_marks);
  g_array_unref (structure->negations);
  g_ptr_array_unref (structure->comparisons);
}
