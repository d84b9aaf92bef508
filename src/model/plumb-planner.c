/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-planner-private.h"

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

static void
get_today (PlumbPlanner *self, GDate *today)
{
  g_autoptr (GDateTime) now =
      self->now != NULL ? g_date_time_ref (self->now) : g_date_time_new_now_local ();

  g_date_clear (today, 1);
  g_date_set_dmy (today, g_date_time_get_day_of_month (now), g_date_time_get_month (now),
                  g_date_time_get_year (now));
}

static PlumbChatReply *
planner_chat (PlumbModel *model, const PlumbChatRequest *request, PlumbTextDelta delta,
              gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autoptr (PlannerTrail) trail = planner_trail_new (request->messages);
  PlumbChatReply *reply = g_new0 (PlumbChatReply, 1);
  GDate today;

  get_today (PLUMB_PLANNER (model), &today);
  reply->message = planner_next (trail, &today);
  reply->finish_reason = g_strdup (reply->message->tool_calls->len > 0 ? "tool_calls" : "stop");
  reply->prompt_tokens = -1;
  reply->reply_tokens = -1;
  if (delta != NULL && reply->message->text != NULL)
    delta (reply->message->text, user_data);
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
