/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-trace.h"

G_BEGIN_DECLS

/**
 * PlumbExecution:
 *
 * One statement of a turn as the window shows it: the SQL, where it ran, and what came back.
 */
#define PLUMB_TYPE_EXECUTION (plumb_execution_get_type ())
G_DECLARE_FINAL_TYPE (PlumbExecution, plumb_execution, PLUMB, EXECUTION, GObject)

PlumbExecution *plumb_execution_new             (const PlumbStep *step, const char *database,
                                                 const char *sql, PlumbResult *result);
PlumbExecution *plumb_execution_new_from_step   (const PlumbStep *step);
PlumbExecution *plumb_execution_new_from_record (const PlumbAuditRecord *record);

int             plumb_execution_get_step_number (PlumbExecution *self);
gint64          plumb_execution_get_audit_id    (PlumbExecution *self);
const char     *plumb_execution_get_database    (PlumbExecution *self);
const char     *plumb_execution_get_sql         (PlumbExecution *self);
const char     *plumb_execution_get_error       (PlumbExecution *self);
PlumbResult    *plumb_execution_get_result      (PlumbExecution *self);
const char     *plumb_execution_get_cut_by      (PlumbExecution *self);
char           *plumb_execution_describe        (PlumbExecution *self);

G_END_DECLS
