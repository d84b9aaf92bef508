/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-analysis-private.h"

#include "plumb-table-name.h"
#include "plumb-text.h"

#include <string.h>

/* A family of dated tables beside a live one is taken for partitions from this many on: people keep
 * one or two dated backups, and one table a month for years. */
#define PARTITIONS_BESIDE_LIVE 3

typedef struct {
  PlumbTable *table;
  PlumbCard *card;
  GHashTable *columns;  /* set of folded column names */
  guint n_inbound;      /* declared foreign keys of other tables that refer to it */
  char *stem;           /* the name's words without a date at its end, for families */
  PlumbNameReading date;
} Member;

typedef struct {
  GPtrArray *members;
  GHashTable *by_stem; /* "schema\nwords" → GPtrArray of Member */
} Judge;

static void
member_free (Member *self)
{
  g_hash_table_unref (self->columns);
  g_free (self->stem);
  plumb_name_reading_clear (&self->date);
  g_free (self);
}

static char *
make_key (const char *schema, const char *stem)
{
  return g_strconcat (schema, "\n", stem, NULL);
}

static Member *
member_new (PlumbTable *table, PlumbCard *card)
{
  Member *self = g_new0 (Member, 1);

  self->table = table;
  self->card = card;
  self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < table->columns->len; i++) {
    PlumbColumn *column = g_ptr_array_index (table->columns, i);

    g_hash_table_add (self->columns, plumb_text_fold (column->name));
  }
  return self;
}

static void
add_to (GHashTable *lists, char *key, Member *member)
{
  GPtrArray *list = g_hash_table_lookup (lists, key);

  if (list == NULL) {
    list = g_ptr_array_new ();
    g_hash_table_insert (lists, key, list);
  } else {
    g_free (key);
  }
  g_ptr_array_add (list, member);
}

static void
count_inbound (Judge *self, GHashTable *by_name)
{
  for (guint i = 0; i < self->members->len; i++) {
    Member *member = g_ptr_array_index (self->members, i);

    for (guint j = 0; j < member->table->foreign_keys->len; j++) {
      PlumbForeignKey *key = g_ptr_array_index (member->table->foreign_keys, j);
      const char *schema = key->ref_schema != NULL ? key->ref_schema : member->table->schema;
      g_autofree char *name = make_key (schema, key->ref_table);
      Member *target = g_hash_table_lookup (by_name, name);

      if (target != NULL && target != member)
        target->n_inbound++;
    }
  }
}

static void
judge_init (Judge *self, PlumbCatalog *catalog, GPtrArray *cards)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->members = g_ptr_array_new_with_free_func ((GDestroyNotify) member_free);
  self->by_stem = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < catalog->tables->len; i++) {
    PlumbTable *table = g_ptr_array_index (catalog->tables, i);
    Member *member = member_new (table, g_ptr_array_index (cards, i));
    g_autoptr (GPtrArray) words = plumb_text_split_identifier (table->name);
    g_autofree char *stem = plumb_name_words_join (words);

    g_ptr_array_add (self->members, member);
    add_to (self->by_stem, make_key (table->schema, stem), member);
    g_hash_table_insert (by_name, make_key (table->schema, table->name), member);
  }
  count_inbound (self, by_name);
}

static void
judge_clear (Judge *self)
{
  g_hash_table_unref (self->by_stem);
  g_ptr_array_unref (self->members);
}

static guint
count_common (Member *a, Member *b)
{
  GHashTableIter iter;
  gpointer name;
  guint n = 0;

  g_hash_table_iter_init (&iter, a->columns);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    n += g_hash_table_contains (b->columns, name);
  return n;
}

/* How many columns may differ before a table is one of its own. A word such as BAK says much by
 * itself; a number or "history" is in many names of tables that are no copies. */
static guint
get_allowed_difference (const PlumbNameReading *reading, guint n_columns)
{
  if (plumb_name_reading_is_weak (reading))
    return 0;
  switch (reading->mark) {
  case PLUMB_MARK_BACKUP:
  case PLUMB_MARK_DRAFT:
    return MAX (n_columns * 3 / 10, 1);
  case PLUMB_MARK_STAGING:
    return MAX (n_columns / 2, 1);
  case PLUMB_MARK_HISTORY:
    return 1;
  default:
    return MAX (n_columns / 10, 1);
  }
}

static gboolean
columns_alike (Member *copy, Member *live, guint allowed)
{
  guint n_copy = g_hash_table_size (copy->columns);
  guint n_live = g_hash_table_size (live->columns);
  guint common;

  if (n_copy == 0 || n_live == 0 || MAX (n_copy, n_live) - MIN (n_copy, n_live) > allowed)
    return FALSE;
  common = count_common (copy, live);
  return common > 0 && n_copy + n_live - 2 * common <= allowed;
}

/* "UNIT2" is more often another table than a copy of UNIT; "UNIT_2" is one. */
static gboolean
is_glued_number (Member *copy, const PlumbNameReading *reading)
{
  const char *name = copy->table->name;
  gsize length = strlen (name);

  if (reading->mark != PLUMB_MARK_VERSION)
    return FALSE;
  while (length > 0 && g_ascii_isdigit (name[length - 1]))
    length--;
  return length > 0 && g_ascii_isalpha (name[length - 1]) && g_ascii_isdigit (*reading->text);
}

static Member *
find_live (Judge *self, Member *copy, const char *stem, const PlumbNameReading *reading)
{
  g_autofree char *key = make_key (copy->table->schema, stem);
  GPtrArray *list = g_hash_table_lookup (self->by_stem, key);

  for (guint i = 0; list != NULL && i < list->len; i++) {
    Member *live = g_ptr_array_index (list, i);
    guint n = MAX (g_hash_table_size (copy->columns), g_hash_table_size (live->columns));
    guint allowed = is_glued_number (copy, reading) ? 0 : get_allowed_difference (reading, n);

    if (live != copy && columns_alike (copy, live, allowed))
      return live;
  }
  return NULL;
}

static PlumbStatus
status_of_mark (PlumbNameMark mark)
{
  switch (mark) {
  case PLUMB_MARK_DRAFT:
    return PLUMB_STATUS_DRAFT;
  case PLUMB_MARK_STAGING:
    return PLUMB_STATUS_STAGING;
  default:
    return PLUMB_STATUS_BACKUP;
  }
}

static PlumbRole
role_of_status (PlumbStatus status)
{
  switch (status) {
  case PLUMB_STATUS_DRAFT:
    return PLUMB_ROLE_DRAFT;
  case PLUMB_STATUS_STAGING:
    return PLUMB_ROLE_STAGING;
  case PLUMB_STATUS_PARTITION:
    return PLUMB_ROLE_PARTITION;
  default:
    return PLUMB_ROLE_BACKUP;
  }
}

static const char *
describe_mark (PlumbNameMark mark)
{
  switch (mark) {
  case PLUMB_MARK_DRAFT:
    return "a working copy";
  case PLUMB_MARK_STAGING:
    return "a staging table";
  case PLUMB_MARK_HISTORY:
    return "an archive";
  case PLUMB_MARK_DATED:
    return "a copy as of a day";
  case PLUMB_MARK_VERSION:
    return "a numbered copy";
  default:
    return "a backup";
  }
}

static void
give_reasons (Member *copy, Member *live, const PlumbNameReading *reading)
{
  PlumbCard *card = copy->card;
  guint common = count_common (copy, live);
  guint n_copy = g_hash_table_size (copy->columns);
  g_autofree char *mark = g_utf8_strup (reading->text, -1);

  plumb_strv_add (&card->reasons,
                  g_strdup_printf ("The name without “%s” is that of %s: %s.", mark,
                                   live->table->name, describe_mark (reading->mark)));
  if (common == n_copy && n_copy == g_hash_table_size (live->columns))
    plumb_strv_add (&card->reasons, g_strdup_printf ("It has the same %u columns as %s.", n_copy,
                                                     live->table->name));
  else
    plumb_strv_add (&card->reasons, g_strdup_printf ("%u of its %u columns are those of %s.",
                                                     common, n_copy, live->table->name));
  if (live->n_inbound > 0 && copy->n_inbound == 0)
    plumb_strv_add (&card->reasons,
                    g_strdup_printf ("No foreign key refers to it, while %u refer to %s.",
                                     live->n_inbound, live->table->name));
  if (copy->table->primary_key == NULL && live->table->primary_key != NULL)
    plumb_strv_add (&card->reasons, g_strdup_printf ("It has no primary key, and %s has one.",
                                                     live->table->name));
}

static void
mark_copy (Member *copy, Member *live, const PlumbNameReading *reading)
{
  copy->card->status = status_of_mark (reading->mark);
  copy->card->role = role_of_status (copy->card->status);
  copy->card->copy_of = plumb_table_name_join (NULL, live->table->schema, live->table->name);
  give_reasons (copy, live, reading);
}

/* A number or a date in a name says little where other tables refer to the table as to a live one.
 */
static gboolean
is_contradicted (Member *copy, Member *live, PlumbNameMark mark)
{
  gboolean weak =
      mark == PLUMB_MARK_VERSION || mark == PLUMB_MARK_DATED || mark == PLUMB_MARK_HISTORY;

  return copy->table->kind == PLUMB_TABLE_KIND_PARTITION ||
         (weak && copy->n_inbound > live->n_inbound);
}

/* A name with some of its marks taken off. */
typedef struct {
  GPtrArray *words;
  PlumbNameReading reading; /* the strongest of them */
} Stripped;

static void
stripped_free (Stripped *self)
{
  g_ptr_array_unref (self->words);
  plumb_name_reading_clear (&self->reading);
  g_free (self);
}

static GPtrArray *
copy_words (GPtrArray *words)
{
  GPtrArray *copy = g_ptr_array_new_full (words->len, g_free);

  for (guint i = 0; i < words->len; i++)
    g_ptr_array_add (copy, g_strdup (g_ptr_array_index (words, i)));
  return copy;
}

/* @from with one more mark taken off, NULL where there is none. */
static Stripped *
strip_further (Stripped *from, gboolean at_start)
{
  Stripped *further = g_new0 (Stripped, 1);

  further->words = copy_words (from->words);
  if (!plumb_name_words_strip (further->words, at_start, &further->reading)) {
    stripped_free (further);
    return NULL;
  }
  if (from->reading.mark != PLUMB_MARK_NONE && from->reading.mark < further->reading.mark) {
    plumb_name_reading_clear (&further->reading);
    further->reading = (PlumbNameReading) { from->reading.mark, g_strdup (from->reading.text),
                                            from->reading.format };
  }
  return further;
}

static void
remember_date (Member *member, Stripped *stripped)
{
  if (stripped->reading.mark != PLUMB_MARK_DATED || member->stem != NULL)
    return;
  member->stem = plumb_name_words_join (stripped->words);
  member->date = (PlumbNameReading) { PLUMB_MARK_DATED, g_strdup (stripped->reading.text),
                                      stripped->reading.format };
}

/* The live table is the one that is reached with the fewest marks taken off: BAK_EMP_HIST is a copy
 * of EMP_HIST, where there is one, and not of EMP. */
static void
judge_by_name (Judge *self, Member *member)
{
  g_autoptr (GPtrArray) queue = g_ptr_array_new_with_free_func ((GDestroyNotify) stripped_free);
  Stripped *whole = g_new0 (Stripped, 1);

  whole->words = plumb_text_split_identifier (member->table->name);
  g_ptr_array_add (queue, whole);
  for (guint next = 0; next < queue->len && queue->len < 16; next++) {
    for (guint at_start = 0; at_start < 2; at_start++) {
      Stripped *further = strip_further (g_ptr_array_index (queue, next), at_start);
      g_autofree char *stem = NULL;
      Member *live;

      if (further == NULL)
        continue;
      g_ptr_array_add (queue, further);
      if (next == 0)
        remember_date (member, further);
      stem = plumb_name_words_join (further->words);
      live = find_live (self, member, stem, &further->reading);
      if (live != NULL && !is_contradicted (member, live, further->reading.mark)) {
        mark_copy (member, live, &further->reading);
        return;
      }
    }
  }
}

/* A schema such as "backup" holds tables of the names that they have in their own schema. */
static void
judge_by_schema (Judge *self, Member *member, GPtrArray *schemas)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (member->table->schema);
  g_auto (PlumbNameReading) reading = { PLUMB_MARK_NONE, NULL, NULL };

  for (guint i = 0; i < words->len && reading.mark == PLUMB_MARK_NONE; i++)
    reading.mark = plumb_name_word_get_mark (g_ptr_array_index (words, i));
  if (reading.mark == PLUMB_MARK_NONE)
    return;
  for (guint i = 0; i < schemas->len; i++) {
    g_autoptr (GPtrArray) own = plumb_text_split_identifier (member->table->name);
    g_autofree char *stem = plumb_name_words_join (own);
    g_autofree char *key = make_key (g_ptr_array_index (schemas, i), stem);
    GPtrArray *list = g_hash_table_lookup (self->by_stem, key);
    Member *live = list != NULL ? g_ptr_array_index (list, 0) : NULL;

    if (live == NULL ||
        !columns_alike (member, live,
                        get_allowed_difference (&reading, member->table->columns->len)))
      continue;
    reading.text = g_strdup (member->table->schema);
    mark_copy (member, live, &reading);
    return;
  }
}

/* Schemas whose names don't say that copies are kept in them. */
static GPtrArray *
list_plain_schemas (Judge *self)
{
  GPtrArray *schemas = g_ptr_array_new ();
  const char *last = NULL;

  for (guint i = 0; i < self->members->len; i++) {
    Member *member = g_ptr_array_index (self->members, i);
    g_autoptr (GPtrArray) words = NULL;
    gboolean marked = FALSE;

    if (g_strcmp0 (member->table->schema, last) == 0)
      continue;
    last = member->table->schema;
    words = plumb_text_split_identifier (last);
    for (guint j = 0; j < words->len; j++)
      marked = marked || plumb_name_word_get_mark (g_ptr_array_index (words, j)) != PLUMB_MARK_NONE;
    if (!marked)
      g_ptr_array_add (schemas, (gpointer) last);
  }
  return schemas;
}

/* A copy of a copy stands behind the table that both come from. */
static void
follow_chains (Judge *self)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->members->len; i++) {
    Member *member = g_ptr_array_index (self->members, i);

    g_hash_table_insert (by_name, plumb_table_name_join (NULL, member->table->schema,
                                                         member->table->name), member->card);
  }
  for (guint i = 0; i < self->members->len; i++) {
    Member *member = g_ptr_array_index (self->members, i);

    for (guint hops = 0; member->card->copy_of != NULL && hops < 4; hops++) {
      PlumbCard *live = g_hash_table_lookup (by_name, member->card->copy_of);

      if (live == NULL || live->copy_of == NULL || live == member->card)
        break;
      g_free (member->card->copy_of);
      member->card->copy_of = g_strdup (live->copy_of);
    }
  }
}

static int
compare_by_name (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(Member *const *) a)->table->name, (*(Member *const *) b)->table->name);
}

/* The part of the names that all members share, as it is written. */
static char *
name_family (Member *member)
{
  const char *name = member->table->name;
  const char *digits = strpbrk (member->date.text, "0123456789");
  const char *at;

  if (digits == NULL || (at = strstr (name, digits)) == NULL)
    return g_strdup (member->stem);
  while (at > name && strchr ("_-. ", at[-1]) != NULL)
    at--;
  return at > name ? g_strndup (name, at - name) : g_strdup (member->stem);
}

static void
mark_partitions (GPtrArray *family, const char *live)
{
  g_autofree char *name = NULL;

  g_ptr_array_sort (family, compare_by_name);
  name = name_family (g_ptr_array_index (family, 0));
  for (guint i = 0; i < family->len; i++) {
    Member *first = g_ptr_array_index (family, 0);
    Member *last = g_ptr_array_index (family, family->len - 1);
    PlumbCard *card = ((Member *) g_ptr_array_index (family, i))->card;

    g_clear_pointer (&card->copy_of, g_free);
    g_clear_pointer (&card->reasons, g_strfreev);
    card->status = PLUMB_STATUS_PARTITION;
    card->role = PLUMB_ROLE_PARTITION;
    card->family = g_strdup (name);
    plumb_strv_add (
        &card->reasons,
        g_strdup_printf ("It is one of %u tables with the same columns whose names differ "
                         "in the date alone, from %s to %s.",
                         family->len, first->table->name, last->table->name));
    if (live != NULL)
      plumb_strv_add (&card->reasons,
                      g_strdup_printf ("A table without a date stands beside them: %s.", live));
  }
}

/* Those of @list that look like the first one; a table with other columns is no member. */
static void
judge_family (GPtrArray *list)
{
  Member *first = g_ptr_array_index (list, 0);
  g_autoptr (GPtrArray) family = g_ptr_array_new ();
  g_autofree char *live = NULL;
  guint n_copies = 0;

  for (guint i = 0; i < list->len; i++) {
    Member *member = g_ptr_array_index (list, i);

    if (member != first && !columns_alike (member, first, g_hash_table_size (first->columns) / 2))
      continue;
    g_ptr_array_add (family, member);
    if (member->card->copy_of != NULL) {
      n_copies++;
      if (live == NULL)
        live = g_strdup (member->card->copy_of);
    }
  }
  if (family->len >= (n_copies > 0 ? PARTITIONS_BESIDE_LIVE : 2))
    mark_partitions (family, live);
}

static void
judge_families (Judge *self)
{
  g_autoptr (GHashTable) families = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                           (GDestroyNotify) g_ptr_array_unref);
  GHashTableIter iter;
  GPtrArray *list;

  for (guint i = 0; i < self->members->len; i++) {
    Member *member = g_ptr_array_index (self->members, i);

    if (member->stem != NULL)
      add_to (families,
              g_strjoin ("\n", member->table->schema, member->stem, member->date.format, NULL),
              member);
  }
  g_hash_table_iter_init (&iter, families);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &list)) {
    if (list->len > 1)
      judge_family (list);
  }
}

static void
mark_declared_partition (PlumbTable *table, PlumbCard *card)
{
  if (table->partition_of == NULL)
    return;
  card->status = PLUMB_STATUS_PARTITION;
  card->role = PLUMB_ROLE_PARTITION;
  card->family = g_strdup (table->partition_of);
  plumb_strv_add (&card->reasons, g_strdup_printf ("The server says that it is a partition of %s.",
                                                   table->partition_of));
}

/* A name alone that says draft or staging, with no live table: shown, but not put behind anything.
 */
static void
note_lone_mark (Member *member)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (member->table->name);
  g_auto (PlumbNameReading) reading = { 0 };

  if (member->card->status != PLUMB_STATUS_LIVE ||
      !(plumb_name_words_strip (words, TRUE, &reading) ||
        plumb_name_words_strip (words, FALSE, &reading)))
    return;
  if (g_strcmp0 (reading.text, "stg") == 0 || g_strcmp0 (reading.text, "staging") == 0)
    member->card->role = PLUMB_ROLE_STAGING;
  else if (g_strcmp0 (reading.text, "tmp") == 0)
    member->card->role = PLUMB_ROLE_DRAFT;
}

/**
 * plumb_analysis_judge_copies:
 * @catalog: a catalog
 * @cards: (element-type PlumbCard): its cards, in the same order
 *
 * Finds copies and partitions by names, columns and keys (DESIGN section 9). Sets status, role,
 * copy_of, family and the reasons.
 */
void
plumb_analysis_judge_copies (PlumbCatalog *catalog, GPtrArray *cards)
{
  g_autoptr (GPtrArray) schemas = NULL;
  Judge judge;

  judge_init (&judge, catalog, cards);
  schemas = list_plain_schemas (&judge);
  for (guint i = 0; i < judge.members->len; i++) {
    Member *member = g_ptr_array_index (judge.members, i);

    if (member->table->kind == PLUMB_TABLE_KIND_VIEW)
      continue;
    judge_by_name (&judge, member);
    if (member->card->copy_of == NULL && schemas->len > 0)
      judge_by_schema (&judge, member, schemas);
  }
  judge_families (&judge);
  for (guint i = 0; i < judge.members->len; i++) {
    Member *member = g_ptr_array_index (judge.members, i);

    mark_declared_partition (member->table, member->card);
    note_lone_mark (member);
  }
  follow_chains (&judge);
  judge_clear (&judge);
}

/* The first date column of @card that isn't bookkeeping and has values in both cards. */
static PlumbCardColumn *
find_shared_date (PlumbCard *card, PlumbCard *live, PlumbCardColumn **of_live)
{
  for (guint i = 0; i < card->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (card->columns, i);

    if (column->maximum == NULL || !plumb_column_is_date (column->name, column->type) ||
        plumb_column_is_bookkeeping (column->name))
      continue;
    *of_live = plumb_card_find_column (live, column->name);
    if (*of_live != NULL && (*of_live)->maximum != NULL)
      return column;
  }
  return NULL;
}

/**
 * plumb_analysis_refine_copy:
 * @card: a copy whose values were read
 * @live: the table that it is a copy of, likewise
 *
 * Adds what the rows say to the reasons: fewer rows, an older latest date. A dated copy whose rows
 * all lie before those of the live table is no copy but a part that was moved away: a partition.
 */
void
plumb_analysis_refine_copy (PlumbCard *card, PlumbCard *live)
{
  PlumbCardColumn *of_live = NULL;
  PlumbCardColumn *date = find_shared_date (card, live, &of_live);

  if (card->row_estimate >= 0 && live->row_estimate > card->row_estimate)
    plumb_strv_add (&card->reasons,
                    g_strdup_printf ("It holds %" G_GINT64_FORMAT " rows, %s %" G_GINT64_FORMAT ".",
                                     card->row_estimate, live->name, live->row_estimate));
  if (date == NULL)
    return;
  if (strcmp (date->maximum, of_live->maximum) < 0)
    plumb_strv_add (&card->reasons,
                    g_strdup_printf ("Its latest %s is %s, that of %s %s.", date->name,
                                     date->maximum, live->name, of_live->maximum));
  if (card->status == PLUMB_STATUS_BACKUP && of_live->minimum != NULL &&
      strcmp (date->maximum, of_live->minimum) < 0) {
    g_autoptr (GPtrArray) words = plumb_text_split_identifier (card->name);
    g_auto (PlumbNameReading) reading = { 0 };

    if (!plumb_name_words_strip (words, FALSE, &reading) || reading.mark != PLUMB_MARK_DATED)
      return;
    card->status = PLUMB_STATUS_PARTITION;
    card->role = PLUMB_ROLE_PARTITION;
    card->family = g_strdup (live->name);
    g_clear_pointer (&card->copy_of, g_free);
    plumb_strv_add (&card->reasons, g_strdup_printf ("Its rows end before those of %s begin, so it "
                                                     "holds a part of the data and no copy.",
                                                     live->name));
  }
}
