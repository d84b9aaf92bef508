/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-card.h"
#include "plumb-model.h"
#include "plumb-planner-date.h"

G_BEGIN_DECLS

/* What the planner's files share. The way of a question: the messages of the turn become a trail
 * (plumb-planner-trail.c); each opened table offers terms (plumb-planner-terms.c); the question is
 * read against each table (plumb-planner-structure.c, -mentions.c, -read.c); the reading becomes SQL
 * (-sql.c) and its result an answer (-answer.c). */

/* How dates stand in a column. */
typedef enum {
  PLANNER_DATE_NONE,
  PLANNER_DATE_TYPED,
  PLANNER_DATE_ISO_TEXT,
  PLANNER_DATE_COMPACT_TEXT,
  PLANNER_DATE_COMPACT_NUMBER,
  PLANNER_DATE_MONTH_TEXT,
  PLANNER_DATE_MONTH_NUMBER,
} PlannerDateForm;

/**
 * PlannerTable:
 * @card: its card as get_table_card gave it
 * @engine: the engine of its database
 * @entity: words for what a row is
 * @rank: its place in the search result, large for one that the search didn't find
 * @probed: (element-type PlannerProbedValue): values that were looked for in it and found
 *
 * A table whose card is open.
 */
typedef struct {
  PlumbCard *card;
  char *engine;
  GStrv entity;
  guint rank;
  GPtrArray *probed;
} PlannerTable;

/* A table that search_tables returned. */
typedef struct {
  char *database;
  char *schema;
  char *table;
  char *full_name;
  char *about;
  char *status;
  gboolean outside_scope;
  GStrv partitions;
} PlannerCandidate;

/* One run_query call of the turn and what came of it. */
typedef struct {
  char *sql;
  JsonNode *result;
  char *error;
} PlannerQuery;

/* One find_join_path call of the turn. */
typedef struct {
  GStrv tables;
  JsonNode *result;
  char *error;
} PlannerPath;

/**
 * PlannerTrail:
 * @question: the user's last message
 * @is_last: whether no tool can be called any more
 * @searched: whether search_tables has answered
 * @search_error: (nullable): or failed
 * @candidates: (element-type PlannerCandidate): what it found
 * @no_permission: names that it may not show
 * @tables: (element-type PlannerTable): tables whose cards are open
 * @asked: names of cards that were asked for, opened or not
 * @paths: (element-type PlannerPath): join paths
 * @queries: (element-type PlannerQuery): statements
 *
 * What has happened in the turn so far.
 */
typedef struct {
  char *question;
  gboolean is_last;
  gboolean searched;
  char *search_error;
  GPtrArray *candidates;
  GStrv no_permission;
  GPtrArray *tables;
  GHashTable *asked;
  GPtrArray *paths;
  GPtrArray *queries;
} PlannerTrail;

typedef enum {
  PLANNER_TERM_TABLE,
  PLANNER_TERM_COLUMN,
  PLANNER_TERM_VALUE,
} PlannerTermKind;

/**
 * PlannerPlace:
 * @table: the table that the column is in
 * @column: the column
 * @link: (nullable): the foreign key column of the question's table that leads to @table; %NULL
 *   where @table is that table itself
 *
 * A column as seen from the table that the question is about.
 */
typedef struct {
  PlannerTable *table;
  PlumbCardColumn *column;
  PlumbCardColumn *link;
} PlannerPlace;

/**
 * PlannerTerm:
 * @kind: what it names
 * @words: the words that name it
 * @is_exact: whether only all the words in their order name it
 * @level: 0 for its own name, more for looser ones
 * @place: the column, for a column or a value
 * @value: for a value, as it stands in the column
 * @label: for a value, what people call it
 */
typedef struct {
  PlannerTermKind kind;
  GStrv words;
  gboolean is_exact;
  int level;
  PlannerPlace place;
  char *value;
  char *label;
} PlannerTerm;

/* A value found in the data. */
typedef struct {
  GStrv words;
  PlannerPlace place;
  char *value;
} PlannerProbedValue;

typedef enum {
  PLANNER_ROLE_NONE,
  PLANNER_ROLE_SUBJECT,
  PLANNER_ROLE_MEASURE,
  PLANNER_ROLE_GROUP,
  PLANNER_ROLE_FILTER,
  PLANNER_ROLE_PERIOD,
  PLANNER_ROLE_SUPPORT,
} PlannerRole;

/* Tokens from @first to @last name one of @terms. */
typedef struct {
  guint first;
  guint last;
  GPtrArray *terms;
  PlannerRole role;
  gboolean is_partial;
} PlannerMention;

typedef enum {
  PLANNER_MARK_FREE,
  PLANNER_MARK_STRUCTURE,
  PLANNER_MARK_MENTION,
  PLANNER_MARK_SUPPORT,
} PlannerMark;

typedef enum {
  PLANNER_OP_NONE,
  PLANNER_OP_COUNT,
  PLANNER_OP_SUM,
  PLANNER_OP_AVERAGE,
  PLANNER_OP_MAXIMUM,
  PLANNER_OP_MINIMUM,
} PlannerOp;

/* "over 5000", "between 10 and 20": what is compared, as it stands in the question. */
typedef struct {
  guint first;
  guint last;
  const char *sign;
  char *number;
  char *upper;
  char *unit;
} PlannerComparison;

/**
 * PlannerStructure:
 * @op: what is computed: counted, summed …
 * @op_at: where it says so
 * @ops: how many different operations it names
 * @is_how_much: whether it asks "how much" with no other operation
 * @superlative: maximum or minimum of "the highest", "the fewest"
 * @superlative_at: where it says so
 * @is_latest: whether the superlative is one of time
 * @is_most: whether the superlative is "most" or "fewest", which can count
 * @which_at: where "which" or "who" stands, -1 for nowhere
 * @limit: how many are wanted of a ranking, 0 for not said
 * @distinct: whether different ones are counted
 * @unit: unit of time to group by
 * @group_marks: (element-type guint): where "per", "by", "each" stand
 * @negations: (element-type guint): where "not" stands
 * @periods: how many periods there are
 * @period: the period
 * @period_first: where it begins
 * @period_last: where it ends
 * @comparisons: (element-type PlannerComparison): comparisons with numbers
 *
 * What a question says by its form, whatever the tables are.
 */
typedef struct {
  PlannerOp op;
  guint op_at;
  guint ops;
  gboolean is_how_much;
  PlannerOp superlative;
  guint superlative_at;
  gboolean is_latest;
  gboolean is_most;
  int which_at;
  gint64 limit;
  gboolean distinct;
  PlannerUnit unit;
  GArray *group_marks;
  GArray *negations;
  guint periods;
  PlannerPeriod period;
  guint period_first;
  guint period_last;
  GPtrArray *comparisons;
} PlannerStructure;

/* A condition on a column. */
typedef enum {
  PLANNER_FILTER_VALUES,
  PLANNER_FILTER_COMPARE,
  PLANNER_FILTER_PERIOD,
} PlannerFilterKind;

typedef struct {
  PlannerFilterKind kind;
  PlannerPlace place;
  gboolean negated;
  GPtrArray *values;
  GPtrArray *labels;
  const char *sign;
  char *number;
  char *upper;
  PlannerPeriod period;
} PlannerFilter;

/**
 * PlannerReading:
 * @table: the table that rows are counted or summed in
 * @op: what is computed
 * @distinct: (nullable): the column whose different values are counted
 * @measure: the column that is summed …; its column is %NULL where rows are counted
 * @filters: (element-type PlannerFilter): conditions
 * @groups: (element-type PlannerPlace): columns to group by
 * @unit: unit of time to group by
 * @unit_place: the date column for it
 * @ranking: maximum or minimum where the first few are wanted, else none
 * @rank_rows: whether rows are ranked, not groups
 * @limit: how many
 * @cost: 0 for a reading in which everything fits by its own name
 * @has_subject: whether the question names what the table's rows are
 * @unread: (element-type utf8): words that nothing accounts for
 * @doubt: (nullable): what could be read in several ways, or not at all, as a sentence
 * @is_event_unknown: whether the doubt is about when something came into a state
 * @needs: (element-type utf8): tables whose cards the reading needs
 * @spans: (element-type PlannerSpan): unread stretches whose values can be looked for
 *
 * A question read against one table.
 */
typedef struct {
  PlannerTable *table;
  PlannerOp op;
  PlumbCardColumn *distinct;
  PlannerPlace measure;
  GPtrArray *filters;
  GPtrArray *groups;
  PlannerUnit unit;
  PlannerPlace unit_place;
  PlannerOp ranking;
  gboolean rank_rows;
  gint64 limit;
  int cost;
  gboolean has_subject;
  GPtrArray *unread;
  char *doubt;
  gboolean is_event_unknown;
  GPtrArray *needs;
  GPtrArray *spans;
} PlannerReading;

/* Costs of what a reading takes loosely; only readings of the same cost compete as equals. */
#define PLANNER_COST_PART 2
#define PLANNER_COST_NO_SUBJECT 1
#define PLANNER_COST_DISTINCT 4
#define PLANNER_COST_VIEW 1

/* An unread stretch of the question, and the column named right before it. */
typedef struct {
  guint first;
  guint last;
  char *text;
  GStrv words;
  PlannerPlace before;
} PlannerSpan;

/* The question being read against one table. */
typedef struct {
  GPtrArray *tokens;
  PlannerTrail *trail;
  PlannerTable *table;
  GPtrArray *terms;
  GPtrArray *mentions;
  guint8 *marks;
  PlannerStructure structure;
  PlannerReading *reading;
  const GDate *today;
} PlannerReader;

/* plumb-planner-trail.c */
PlannerTrail   *planner_trail_new         (GPtrArray *messages);
void            planner_trail_free        (PlannerTrail *trail);
PlannerTable   *planner_trail_find_table  (PlannerTrail *trail, const char *database, const char *schema, const char *table);
PlannerQuery   *planner_trail_find_query  (PlannerTrail *trail, const char *sql);
PlannerPath    *planner_trail_find_path   (PlannerTrail *trail, const char *one, const char *other);

/* plumb-planner-terms.c */
GPtrArray      *planner_terms_new         (PlannerTrail *trail, PlannerTable *table);
gboolean        planner_names_table       (const char *name, const char *about, GPtrArray *tokens);
PlannerDateForm planner_date_form         (const PlannerTable *table, const PlumbCardColumn *column);
gboolean        planner_is_number         (const PlumbCardColumn *column);
gboolean        planner_is_text           (const PlumbCardColumn *column);
gboolean        planner_is_free_text      (const PlumbCardColumn *column);
PlumbCardColumn *planner_name_column      (PlannerTable *table);
PlannerTable   *planner_linked_table      (PlannerTrail *trail, PlannerTable *table, const PlumbCardColumn *column,
                                           PlumbForeignKey **key, char **full_name);
GPtrArray      *planner_column_phrases    (const PlumbCardColumn *column);
char           *planner_column_title      (const PlumbCardColumn *column);
char           *planner_table_title       (const PlannerTable *table);
int             planner_match_phrase      (const char *const *phrase, const char *const *words, const char *const *entity);
gboolean        planner_is_generic        (const char *word);

/* plumb-planner-structure.c */
void            planner_read_structure    (PlannerReader *reader);
void            planner_structure_clear   (PlannerStructure *structure);

/* plumb-planner-mentions.c */
void            planner_find_phrases      (PlannerReader *reader);
void            planner_find_words        (PlannerReader *reader);
void            planner_find_parts        (PlannerReader *reader);
PlannerTerm    *planner_mention_get       (PlannerMention *mention, PlannerTermKind kind);
PlannerMention *planner_mention_after     (PlannerReader *reader, guint position, guint distance);
PlannerMention *planner_mention_before    (PlannerReader *reader, guint position, guint distance);
void            planner_mention_free      (PlannerMention *mention);
gboolean        planner_only_fillers      (PlannerReader *reader, guint first, guint end);

/* plumb-planner-read.c */
PlannerReading *planner_read              (PlannerTrail *trail, PlannerTable *table, GPtrArray *tokens, const GDate *today);
void            planner_reading_free      (PlannerReading *reading);
gboolean        planner_reading_is_whole  (const PlannerReading *reading);

PlannerToken   *planner_get_token         (PlannerReader *reader, guint i);
void            planner_set_doubt         (PlannerReader *reader, char *doubt);
char           *planner_quote_mention     (PlannerReader *reader, PlannerMention *mention);
PlannerTerm    *planner_get_column        (PlannerReader *reader, PlannerMention *mention);
PlannerDateForm planner_get_form          (const PlannerPlace *place);
void            planner_name_subject      (PlannerReader *reader, PlannerMention *mention);
gboolean        planner_is_akin_to_words  (const char *word, GStrv words);
gboolean        planner_is_akin_to_column (const char *word, const PlumbCardColumn *column);

/* plumb-planner-when.c */
void            planner_read_when         (PlannerReader *reader);
void            planner_prefer_event_date (PlannerReader *reader);

/* plumb-planner-leftover.c */
void            planner_read_rest         (PlannerReader *reader);

/* plumb-planner-filters.c */
void            planner_read_filters      (PlannerReader *reader);
gboolean        planner_same_place        (const PlannerPlace *a, const PlannerPlace *b);

/* plumb-planner-sql.c */
char           *planner_write_sql         (PlannerTrail *trail, const PlannerReading *reading);
char           *planner_write_probe       (PlannerTrail *trail, PlannerReading *reading);
gboolean        planner_can_tell_unit     (const PlannerPlace *place, PlannerUnit unit);
GPtrArray      *planner_list_links        (PlannerTrail *trail, const PlannerReading *reading);
PlannerTable   *planner_find_ambiguous_link (PlannerTrail *trail, const PlannerReading *reading, GPtrArray *tokens);
GPtrArray      *planner_probe_places      (PlannerTrail *trail, PlannerReading *reading, const PlannerSpan *span);

/* plumb-planner-flow.c */
PlumbMessage   *planner_next              (PlannerTrail *trail, const GDate *today);

/* plumb-planner-answer.c */
char           *planner_write_answer      (PlannerTrail *trail, const PlannerReading *reading, const PlannerQuery *query);
char           *planner_write_refusal     (const PlannerReading *nearest);
char           *planner_write_choice      (GPtrArray *readings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlannerTrail, planner_trail_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlannerReading, planner_reading_free)

G_END_DECLS
