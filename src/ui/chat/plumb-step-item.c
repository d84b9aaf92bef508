/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-step-item.h"

struct _PlumbStepItem {
  GObject parent_instance;

  PlumbStep *step;
};

enum {
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbStepItem, plumb_step_item, G_TYPE_OBJECT)

static void
plumb_step_item_finalize (GObject *object)
{
  PlumbStepItem *self = PLUMB_STEP_ITEM (object);

  plumb_step_free (self->step);
  G_OBJECT_CLASS (plumb_step_item_parent_class)->finalize (object);
}

static void
plumb_step_item_class_init (PlumbStepItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_step_item_finalize;

  signals[CHANGED] = g_signal_new ("changed", PLUMB_TYPE_STEP_ITEM, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
plumb_step_item_init (PlumbStepItem *self)
{
}

/** plumb_step_item_new: Returns: (transfer full): an item that holds a copy of @step */
PlumbStepItem *
plumb_step_item_new (const PlumbStep *step)
{
  PlumbStepItem *self = g_object_new (PLUMB_TYPE_STEP_ITEM, NULL);

  self->step = plumb_step_copy (step);
  return self;
}

/** plumb_step_item_get_step: Returns: the step, valid until the item changes */
const PlumbStep *
plumb_step_item_get_step (PlumbStepItem *self)
{
  return self->step;
}

/** plumb_step_item_set_step: takes over how @step stands now, and tells */
void
plumb_step_item_set_step (PlumbStepItem *self, const PlumbStep *step)
{
  PlumbStep *copy = plumb_step_copy (step);

  plumb_step_free (self->step);
  self->step = copy;
  g_signal_emit (self, signals[CHANGED], 0);
}

/** plumb_step_item_set_state: sets the state alone, for steps that a stopped turn leaves behind */
void
plumb_step_item_set_state (PlumbStepItem *self, PlumbState state)
{
  self->step->state = state;
  g_signal_emit (self, signals[CHANGED], 0);
}
