/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-join-graph-private.h"

/** plumb_join_step_get_cardinality: Returns: the cardinality in the direction in which @step goes
 */
PlumbCardinality
plumb_join_step_get_cardinality (const PlumbJoinStep *step)
{
  return step->reversed ? plumb_cardinality_reverse (step->edge->cardinality)
                        : step->edge->cardinality;
}

/* A join stays within one database, and SQL doesn't name that one. */
static char *
format_table (const PlumbTableName *table)
{
  return plumb_table_name_join (NULL, table->schema, table->table);
}

static char *
format_column (const PlumbTableName *table, const char *column)
{
  g_autofree char *name = format_table (table);
  g_autofree char *part = plumb_table_name_quote_part (column);

  return g_strdup_printf ("%s.%s", name, part);
}

/** plumb_join_edge_format_keys: Returns: (transfer full): "s.a.x = s.b.y AND s.a.z = s.b.w", as SQL
 *  has it */
char *
plumb_join_edge_format_keys (PlumbJoinEdge *edge, gboolean reversed)
{
  const PlumbTableName *from = reversed ? edge->right : edge->left;
  const PlumbTableName *to = reversed ? edge->left : edge->right;
  GStrv from_columns = reversed ? edge->right_columns : edge->left_columns;
  GStrv to_columns = reversed ? edge->left_columns : edge->right_columns;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; from_columns[i] != NULL && to_columns[i] != NULL; i++) {
    g_autofree char *left = format_column (from, from_columns[i]);
    g_autofree char *right = format_column (to, to_columns[i]);

    g_string_append_printf (text, "%s%s = %s", i > 0 ? " AND " : "", left, right);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const char *
describe_cardinality (PlumbCardinality cardinality)
{
  switch (cardinality) {
  case PLUMB_CARDINALITY_ONE_TO_ONE:
    return "one to one";
  case PLUMB_CARDINALITY_MANY_TO_ONE:
    return "many to one";
  case PLUMB_CARDINALITY_ONE_TO_MANY:
    return "one to many";
  case PLUMB_CARDINALITY_MANY_TO_MANY:
    return "many to many";
  case PLUMB_CARDINALITY_UNKNOWN:
  default:
    return "cardinality unknown";
  }
}

static const char *
describe_basis (PlumbJoinEdge *edge)
{
  if (g_strcmp0 (edge->basis, "declared") == 0)
    return "declared foreign key";
  if (edge->trust == 1)
    return "confirmed by a person";
  if (edge->trust == 2)
    return "measured on the data";
  return "names and types of the keys match";
}

/**
 * plumb_join_step_describe:
 * @step: a step of a path
 *
 * Says how to join in the words that the edge's trust allows (DESIGN section 6): "Use …" for what
 * is confirmed or measured, "Likely …" for what isn't.
 *
 * Returns: (transfer full): a sentence or two
 */
char *
plumb_join_step_describe (const PlumbJoinStep *step)
{
  PlumbJoinEdge *edge = step->edge;
  g_autofree char *keys = plumb_join_edge_format_keys (edge, step->reversed);
  const char *cardinality = describe_cardinality (plumb_join_step_get_cardinality (step));
  g_autoptr (GString) text = g_string_new (NULL);

  if (edge->trust <= 2)
    g_string_printf (text, "Use %s (%s, %s).", keys, cardinality, describe_basis (edge));
  else if (edge->trust == 3)
    g_string_printf (text, "Likely %s (%s, %s); check cardinality and row counts first.", keys,
                     cardinality, describe_basis (edge));
  else
    g_string_printf (text, "Only a guess, not to be used before a person confirms it: %s.", keys);
  if (edge->trust == 2 && edge->evidence != NULL)
    g_string_append_printf (text, " Measured: %s%s", edge->evidence,
                            g_str_has_suffix (edge->evidence, ".") ? "" : ".");
  if (edge->temporal_rule != NULL)
    g_string_append_printf (text, " It also needs the condition %s.", edge->temporal_rule);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
append_sentence (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
append_sentence (GString *text, const char *format, ...)
{
  va_list values;

  if (text->len > 0)
    g_string_append_c (text, ' ');
  va_start (values, format);
  g_string_append_vprintf (text, format, values);
  va_end (values);
}

static void
warn_of_fan_out (GString *text, const PlumbJoinStep *step)
{
  g_autofree char *from = format_table (step->reversed ? step->edge->right : step->edge->left);
  g_autofree char *to = format_table (step->reversed ? step->edge->left : step->edge->right);

  switch (plumb_join_step_get_cardinality (step)) {
  case PLUMB_CARDINALITY_ONE_TO_MANY:
    append_sentence (text,
                     "One row of %s can match many of %s: what was joined before is repeated, so "
                     "add up or count it before this join, or count distinct keys.",
                     from, to);
    break;
  case PLUMB_CARDINALITY_MANY_TO_MANY:
    append_sentence (text,
                     "Many rows of %s match many of %s: both are repeated, so add up each side "
                     "before joining.",
                     from, to);
    break;
  case PLUMB_CARDINALITY_UNKNOWN:
    append_sentence (text,
                     "It is not known whether a row of %s matches many of %s: compare row counts "
                     "before and after the join.",
                     from, to);
    break;
  case PLUMB_CARDINALITY_ONE_TO_ONE:
  case PLUMB_CARDINALITY_MANY_TO_ONE:
  default:
    break;
  }
}

/* Two dimensions meet in more than one fact, and each answers another question. */
static void
warn_of_passing (GString *text, const PlumbJoinStep *step)
{
  PlumbCardinality cardinality = plumb_join_step_get_cardinality (step);
  g_autofree char *to = format_table (step->reversed ? step->edge->left : step->edge->right);

  if (cardinality == PLUMB_CARDINALITY_ONE_TO_MANY || cardinality == PLUMB_CARDINALITY_MANY_TO_MANY)
    append_sentence (text,
                     "The path leads through %s, which was not asked for: make sure that the "
                     "question is about it, or name the table that it is about.",
                     to);
}

/**
 * plumb_join_step_warn:
 * @step: a step of a path
 * @n_rivals: other edges between the same tables that deserve as much trust
 * @passes: whether the table that the step leads to was not asked for
 *
 * Returns: (transfer full) (nullable): what to beware of; %NULL for nothing
 */
char *
plumb_join_step_warn (const PlumbJoinStep *step, guint n_rivals, gboolean passes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  warn_of_fan_out (text, step);
  if (passes)
    warn_of_passing (text, step);
  if (step->edge->trust >= 3)
    append_sentence (text,
                     "Nobody has confirmed this join: its key names and types match, no more; "
                     "check cardinality and row counts first.");
  if (step->edge->state == PLUMB_EDGE_STALE)
    append_sentence (text, "This join is out of date: a key column changed or vanished.");
  if (n_rivals > 0)
    append_sentence (text, "%u other %s between these two tables (see the alternatives): make sure "
                           "that the question means this one%s%s%s.", n_rivals,
                     n_rivals == 1 ? "join is known" : "joins are known",
                     step->edge->name != NULL ? ", “" : "",
                     step->edge->name != NULL ? step->edge->name : "",
                     step->edge->name != NULL ? "”" : "");
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
