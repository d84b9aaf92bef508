/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-text.h"

#include <string.h>

/* A key of several columns that more tables than this carry says nothing about a join. */
#define MAX_TABLES_WITH_COLUMN 200

/* Words that keys of all tables have in common: a name made of them alone leads nowhere. */
static const char *const generic_words[] = {
  "id", "no", "nr", "num", "nbr", "number", "cd", "code", "key", "seq", "sn", "uid", "uuid", "guid",
  "name", "nm", "status", "stat", "type", "typ", "date", "dt", "yn", "ln", "line", "row", "year",
  "month", "yy", "mm", "ym", "day", "grp", "group", "lang", "locale", "version", "value", "val",
  "rec", "index", "idx", "pk", "sk", "1", "2", NULL,
};

/* The last words of columns that carry another table's key. */
static const char *const key_words[] = {
  "id", "no", "nr", "num", "nbr", "number", "cd", "code", "key", "uid", "uuid", "guid", "pk", "sk",
  "fk", NULL,
};

typedef struct {
  PlumbTable *table;
  PlumbCard *card;
  guint position;
} Side;

typedef struct {
  PlumbCatalog *catalog;
  GPtrArray *sides;
  GHashTable *by_name;     /* "schema\ntable" → Side */
  GHashTable *by_key;      /* folded name of a key of one column → GPtrArray of Side */
  GHashTable *by_word; /* words of a table's name → GPtrArray of Side with a key of one column */
  GHashTable *by_column;   /* folded column name → GPtrArray of Side */
  GHashTable *seen;        /* edges that stand already */
  GPtrArray *edges;
} Finder;

static void
add_to (GHashTable *lists, char *key, Side *side)
{
  GPtrArray *list = g_hash_table_lookup (lists, key);

  if (list == NULL) {
    list = g_ptr_array_new ();
    g_hash_table_insert (lists, key, list);
  } else {
    g_free (key);
  }
  g_ptr_array_add (list, side);
}

static gboolean
is_copy (const Side *side)
{
  return side->card->copy_of != NULL;
}

/* The one column of the key, NULL where the key has several or there is none. */
static const char *
get_single_key (const PlumbTable *table)
{
  return table->primary_key != NULL && g_strv_length (table->primary_key) == 1
             ? table->primary_key[0]
             : NULL;
}

static gboolean
is_generic (GPtrArray *words)
{
  for (guint i = 0; i < words->len; i++) {
    if (!g_strv_contains (generic_words, g_ptr_array_index (words, i)))
      return FALSE;
  }
  return TRUE;
}

static char *
without_plural (const char *word)
{
  gsize length = strlen (word);

  if (length > 4 && g_str_has_suffix (word, "ies"))
    return g_strdup_printf ("%.*sy", (int) length - 3, word);
  if (length > 3 && g_str_has_suffix (word, "s") && !g_str_has_suffix (word, "ss") &&
      !g_str_has_suffix (word, "us"))
    return g_strndup (word, length - 1);
  return g_strdup (word);
}

/* The words of a table's name that say what it holds: "TB_CUST_MST" and "customers" are "cust" and
 * "customer". */
static char *
get_subject (const char *name)
{
  static const char *const empty_words[] = {
    "t", "tb", "tbl", "mst", "mstr", "master", "info", "dim", "fact", "dtl", "tab", "table", NULL,
  };
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (name);
  g_autoptr (GString) subject = g_string_new (NULL);

  for (guint i = 0; i < words->len; i++) {
    const char *word = g_ptr_array_index (words, i);
    g_autofree char *singular = without_plural (word);

    if (!g_strv_contains (empty_words, word))
      g_string_append_printf (subject, "%s%s", subject->len > 0 ? "_" : "", singular);
  }
  return g_string_free (g_steal_pointer (&subject), FALSE);
}

static GHashTable *
new_lists (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                (GDestroyNotify) g_ptr_array_unref);
}

static void
finder_init (Finder *self, PlumbCatalog *catalog, GPtrArray *cards)
{
  self->catalog = catalog;
  self->sides = g_ptr_array_new_with_free_func (g_free);
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_key = new_lists ();
  self->by_word = new_lists ();
  self->by_column = new_lists ();
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->edges = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_join_edge_unref);
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);
    Side *side = g_new0 (Side, 1);
    const char *key = get_single_key (table);

    side->table = table;
    side->card = g_ptr_array_index (cards, i);
    side->position = i;
    g_ptr_array_add (self->sides, side);
    g_hash_table_insert (self->by_name, g_strconcat (table->schema, "\n", table->name, NULL), side);
    if (is_copy (side))
      continue;
    if (key != NULL && side->card->status != PLUMB_STATUS_PARTITION) {
      add_to (self->by_key, plumb_text_fold (key), side);
      add_to (self->by_word, get_subject (table->name), side);
    }
    for (guint j = 0; j < table->columns->len; j++) {
      PlumbColumn *column = g_ptr_array_index (table->columns, j);

      add_to (self->by_column, plumb_text_fold (column->name), side);
    }
  }
}

static GPtrArray *
finder_finish (Finder *self)
{
  g_ptr_array_unref (self->sides);
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->by_word);
  g_hash_table_unref (self->by_column);
  g_hash_table_unref (self->seen);
  return self->edges;
}

static gboolean
has_all (GStrv columns, GStrv wanted)
{
  for (guint i = 0; wanted[i] != NULL; i++) {
    if (!g_strv_contains ((const char *const *) columns, wanted[i]))
      return FALSE;
  }
  return TRUE;
}

/* Whether the columns hold each combination once: they cover the primary key or a unique key. */
static gboolean
is_unique (const PlumbTable *table, GStrv columns)
{
  if (table->primary_key != NULL && has_all (columns, table->primary_key))
    return TRUE;
  for (guint i = 0; i < table->unique_keys->len; i++) {
    if (has_all (columns, g_ptr_array_index (table->unique_keys, i)))
      return TRUE;
  }
  return FALSE;
}

static PlumbCardinality
find_cardinality (const PlumbTable *left, GStrv left_columns, const PlumbTable *right,
                  GStrv right_columns)
{
  gboolean left_unique = is_unique (left, left_columns);
  gboolean right_unique = is_unique (right, right_columns);

  if (left_unique && right_unique)
    return PLUMB_CARDINALITY_ONE_TO_ONE;
  if (right_unique)
    return PLUMB_CARDINALITY_MANY_TO_ONE;
  return left_unique ? PLUMB_CARDINALITY_ONE_TO_MANY : PLUMB_CARDINALITY_MANY_TO_MANY;
}

static char *
make_pair_key (const Side *left, GStrv left_columns, const Side *right, GStrv right_columns)
{
  g_autofree char *a = g_strjoinv (",", left_columns);
  g_autofree char *b = g_strjoinv (",", right_columns);
  gboolean swapped = left->position > right->position ||
                     (left->position == right->position && strcmp (a, b) > 0);

  return swapped ? g_strdup_printf ("%u %u %s\n%s", right->position, left->position, b, a)
                 : g_strdup_printf ("%u %u %s\n%s", left->position, right->position, a, b);
}

static PlumbJoinEdge *
add_edge (Finder *self, Side *left, GStrv left_columns, Side *right, GStrv right_columns, int trust,
          const char *basis)
{
  PlumbTableName left_name = { self->catalog->database, left->table->schema, left->table->name };
  PlumbTableName right_name = { self->catalog->database, right->table->schema, right->table->name };
  g_autofree char *key = make_pair_key (left, left_columns, right, right_columns);
  PlumbJoinEdge *edge;

  if (g_hash_table_contains (self->seen, key))
    return NULL;
  g_hash_table_add (self->seen, g_steal_pointer (&key));
  edge = plumb_join_edge_new (&left_name, &right_name);
  edge->left_columns = g_strdupv (left_columns);
  edge->right_columns = g_strdupv (right_columns);
  edge->cardinality = find_cardinality (left->table, left_columns, right->table, right_columns);
  edge->trust = trust;
  edge->basis = g_strdup (basis);
  g_ptr_array_add (self->edges, edge);
  return edge;
}

static void
add_declared (Finder *self, Side *side)
{
  for (guint i = 0; i < side->table->foreign_keys->len; i++) {
    PlumbForeignKey *foreign = g_ptr_array_index (side->table->foreign_keys, i);
    const char *schema = foreign->ref_schema != NULL ? foreign->ref_schema : side->table->schema;
    g_autofree char *name = g_strconcat (schema, "\n", foreign->ref_table, NULL);
    Side *target = g_hash_table_lookup (self->by_name, name);
    PlumbJoinEdge *edge;

    if (target == NULL || foreign->columns == NULL || foreign->ref_columns == NULL ||
        g_strv_length (foreign->columns) != g_strv_length (foreign->ref_columns))
      continue;
    edge = add_edge (self, side, foreign->columns, target, foreign->ref_columns, 1, "declared");
    if (edge == NULL)
      continue;
    edge->name = g_strdup (foreign->name);
    edge->evidence = g_strdup ("declared foreign key");
    /* What a foreign key refers to is unique, whether or not the catalog shows by which key. */
    if (edge->cardinality == PLUMB_CARDINALITY_MANY_TO_MANY)
      edge->cardinality = PLUMB_CARDINALITY_MANY_TO_ONE;
    else if (edge->cardinality == PLUMB_CARDINALITY_ONE_TO_MANY)
      edge->cardinality = PLUMB_CARDINALITY_ONE_TO_ONE;
  }
}

/* Values that were read on both sides and don't fit are a word against the names. */
static gboolean
values_contradict (Side *left, const char *left_column, Side *right, const char *right_column)
{
  PlumbCardColumn *a = plumb_card_find_column (left->card, left_column);
  PlumbCardColumn *b = plumb_card_find_column (right->card, right_column);
  guint missing = 0;

  if (a == NULL || b == NULL || a->values->len == 0 || b->values->len == 0 ||
      a->distinct != a->values->len || b->distinct != b->values->len)
    return FALSE;
  for (guint i = 0; i < a->values->len; i++) {
    const char *value = ((PlumbCodeValue *) g_ptr_array_index (a->values, i))->value;
    gboolean found = FALSE;

    for (guint j = 0; j < b->values->len && !found; j++)
      found = strcmp (((PlumbCodeValue *) g_ptr_array_index (b->values, j))->value, value) == 0;
    missing += !found;
  }
  return missing * 2 > a->values->len;
}

static void
add_inferred (Finder *self, Side *left, const char *left_column, Side *right, int trust,
              char *evidence)
{
  const char *key = get_single_key (right->table);
  PlumbColumn *a = plumb_table_find_column (left->table, left_column);
  PlumbColumn *b = plumb_table_find_column (right->table, key);
  char *left_columns[] = { (char *) left_column, NULL };
  char *right_columns[] = { (char *) key, NULL };
  g_autofree char *owned = evidence;
  PlumbJoinEdge *edge;

  if (a == NULL || b == NULL || !plumb_column_is_comparable (a->type, b->type) ||
      values_contradict (left, left_column, right, key))
    return;
  edge = add_edge (self, left, left_columns, right, right_columns, trust, "names");
  if (edge != NULL)
    edge->evidence = g_steal_pointer (&owned);
}

/* Of several tables with a key of the same name the one whose name the key speaks of: of CUST_MST
 * and CUST_EXT with CUST_NO, the first, since nothing but "master" stands beside "cust". */
static Side *
find_owner (GPtrArray *list, GPtrArray *words)
{
  Side *best = NULL;
  guint best_extra = G_MAXUINT;

  for (guint i = 0; i < list->len; i++) {
    Side *side = g_ptr_array_index (list, i);
    g_autofree char *subject = get_subject (side->table->name);
    g_auto (GStrv) parts = g_strsplit (subject, "_", -1);
    guint extra = 0;
    guint shared = 0;

    for (guint j = 0; parts[j] != NULL; j++) {
      gboolean found = FALSE;

      for (guint k = 0; k < words->len && !found; k++)
        found = strcmp (g_ptr_array_index (words, k), parts[j]) == 0;
      shared += found;
      extra += !found;
    }
    if (list->len == 1 && shared == 0 && parts[0] != NULL)
      return side;
    if (shared > 0 && extra < best_extra) {
      best = side;
      best_extra = extra;
    }
  }
  return best;
}

static gboolean
infer_by_key_name (Finder *self, Side *side, PlumbColumn *column, GPtrArray *words)
{
  g_autofree char *folded = plumb_text_fold (column->name);
  GPtrArray *list = g_hash_table_lookup (self->by_key, folded);
  Side *owner = list != NULL && !is_generic (words) ? find_owner (list, words) : NULL;

  if (owner == NULL || owner == side)
    return FALSE;
  add_inferred (self, side, column->name, owner, 3,
                g_strdup_printf ("%s is the key of %s", column->name, owner->table->name));
  return TRUE;
}

/* "customer_id" leads to "customers" with the key "id". */
static gboolean
infer_by_table_name (Finder *self, Side *side, PlumbColumn *column, GPtrArray *words)
{
  g_autoptr (GPtrArray) subject = NULL;
  g_autofree char *joined = NULL;
  GPtrArray *list;

  if (words->len < 2 || !g_strv_contains (key_words, g_ptr_array_index (words, words->len - 1)))
    return FALSE;
  subject = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i + 1 < words->len; i++)
    g_ptr_array_add (subject, without_plural (g_ptr_array_index (words, i)));
  joined = plumb_name_words_join (subject);
  list = g_hash_table_lookup (self->by_word, joined);
  for (guint i = 0; list != NULL && i < list->len; i++) {
    Side *target = g_ptr_array_index (list, i);
    g_autoptr (GPtrArray) key = plumb_text_split_identifier (get_single_key (target->table));
    gboolean same_end = strcmp (g_ptr_array_index (key, key->len - 1),
                                g_ptr_array_index (words, words->len - 1)) == 0;

    if (target == side)
      continue;
    add_inferred (self, side, column->name, target, same_end ? 3 : 4,
                  g_strdup_printf ("%s names %s", column->name, target->table->name));
    return TRUE;
  }
  return FALSE;
}

/* "MGR_EMP_NO" may lead to the key EMP_NO, in another part: weak, since "SUP_PRD_CD" is the
 * supplier's own code and no key of products. */
static void
infer_by_key_end (Finder *self, Side *side, PlumbColumn *column, GPtrArray *words)
{
  for (guint start = 1; start + 2 <= words->len; start++) {
    g_autoptr (GPtrArray) end = g_ptr_array_new ();
    g_autofree char *joined = NULL;
    GPtrArray *list;
    Side *owner;

    for (guint i = start; i < words->len; i++)
      g_ptr_array_add (end, g_ptr_array_index (words, i));
    if (is_generic (end))
      return;
    joined = plumb_name_words_join (end);
    list = g_hash_table_lookup (self->by_key, joined);
    owner = list != NULL ? find_owner (list, end) : NULL;
    if (owner == NULL)
      continue;
    add_inferred (self, side, column->name, owner, 4,
                  g_strdup_printf ("%s ends like the key %s of %s", column->name,
                                   get_single_key (owner->table), owner->table->name));
    return;
  }
}

static gboolean
is_declared_column (const PlumbTable *table, const char *column)
{
  for (guint i = 0; i < table->foreign_keys->len; i++) {
    PlumbForeignKey *key = g_ptr_array_index (table->foreign_keys, i);

    if (key->columns != NULL && key->columns[0] != NULL && key->columns[1] == NULL &&
        strcmp (key->columns[0], column) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
infer_columns (Finder *self, Side *side)
{
  for (guint i = 0; i < side->table->columns->len; i++) {
    PlumbColumn *column = g_ptr_array_index (side->table->columns, i);
    g_autoptr (GPtrArray) words = NULL;

    if (is_declared_column (side->table, column->name))
      continue;
    words = plumb_text_split_identifier (column->name);
    if (words->len == 0 || infer_by_key_name (self, side, column, words) ||
        infer_by_table_name (self, side, column, words))
      continue;
    infer_by_key_end (self, side, column, words);
  }
}

/* The column of @table with the name of @name in any case of letters. */
static PlumbColumn *
find_folded (const PlumbTable *table, const char *name)
{
  for (guint i = 0; i < table->columns->len; i++) {
    PlumbColumn *column = g_ptr_array_index (table->columns, i);

    if (g_ascii_strcasecmp (column->name, name) == 0)
      return column;
  }
  return NULL;
}

static void
try_composite (Finder *self, Side *owner, Side *side)
{
  GStrv key = owner->table->primary_key;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) columns = NULL;
  g_autofree char *joined = NULL;
  PlumbJoinEdge *edge;

  for (guint i = 0; key[i] != NULL; i++) {
    PlumbColumn *own = plumb_table_find_column (owner->table, key[i]);
    PlumbColumn *other = find_folded (side->table, key[i]);

    if (own == NULL || other == NULL || !plumb_column_is_comparable (own->type, other->type))
      return;
    g_strv_builder_add (builder, other->name);
  }
  columns = g_strv_builder_end (builder);
  /* A table whose own key is among them is what the others refer to. */
  if (get_single_key (side->table) != NULL &&
      g_strv_contains ((const char *const *) columns, get_single_key (side->table)))
    return;
  edge = add_edge (self, side, columns, owner, key, 3, "names");
  if (edge == NULL)
    return;
  joined = g_strjoinv (", ", key);
  edge->evidence = g_strdup_printf ("%s are the key of %s", joined, owner->table->name);
}

/* A key of several columns leads to every table that carries all of them by name. */
static void
infer_composite (Finder *self, Side *owner)
{
  GStrv key = owner->table->primary_key;
  GPtrArray *rarest = NULL;
  guint n_specific = 0;

  if (key == NULL || g_strv_length (key) < 2 || g_strv_length (key) > 4)
    return;
  for (guint i = 0; key[i] != NULL; i++) {
    g_autofree char *folded = plumb_text_fold (key[i]);
    g_autoptr (GPtrArray) words = plumb_text_split_identifier (key[i]);
    GPtrArray *list = g_hash_table_lookup (self->by_column, folded);

    n_specific += !is_generic (words);
    if (list != NULL && (rarest == NULL || list->len < rarest->len))
      rarest = list;
  }
  if (n_specific == 0 || rarest == NULL || rarest->len > MAX_TABLES_WITH_COLUMN)
    return;
  for (guint i = 0; i < rarest->len; i++) {
    Side *side = g_ptr_array_index (rarest, i);

    if (side != owner && side->card->status != PLUMB_STATUS_PARTITION)
      try_composite (self, owner, side);
  }
}

/**
 * plumb_analysis_infer_edges:
 * @catalog: a catalog
 * @cards: (element-type PlumbCard): its cards, in the same order; values in them are used where
 *   they contradict a name
 *
 * Declared foreign keys (trust 1), and joins by the names and types of keys: a column with the name
 * of another table's key, or of a table and a key ("customer_id"), is trust 3; one that only ends
 * like a key, or whose key is named otherwise, is trust 4. Copies take no part.
 *
 * Returns: (transfer full) (element-type PlumbJoinEdge): the edges
 */
GPtrArray *
plumb_analysis_infer_edges (PlumbCatalog *catalog, GPtrArray *cards)
{
  Finder finder;

  finder_init (&finder, catalog, cards);
  for (guint i = 0; i < finder.sides->len; i++)
    add_declared (&finder, g_ptr_array_index (finder.sides, i));
  for (guint i = 0; i < finder.sides->len; i++) {
    Side *side = g_ptr_array_index (finder.sides, i);

    if (is_copy (side))
      continue;
    infer_columns (&finder, side);
    if (side->card->status != PLUMB_STATUS_PARTITION)
      infer_composite (&finder, side);
  }
  return finder_finish (&finder);
}
