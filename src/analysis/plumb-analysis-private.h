/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-analysis.h"
#include "plumb-card.h"
#include "plumb-domain-file.h"

G_BEGIN_DECLS

/* plumb-analysis-names.c: what a name says about being a copy. */

typedef enum {
  PLUMB_MARK_NONE,
  PLUMB_MARK_BACKUP,
  PLUMB_MARK_DRAFT,
  PLUMB_MARK_STAGING,
  PLUMB_MARK_HISTORY,
  PLUMB_MARK_VERSION,
  PLUMB_MARK_DATED,
} PlumbNameMark;

/**
 * PlumbNameReading:
 * @mark: what the outermost marking word or date says
 * @text: the words that say it, such as "bak" or "202312"
 * @format: for dates their shape, such as "yyyymm"; otherwise %NULL
 */
typedef struct {
  PlumbNameMark mark;
  char *text;
  const char *format;
} PlumbNameReading;

void          plumb_name_reading_clear (PlumbNameReading *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlumbNameReading, plumb_name_reading_clear)

gboolean plumb_name_words_strip (GPtrArray *words, gboolean at_start, PlumbNameReading *reading);
gboolean      plumb_name_reading_is_weak (const PlumbNameReading *self);
PlumbNameMark plumb_name_word_get_mark (const char *word);
char         *plumb_name_words_join    (GPtrArray *words);

/* plumb-analysis-columns.c: what a column's name and type say. */

typedef enum {
  PLUMB_COLUMN_OTHER,
  PLUMB_COLUMN_TEXT,
  PLUMB_COLUMN_INTEGER,
  PLUMB_COLUMN_NUMBER,
  PLUMB_COLUMN_DATE,
  PLUMB_COLUMN_BOOLEAN,
  PLUMB_COLUMN_UNKNOWN,
} PlumbColumnClass;

PlumbColumnClass plumb_column_classify       (const char *type);
gboolean         plumb_column_is_comparable  (const char *type, const char *other);
gboolean         plumb_column_is_code        (const char *name);
gboolean         plumb_column_is_name        (const char *name);
gboolean         plumb_column_is_free_text   (const char *name);
gboolean         plumb_column_is_amount      (const char *name, const char *type);
gboolean         plumb_column_is_date        (const char *name, const char *type);
gboolean         plumb_column_is_bookkeeping (const char *name);
gboolean         plumb_words_have            (GPtrArray *words, const char *const *wanted);

/* Passes over the cards of one database; @catalog is what they were made from. */
void       plumb_analysis_judge_copies   (PlumbCatalog *catalog, GPtrArray *cards);
void       plumb_analysis_refine_copy    (PlumbCard *card, PlumbCard *live);
char      *plumb_analysis_first_clause   (const char *comment);
void       plumb_analysis_add_meaning    (PlumbCatalog *catalog, GPtrArray *cards);
void       plumb_analysis_assign_roles   (PlumbCatalog *catalog, GPtrArray *cards);
void       plumb_analysis_add_misuse     (GPtrArray *cards);
char      *plumb_analysis_summarize      (const char *database, GPtrArray *cards);

/* plumb-analysis-comment-codes.c */
guint      plumb_analysis_read_codes     (PlumbCardColumn *column, const char *text);
void plumb_analysis_set_code (PlumbCardColumn *column, const char *value, const char *meaning);

/* plumb-analysis-profile.c */
gboolean plumb_analysis_profile (PlumbSource *source, PlumbCard *card, GCancellable *cancellable,
                                 GError **error);

/* plumb-analysis-statements.c: bounded statements of our own at the source. */
PlumbResult *plumb_analysis_ask         (PlumbSource *source, const char *sql, gint64 max_rows,
                                         GCancellable *cancellable, GError **error);
char        *plumb_analysis_quote       (PlumbSource *source, const char *name);
char        *plumb_analysis_quote_table (PlumbSource *source, PlumbCard *card);
char *plumb_analysis_bound (PlumbSource *source, const char *columns, const char *table,
                            gint64 rows);
char        *plumb_analysis_get_text    (PlumbResult *result, gint64 row, guint column);
gint64       plumb_analysis_get_number  (PlumbResult *result, gint64 row, guint column);

/* plumb-analysis-codes.c: meanings that stand in code tables. */
typedef struct _PlumbCodeBook PlumbCodeBook;

PlumbCodeBook *plumb_code_book_read (PlumbSource *source, GPtrArray *cards,
                                     GCancellable *cancellable, GError **error);
void           plumb_code_book_free  (PlumbCodeBook *self);
void           plumb_code_book_apply (PlumbCodeBook *self, PlumbCard *card);
void           plumb_code_book_check (PlumbCard *card);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbCodeBook, plumb_code_book_free)

/* Strings of a card that are added to. */
void       plumb_strv_add                (GStrv *strings, char *text);
char      *plumb_card_get_short_name     (PlumbCard *card);

G_END_DECLS
