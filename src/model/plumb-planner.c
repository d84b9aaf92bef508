/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-model.h"

#define PLUMB_TYPE_PLANNER (plumb_planner_get_type ())
G_DECLARE_FINAL_TYPE (PlumbPlanner, plumb_planner, PLUMB, PLANNER, PlumbModel)

struct _PlumbPlanner {
  PlumbModel parent_instance;
  GDateTime *now;
};

G_DEFINE_FINAL_TYPE (PlumbPlanner, plumb_planner, PLUMB_TYPE_MODEL)

static const char *
planner_get_name (PlumbModel *model)
{
  return "built-in planner";
}

static PlumbChatReply *
planner_chat (PlumbModel *model, const PlumbChatRequest *request, PlumbTextDelta delta,
              gpointer user_data, GCancellable *cancellable, GError **error)
{
  static const char text[] = "I can't read this question.";
  PlumbChatReply *reply = g_new0 (PlumbChatReply, 1);

  reply->message = plumb_message_new (PLUMB_MESSAGE_ASSISTANT, text);
  reply->finish_reason = g_strdup ("stop");
  reply->prompt_tokens = -1;
  reply->reply_tokens = -1;
  if (delta != NULL)
    delta (text, user_data);
  return reply;
}

static void
plumb_planner_finalize (GObject *object)
{
  PlumbPlanner *self = PLUMB_PLANNER (object);

  g_clear_pointer (&self->now, g_date_time_unref);
  G_OBJECT_CLASS (plumb_planner_parent_class)->finalize (object);
}

static void
plumb_planner_class_init (PlumbPlannerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = plumb_planner_finalize;
  PLUMB_MODEL_CLASS (klass)->get_name = planner_get_name;
  PLUMB_MODEL_CLASS (klass)->chat = planner_chat;
}

static void
plumb_planner_init (PlumbPlanner *self)
{
}

/**
 * plumb_planner_new:
 * @now: (nullable): the local time that relative dates count from, %NULL for the clock's
 *
 * Returns: (transfer full): the built-in planner
 */
PlumbModel *
plumb_planner_new (GDateTime *now)
{
  PlumbPlanner *self = g_object_new (PLUMB_TYPE_PLANNER, NULL);

  self->now = now != NULL ? g_date_time_ref (now) : NULL;
  return PLUMB_MODEL (self);
}
