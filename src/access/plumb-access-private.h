/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-access.h"

G_BEGIN_DECLS

/* The parts of a name, in the order in which a pattern has them. */
typedef enum {
  PLUMB_PART_DATABASE,
  PLUMB_PART_SCHEMA,
  PLUMB_PART_TABLE,
  PLUMB_PART_COLUMN,
} PlumbPart;

#define PLUMB_N_PARTS 4

/* A name that is asked about, folded; a part that isn't known or isn't asked about is NULL. */
typedef struct {
  char *parts[PLUMB_N_PARTS];
} PlumbAccessName;

/* One reading of a pattern. A part that stood in quotes is a literal, another a glob; one that is
 * left open or is a mere star is neither. */
typedef struct {
  GPatternSpec *globs[PLUMB_N_PARTS];
  char *literals[PLUMB_N_PARTS];
} PlumbAccessPattern;

/* plumb-access-pattern.c */
gboolean    plumb_access_pattern_parse   (GPtrArray *patterns, const char *text, gboolean deny, GError **error);
void        plumb_access_pattern_free    (PlumbAccessPattern *self);
gboolean    plumb_access_pattern_names_column (const PlumbAccessPattern *self);
gboolean    plumb_access_pattern_covers  (const PlumbAccessPattern *self, const PlumbAccessName *name,
                                          PlumbPart last, gboolean unknown_fits);
gboolean    plumb_access_pattern_is_whole_database (const PlumbAccessPattern *self);

/**
 * PlumbPolicy:
 *
 * A policy file that was read and found to be one.
 */
typedef struct {
  GKeyFile *file;
  char *path;
} PlumbPolicy;

/* plumb-access-policy.c */
PlumbPolicy *plumb_policy_parse           (const char *data, gsize length, const char *path, GError **error);
gboolean     plumb_policy_load            (const char *path, PlumbPolicy **policy, GError **error);
void         plumb_policy_free            (PlumbPolicy *self);
char        *plumb_policy_get_default     (PlumbPolicy *self);
gboolean     plumb_policy_has_role        (PlumbPolicy *self, const char *role);
void         plumb_policy_add_roles       (PlumbPolicy *self, GPtrArray *roles);
GPtrArray   *plumb_policy_get_patterns    (PlumbPolicy *self, const char *role, gboolean deny, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlumbPolicy, plumb_policy_free)

G_END_DECLS
