/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "plumb-trace.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * PlumbConversationList:
 *
 * The conversations of the index, the latest first. #PlumbConversationList::conversation-activated
 * is emitted with the number of the one that was chosen.
 */
#define PLUMB_TYPE_CONVERSATION_LIST (plumb_conversation_list_get_type ())
G_DECLARE_FINAL_TYPE (PlumbConversationList, plumb_conversation_list, PLUMB, CONVERSATION_LIST,
                      AdwBin)

void        plumb_conversation_list_set       (PlumbConversationList *self,
                                               GPtrArray *conversations);
void        plumb_conversation_list_select    (PlumbConversationList *self, gint64 id);
const char *plumb_conversation_list_get_title (PlumbConversationList *self, gint64 id);

G_END_DECLS
