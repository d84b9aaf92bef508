/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-check-private.h"

/* What the joins do to the rows of one table. Of several findings the worst is kept. */
typedef enum {
  ROWS_KEPT,
  ROWS_UNDECIDED,
  ROWS_FAN,
  ROWS_CHASM,
} Effect;

/* What happens to the rows of @table: @by is the table whose join repeats them. */
typedef struct {
  Effect effect;
  int table;
  int by;
} Finding;

/* Repeated rows don't change what these say. */
static gboolean
is_immune (const PlumbSqlAggregate *aggregate)
{
  static const char *const immune[] = {
    "min",    "max",       "any",          "any_value", "anylast", "argmin",
    "argmax", "bool_and",  "bool_or",      "every",     "bit_and", "bit_or",
    "uniq",   "uniqexact", "uniqcombined", "uniqhll12", NULL,
  };

  return g_strv_contains (immune, aggregate->function) ||
         (aggregate->distinct && g_strcmp0 (aggregate->function, "sum") != 0 &&
          g_strcmp0 (aggregate->function, "avg") != 0);
}

static PlumbCardinality
get_cardinality (const PlumbCheckedJoin *join, int from)
{
  return join->left == from ? join->cardinality : plumb_cardinality_reverse (join->cardinality);
}

/* What a join does to the rows of the table that the walk began at, @indirect where that table has
 * reached the join through another: then two tables meet at a third that both refer to. */
static Effect
get_effect (PlumbCardinality cardinality, gboolean indirect)
{
  switch (cardinality) {
  case PLUMB_CARDINALITY_ONE_TO_MANY:
    return indirect ? ROWS_CHASM : ROWS_FAN;
  case PLUMB_CARDINALITY_MANY_TO_MANY:
    return ROWS_CHASM;
  case PLUMB_CARDINALITY_UNKNOWN:
    return ROWS_UNDECIDED;
  case PLUMB_CARDINALITY_ONE_TO_ONE:
  case PLUMB_CARDINALITY_MANY_TO_ONE:
  default:
    return ROWS_KEPT;
  }
}

/* Walks all joins from @table outward. @came_up says of a reached table that a many-to-one join
 * lies behind it. */
static Finding
find_effect (PlumbJoinCheck *self, int table)
{
  guint n_tables = self->statement->tables->len;
  g_autofree gboolean *reached = g_new0 (gboolean, n_tables);
  g_autofree gboolean *came_up = g_new0 (gboolean, n_tables);
  Finding finding = { ROWS_KEPT, table, -1 };
  gboolean any = TRUE;

  reached[table] = TRUE;
  while (any) {
    any = FALSE;
    for (guint i = 0; i < self->joins->len; i++) {
      const PlumbCheckedJoin *join = &g_array_index (self->joins, PlumbCheckedJoin, i);
      int from = reached[join->left] ? join->left : join->right;
      int to = from == join->left ? join->right : join->left;
      PlumbCardinality cardinality = get_cardinality (join, from);
      Effect effect;

      if (!reached[from] || reached[to])
        continue;
      effect = get_effect (cardinality, came_up[from]);
      if (effect > finding.effect)
        finding = (Finding) { effect, table, to };
      reached[to] = TRUE;
      came_up[to] = came_up[from] || cardinality == PLUMB_CARDINALITY_MANY_TO_ONE;
      any = TRUE;
    }
  }
  return finding;
}

static gboolean
joins_itself (PlumbJoinCheck *self, int table)
{
  for (guint i = 0; i < self->joins->len; i++) {
    const PlumbCheckedJoin *join = &g_array_index (self->joins, PlumbCheckedJoin, i);

    if (join->left == table && join->right == table)
      return TRUE;
  }
  return FALSE;
}

static char *
format_aggregate (PlumbJoinCheck *self, const PlumbSqlAggregate *aggregate)
{
  g_autofree char *function = g_ascii_strup (aggregate->function, -1);
  const char *distinct = aggregate->distinct ? "DISTINCT " : "";
  g_autofree char *column = NULL;
  g_autofree char *table = NULL;

  if (aggregate->star)
    return g_strdup_printf ("%s(*)", function);
  if (aggregate->table < 0 || aggregate->column == NULL)
    return g_strdup_printf ("%s(%s…)", function, distinct);
  table = plumb_join_check_name_table (self, aggregate->table);
  column = plumb_table_name_quote_part (aggregate->column);
  return g_strdup_printf ("%s(%s%s.%s)", function, distinct, table, column);
}

static void
warn_of_finding (PlumbJoinCheck *self, const Finding *finding, const char *what)
{
  g_autofree char *table = plumb_join_check_name_table (self, finding->table);
  g_autofree char *by = finding->by >= 0 ? plumb_join_check_name_table (self, finding->by) : NULL;

  switch (finding->effect) {
  case ROWS_FAN:
    plumb_join_check_warn (
        self,
        "Fan trap: the join with %s repeats rows of %s, so %s takes them several "
        "times. Aggregate before joining, or count distinct keys.",
        by, table, what);
    break;
  case ROWS_CHASM:
    plumb_join_check_warn (
        self,
        "Chasm trap: rows of %s and of %s are combined with each other, so %s "
        "takes them several times. Aggregate each in a subquery of its own, then "
        "join.",
        table, by, what);
    break;
  case ROWS_UNDECIDED:
    plumb_join_check_warn (
        self,
        "Undecided: it is not known whether the join with %s repeats rows of %s, "
        "which %s would take several times. Compare row counts.",
        by, table, what);
    break;
  case ROWS_KEPT:
  default:
    break;
  }
}

static void
check_of_table (PlumbJoinCheck *self, const PlumbSqlAggregate *aggregate, const char *what)
{
  Finding finding = find_effect (self, aggregate->table);

  if (joins_itself (self, aggregate->table)) {
    g_autofree char *table = plumb_join_check_name_table (self, aggregate->table);

    plumb_join_check_warn (
        self,
        "Undecided: %s is joined with itself, so it can't be told whether %s takes "
        "rows several times. Compare row counts.",
        table, what);
  }
  warn_of_finding (self, &finding, what);
}

static gboolean
is_joined (PlumbJoinCheck *self, int table)
{
  for (guint i = 0; i < self->joins->len; i++) {
    const PlumbCheckedJoin *join = &g_array_index (self->joins, PlumbCheckedJoin, i);

    if (join->left == table || join->right == table)
      return TRUE;
  }
  return FALSE;
}

/* The first joined table of the statement that @wanted is true of, -1 for none. */
static int
find_joined (PlumbJoinCheck *self, gboolean (*wanted) (PlumbJoinCheck *, int))
{
  for (guint i = 0; i < self->statement->tables->len; i++) {
    if (is_joined (self, i) && wanted (self, i))
      return i;
  }
  return -1;
}

/* Whether the joins leave the rows of @table as they are: it is the grain of the result. */
static gboolean
is_grain (PlumbJoinCheck *self, int table)
{
  return find_effect (self, table).effect == ROWS_KEPT;
}

static gboolean
all_kept (PlumbJoinCheck *self)
{
  for (guint i = 0; i < self->joins->len; i++) {
    if (g_array_index (self->joins, PlumbCheckedJoin, i).cardinality !=
        PLUMB_CARDINALITY_ONE_TO_ONE)
      return FALSE;
  }
  return TRUE;
}

/* COUNT(*) counts joined rows; it is taken to be meant for the first table of the statement. */
static void
check_count (PlumbJoinCheck *self, int first, const char *what)
{
  Finding finding = find_effect (self, first);
  int grain = find_joined (self, is_grain);

  if (finding.effect == ROWS_FAN && grain >= 0) {
    g_autofree char *table = plumb_join_check_name_table (self, first);
    g_autofree char *counted = plumb_join_check_name_table (self, grain);

    plumb_join_check_warn (
        self,
        "Fan trap: %s counts rows of %s here, of which one row of %s can have many. "
        "To count %s, count its distinct keys.",
        what, counted, table, table);
  } else {
    warn_of_finding (self, &finding, what);
  }
}

/* An argument whose table can't be told is safe only where it is of the table whose rows stay. */
static void
check_of_unknown (PlumbJoinCheck *self, const char *what)
{
  int grain = find_joined (self, is_grain);

  if (all_kept (self))
    return;
  if (grain >= 0) {
    g_autofree char *table = plumb_join_check_name_table (self, grain);

    plumb_join_check_warn (self,
                           "Undecided: it can't be told from which table %s takes its values. They "
                           "are counted once only if they are those of a row of %s.",
                           what, table);
  } else {
    plumb_join_check_warn (
        self,
        "Undecided: it can't be told from which table %s takes its values, and the "
        "joins may repeat rows of every table. Compare row counts.",
        what);
  }
}

/**
 * plumb_join_check_aggregates:
 * @self: a check whose joins were read
 *
 * Warns of aggregates that take a row more than once because a join repeats it. MIN, MAX and
 * COUNT(DISTINCT) don't mind.
 */
void
plumb_join_check_aggregates (PlumbJoinCheck *self)
{
  int first = find_joined (self, is_joined);

  for (guint i = 0; first >= 0 && i < self->statement->aggregates->len; i++) {
    const PlumbSqlAggregate *aggregate = g_ptr_array_index (self->statement->aggregates, i);
    g_autofree char *what = NULL;

    if (aggregate->select != self->select || is_immune (aggregate))
      continue;
    what = format_aggregate (self, aggregate);
    if (aggregate->star)
      check_count (self, first, what);
    else if (aggregate->table >= 0 && (guint) aggregate->table < self->statement->tables->len)
      check_of_table (self, aggregate, what);
    else
      check_of_unknown (self, what);
  }
}
