/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-build.h"

#include <string.h>

/* Tables of the smallest database that may hold several systems. */
#define MIN_DATABASE 40
/* A first word that fewer tables share is chance; one that more share, as tbl_, tells nothing. */
#define MIN_GROUP 4
#define MAX_GROUP_SHARE 0.3f

/* Words of a question from which on the groups of names count, and from which on they count fully: who asks
 * for little asks for one table. */
#define SHORT_QUESTION 5
#define LONG_QUESTION 15

/* What has been chosen already of one database. */
typedef struct {
  const PlumbScores *scores;
  const PlumbTableGraph *graph;
  const float *told;      /* for each word, how well the chosen tables hold it */
  GHashTable *groups;     /* groups of the chosen tables, of all databases */
  float repeat;
  float group;
} Chosen;

/* Bytes of the first word of a table's name, where another word follows; 0 where none does. */
static gsize
get_first_word (const char *name)
{
  gsize n = 0, next;

  while (g_ascii_isalpha (name[n]) || (guchar) name[n] >= 0x80) {
    if (n > 0 && g_ascii_isupper (name[n]) && g_ascii_islower (name[n - 1]))
      break;
    if (n > 1 && g_ascii_islower (name[n]) && g_ascii_isupper (name[n - 1]) && g_ascii_isupper (name[n - 2])) {
      n--;
      break;
    }
    n++;
  }
  next = n;
  while (g_ascii_ispunct (name[next]) || name[next] == ' ')
    next++;
  return g_ascii_isalpha (name[next]) || (guchar) name[next] >= 0x80 ? n : 0;
}

/* Whether two neighbours in the order of names are of one schema and begin with the same word. */
static gboolean
is_same_group (PlumbCard *one, PlumbCard *other)
{
  const char *own = plumb_card_get_own_name (one), *others = plumb_card_get_own_name (other);
  gsize n = get_first_word (own);

  return n > 0 && n == get_first_word (others) && own - one->name == others - other->name &&
         strncmp (one->name, other->name, own - one->name + n) == 0 && strcmp (one->schema, other->schema) == 0;
}

static guint
count_live (const gint32 *live_of, guint start, guint end)
{
  guint n = 0;

  for (guint i = start; i < end; i++)
    n += live_of[i] < 0;
  return n;
}

/* Numbers the groups of the tables of one database. */
static void
find_groups (GPtrArray *cards, const gint32 *live_of, guint start, guint end, guint32 *group_of, guint32 *n_groups)
{
  guint n_live = count_live (live_of, start, end);
  guint most = n_live >= MIN_DATABASE ? MAX_GROUP_SHARE * n_live : 0;

  for (guint i = start, next; i < end; i = next) {
    guint n;

    for (next = i + 1; next < end; next++) {
      if (!is_same_group (g_ptr_array_index (cards, next - 1), g_ptr_array_index (cards, next)))
        break;
    }
    n = count_live (live_of, i, next);
    if (n < MIN_GROUP || n > most)
      continue;
    *n_groups += 1;
    for (guint j = i; j < next; j++)
      group_of[j] = *n_groups;
  }
}

/**
 * plumb_name_groups_find:
 * @cards: (element-type PlumbCard): the tables, sorted by database, schema and name
 * @database_of: (array): for each the number of its database
 * @live_of: (array): for each the live table that it is a copy of, -1 for none
 *
 * Large databases hold systems side by side, whose tables are told apart by the first word of their names
 * (HR_PERSON and HR_UNIT, SHOP_PERSON and SHOP_ORDER).
 *
 * Returns: (transfer full) (array): for each table the group that its name puts it in, from 1 on, 0 for none
 */
guint32 *
plumb_name_groups_find (GPtrArray *cards, const guint32 *database_of, const gint32 *live_of)
{
  guint32 *group_of = g_new0 (guint32, MAX (cards->len, 1));
  guint32 n_groups = 0;

  for (guint start = 0, end; start < cards->len; start = end) {
    for (end = start + 1; end < cards->len && database_of[end] == database_of[start]; end++)
      continue;
    find_groups (cards, live_of, start, end, group_of, &n_groups);
  }
  return group_of;
}

/* What of a table's words others of its database have told already. */
static float
get_repeated (const PlumbScores *self, guint table, const float *told)
{
  float repeated = 0;

  for (guint unit = 0; unit < self->n_units; unit++)
    repeated += self->rarity[unit] * MIN (self->weights[(gsize) unit * self->n_tables + table], told[unit]);
  return repeated;
}

static gboolean
is_of_chosen_group (const Chosen *chosen, guint table)
{
  guint32 group = chosen->graph->group_of[table];

  return group > 0 && g_hash_table_contains (chosen->groups, GUINT_TO_POINTER (group));
}

/* Of the tables of @database from @start on, the place of the one that tells most that is new. */
static guint
find_newest (const Chosen *chosen, const GArray *order, guint start, guint end, guint32 database)
{
  guint winner = start;
  float best = -G_MAXFLOAT;

  for (guint i = start; i < end; i++) {
    const PlumbPosting *entry = &g_array_index (order, PlumbPosting, i);
    float value;

    if (chosen->graph->database_of[entry->table] != database)
      continue;
    value = entry->weight - chosen->repeat * get_repeated (chosen->scores, entry->table, chosen->told);
    if (is_of_chosen_group (chosen, entry->table))
      value += chosen->group;
    if (value > best) {
      best = value;
      winner = i;
    }
  }
  return winner;
}

static float
get_most_telling (const PlumbScores *self)
{
  float most = 0;

  for (guint unit = 0; unit < self->n_units; unit++)
    most = MAX (most, self->rarity[unit]);
  return most;
}

/**
 * plumb_scores_diversify:
 * @order: (element-type PlumbPosting): tables with their scores, best first
 * @n: how many places matter
 *
 * Several tables that tell the same of a question leave no place for one that tells the rest of it,
 * and a statement needs all of its tables. So within a database (which keeps its places) the next
 * table is the one with the best score after a discount for what those before it told already. A
 * statement also stays within one system: tables of a group that has been chosen from are preferred,
 * by what the rarest word of the question says.
 */
void
plumb_scores_diversify (const PlumbScores *self, GArray *order, guint n, const PlumbTableGraph *graph,
                        const PlumbSearchWeights *weights)
{
  guint end = MIN (order->len, 4 * n);
  g_autofree float *told = g_new0 (float, MAX ((gsize) graph->n_databases * self->n_units, 1));
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);
  Chosen chosen = { self, graph, .groups = groups };

  /* The longer a question, the more tables it takes to answer it. */
  chosen.repeat = weights->repeat * CLAMP (self->n_units / 10.0f, 0.5f, 2.0f);
  chosen.group = weights->group * get_most_telling (self) *
                 CLAMP (((float) self->n_units - SHORT_QUESTION) / (LONG_QUESTION - SHORT_QUESTION), 0, 1);
  for (guint i = 0; i < MIN (n, end); i++) {
    PlumbPosting *here = &g_array_index (order, PlumbPosting, i);
    guint32 database = graph->database_of[here->table];
    float *own = told + (gsize) database * self->n_units;
    PlumbPosting winner;
    guint place;

    chosen.told = own;
    place = find_newest (&chosen, order, i, end, database);
    winner = g_array_index (order, PlumbPosting, place);
    /* The others move back by one, each kept in its order; the score stays one that falls. */
    for (guint j = place; j > i; j--)
      g_array_index (order, PlumbPosting, j) = g_array_index (order, PlumbPosting, j - 1);
    g_array_index (order, PlumbPosting, i) = winner;
    for (guint unit = 0; unit < self->n_units; unit++)
      own[unit] = MAX (own[unit], self->weights[(gsize) unit * self->n_tables + winner.table]);
    g_hash_table_add (groups, GUINT_TO_POINTER (graph->group_of[winner.table]));
  }
}
