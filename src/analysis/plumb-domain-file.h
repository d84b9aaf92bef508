/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-error.h"

G_BEGIN_DECLS

/**
 * PlumbDomainLine:
 * @target: what stands in backticks at the line's beginning: a table, a column, or a join condition
 * @text: what is said of it
 */
typedef struct {
  char *target;
  char *text;
} PlumbDomainLine;

/**
 * PlumbDomainFile:
 * @path: (nullable): where it was read from
 * @domain: the domain's name
 * @database: (nullable): the one source that it speaks of; %NULL for all
 * @keywords: other words for the domain, in every language that the file gives
 * @question_examples: questions that people ask of it
 * @tables_primary: its main tables, each `table` or `schema.table`
 * @purpose: (nullable): the first paragraph
 * @fields: (element-type PlumbDomainLine): what columns mean
 * @joins: (element-type PlumbDomainLine): how its tables are joined
 * @pitfalls: (element-type PlumbDomainLine): what is easily got wrong
 */
typedef struct {
  char *path;
  char *domain;
  char *database;
  GStrv keywords;
  GStrv question_examples;
  GStrv tables_primary;
  char *purpose;
  GPtrArray *fields;
  GPtrArray *joins;
  GPtrArray *pitfalls;
} PlumbDomainFile;

PlumbDomainFile *plumb_domain_file_parse  (const char *text, gssize length, GError **error);
GPtrArray       *plumb_domain_files_load  (const char *folder, GPtrArray *failures);
void             plumb_domain_files_apply (GPtrArray *files, GPtrArray *cards);
GPtrArray       *plumb_domain_files_list_examples (GPtrArray *files, const char *database, GPtrArray *cards);
void             plumb_domain_files_confirm_edges (GPtrArray *files, GPtrArray *edges);
void             plumb_domain_file_free   (PlumbDomainFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbDomainFile, plumb_domain_file_free)

G_END_DECLS
