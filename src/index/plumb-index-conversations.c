/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-index-private.h"

static gpointer
read_conversation (sqlite3_stmt *row)
{
  PlumbConversation *conversation = g_new0 (PlumbConversation, 1);

  conversation->id = sqlite3_column_int64 (row, 0);
  conversation->title = plumb_row_get_string (row, 1);
  conversation->created_at = sqlite3_column_int64 (row, 2);
  conversation->updated_at = sqlite3_column_int64 (row, 3);
  return conversation;
}

static gboolean
set_unknown_conversation (gint64 id, GError **error)
{
  g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
               "There is no conversation %" G_GINT64_FORMAT "; it may have been deleted. Begin a "
               "new one.", id);
  return FALSE;
}

/* Commits where the last statement changed a row; @id names what isn't there where it did not. */
static gboolean
commit_changed (PlumbTransaction *write, gint64 id, GError **error)
{
  if (plumb_transaction_get_changed (write) == 0)
    return set_unknown_conversation (id, error);
  return plumb_transaction_commit (write, error);
}

/** plumb_index_add_conversation: Returns: the number of a new conversation, 0 with an error */
gint64
plumb_index_add_conversation (PlumbIndex *self, const char *title, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  gint64 id;

  if (write == NULL ||
      !plumb_transaction_run (write, error,
                              "INSERT INTO conversation (title, created_at, updated_at)"
                              " VALUES (?1, ?2, ?2)",
                              "sl", title != NULL ? title : "", now))
    return 0;
  id = plumb_transaction_get_inserted (write);
  return plumb_transaction_commit (write, error) ? id : 0;
}

/** plumb_index_rename_conversation: Returns: %FALSE with PLUMB_ERROR_NOT_FOUND where there is none
 */
gboolean
plumb_index_rename_conversation (PlumbIndex *self, gint64 id, const char *title, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  return write != NULL &&
         plumb_transaction_run (write, error, "UPDATE conversation SET title = ?2 WHERE id = ?1",
                                "ls", id, title) &&
         commit_changed (write, id, error);
}

/**
 * plumb_index_delete_conversation:
 * @self: an index
 * @id: a conversation
 * @error: return location
 *
 * Deletes a conversation with its turns and steps. The audit records of its statements stay.
 *
 * Returns: %FALSE with PLUMB_ERROR_NOT_FOUND where there is none
 */
gboolean
plumb_index_delete_conversation (PlumbIndex *self, gint64 id, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  return write != NULL &&
         plumb_transaction_run (write, error, "DELETE FROM conversation WHERE id = ?1", "l", id) &&
         commit_changed (write, id, error);
}

/** plumb_index_list_conversations: Returns: (transfer full) (element-type PlumbConversation): all
 *  conversations, the one used last first */
GPtrArray *
plumb_index_list_conversations (PlumbIndex *self, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);

  if (read == NULL)
    return NULL;
  return plumb_transaction_list (read,
                                 plumb_transaction_bind (read, error,
                                                         "SELECT id, title, created_at, updated_at"
                                                         " FROM conversation"
                                                         " ORDER BY updated_at DESC, id DESC",
                                                         ""),
                                 read_conversation, (GDestroyNotify) plumb_conversation_free,
                                 error);
}

/* Moves a conversation to the front of the list; the caller commits. */
static gboolean
touch_conversation (PlumbTransaction *write, gint64 id, GError **error)
{
  if (!plumb_transaction_run (write, error, "UPDATE conversation SET updated_at = ?2 WHERE id = ?1",
                              "ll", id, g_get_real_time () / G_USEC_PER_SEC))
    return FALSE;
  return plumb_transaction_get_changed (write) > 0 || set_unknown_conversation (id, error);
}

/**
 * plumb_index_begin_turn:
 * @self: an index
 * @conversation_id: the conversation
 * @turn: the turn; gets its number and that of its conversation
 * @error: return location
 *
 * Stores a turn that begins. Should this program end before plumb_index_finish_turn(), the turn is
 * read back as cancelled.
 *
 * Returns: the turn's number, 0 with an error
 */
gint64
plumb_index_begin_turn (PlumbIndex *self, gint64 conversation_id, PlumbTurn *turn, GError **error)
{
  g_autoptr (PlumbTransaction) write = NULL;
  gint64 session = plumb_index_get_session (self, error);
  gint64 id;

  if (session == 0)
    return 0;
  write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);
  if (write == NULL || !touch_conversation (write, conversation_id, error) ||
      !plumb_transaction_run (write, error, "INSERT INTO turn (conversation_id, question, model,"
                              " state, started_at, elapsed_us, session)"
                              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", "lssslll", conversation_id,
                              turn->question, turn->model, plumb_state_to_string (turn->state),
                              turn->started_at, turn->elapsed_us, session))
    return 0;
  id = plumb_transaction_get_inserted (write);
  if (!plumb_transaction_commit (write, error))
    return 0;
  turn->id = id;
  turn->conversation_id = conversation_id;
  return id;
}

/**
 * plumb_index_put_step:
 * @self: an index
 * @step: a step of a turn that has begun; in place of the one of that number
 * @error: return location
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where its turn was deleted
 */
gboolean
plumb_index_put_step (PlumbIndex *self, const PlumbStep *step, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_DERIVED, error);

  if (write == NULL ||
      !plumb_transaction_run (write, error,
                              "INSERT INTO step SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                              " ?9, ?10, ?11, ?12 WHERE EXISTS (SELECT 1 FROM turn WHERE id = ?1)"
                              " ON CONFLICT (turn_id, number) DO UPDATE SET round = ?3, kind = ?4,"
                              " tool = ?5, arguments = ?6, result = ?7, error = ?8, state = ?9,"
                              " started_at = ?10, elapsed_us = ?11, audit_id = ?12",
                              "liiissssslll", step->turn_id, step->number, step->round,
                              (int) step->kind, step->tool, step->arguments, step->result,
                              step->error, plumb_state_to_string (step->state), step->started_at,
                              step->elapsed_us, step->audit_id))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "There is no turn %" G_GINT64_FORMAT "; its conversation was deleted.",
                 step->turn_id);
    return FALSE;
  }
  return plumb_transaction_commit (write, error);
}

static gboolean
put_numbers (PlumbTransaction *write, const PlumbTurn *turn, GError **error)
{
  if (!plumb_transaction_run (write, error, "DELETE FROM answer_number WHERE turn_id = ?1", "l",
                              turn->id))
    return FALSE;
  for (guint i = 0; i < turn->numbers->len; i++) {
    PlumbAnswerNumber *number = g_ptr_array_index (turn->numbers, i);

    if (!plumb_transaction_run (write, error,
                                "INSERT INTO answer_number"
                                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                "lilllii", turn->id, (int) i, (gint64) number->start,
                                (gint64) number->length, number->audit_id, number->step_number,
                                number->found))
      return FALSE;
  }
  return TRUE;
}

/**
 * plumb_index_finish_turn:
 * @self: an index
 * @turn: the turn, with its answer or error and the numbers of the answer
 * @error: return location
 *
 * Completes a turn. Its steps are stored one by one with plumb_index_put_step().
 *
 * Returns: whether it is stored; PLUMB_ERROR_NOT_FOUND where it was deleted
 */
gboolean
plumb_index_finish_turn (PlumbIndex *self, const PlumbTurn *turn, GError **error)
{
  g_autoptr (PlumbTransaction) write = plumb_index_begin_write (self, PLUMB_WRITE_KEPT, error);

  if (write == NULL ||
      !plumb_transaction_run (write, error, "UPDATE turn SET answer = ?2, error = ?3, model = ?4,"
                              " state = ?5, elapsed_us = ?6 WHERE id = ?1", "lssssl", turn->id,
                              turn->answer, turn->error, turn->model,
                              plumb_state_to_string (turn->state), turn->elapsed_us))
    return FALSE;
  if (plumb_transaction_get_changed (write) == 0)
    return set_unknown_conversation (turn->conversation_id, error);
  return touch_conversation (write, turn->conversation_id, error) &&
         put_numbers (write, turn, error) && plumb_transaction_commit (write, error);
}

static gpointer
read_turn (sqlite3_stmt *row)
{
  g_autofree char *question = plumb_row_get_string (row, 2);
  PlumbTurn *turn = plumb_turn_new (question);

  turn->id = sqlite3_column_int64 (row, 0);
  turn->conversation_id = sqlite3_column_int64 (row, 1);
  turn->answer = plumb_row_get_string (row, 3);
  turn->error = plumb_row_get_string (row, 4);
  turn->model = plumb_row_get_string (row, 5);
  turn->state = plumb_state_from_string ((const char *) sqlite3_column_text (row, 6));
  turn->started_at = sqlite3_column_int64 (row, 7);
  turn->elapsed_us = sqlite3_column_int64 (row, 8);
  return turn;
}

static PlumbStep *
read_step (sqlite3_stmt *row)
{
  PlumbStep *step = plumb_step_new (sqlite3_column_int (row, 3));

  step->turn_id = sqlite3_column_int64 (row, 0);
  step->number = sqlite3_column_int (row, 1);
  step->round = sqlite3_column_int (row, 2);
  step->tool = plumb_row_get_string (row, 4);
  step->arguments = plumb_row_get_string (row, 5);
  step->result = plumb_row_get_string (row, 6);
  step->error = plumb_row_get_string (row, 7);
  step->state = plumb_state_from_string ((const char *) sqlite3_column_text (row, 8));
  step->started_at = sqlite3_column_int64 (row, 9);
  step->elapsed_us = sqlite3_column_int64 (row, 10);
  step->audit_id = sqlite3_column_int64 (row, 11);
  return step;
}

static gboolean
read_steps (PlumbTransaction *read, PlumbTurn *turn, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (read, error, "SELECT * FROM step WHERE turn_id = ?1"
                                              " ORDER BY number", "l", turn->id);
  int code = SQLITE_ERROR;

  while (row != NULL && (code = plumb_transaction_step (read, row, error)) == SQLITE_ROW)
    g_ptr_array_add (turn->steps, read_step (row));
  return code == SQLITE_DONE;
}

static gboolean
read_numbers (PlumbTransaction *read, PlumbTurn *turn, GError **error)
{
  sqlite3_stmt *row = plumb_transaction_bind (read, error,
                                              "SELECT start, length, audit_id,"
                                              " step_number, found FROM answer_number"
                                              " WHERE turn_id = ?1 ORDER BY position",
                                              "l", turn->id);
  int code = SQLITE_ERROR;

  while (row != NULL && (code = plumb_transaction_step (read, row, error)) == SQLITE_ROW) {
    PlumbAnswerNumber *number = g_new0 (PlumbAnswerNumber, 1);

    number->start = sqlite3_column_int64 (row, 0);
    number->length = sqlite3_column_int64 (row, 1);
    number->audit_id = sqlite3_column_int64 (row, 2);
    number->step_number = sqlite3_column_int (row, 3);
    number->found = sqlite3_column_int (row, 4);
    g_ptr_array_add (turn->numbers, number);
  }
  return code == SQLITE_DONE;
}

/* A turn whose program is gone will never be finished; neither will a step of a finished turn. */
static void
settle (PlumbIndex *self, PlumbTurn *turn, gint64 session)
{
  if (turn->state == PLUMB_STATE_RUNNING && !plumb_index_is_session_alive (self, session)) {
    turn->state = PLUMB_STATE_CANCELLED;
    if (turn->error == NULL)
      turn->error = g_strdup ("The program ended before the answer was there. Ask again.");
  }
  for (guint i = 0; turn->state != PLUMB_STATE_RUNNING && i < turn->steps->len; i++) {
    PlumbStep *step = g_ptr_array_index (turn->steps, i);

    if (step->state == PLUMB_STATE_RUNNING)
      step->state = PLUMB_STATE_CANCELLED;
  }
}

/**
 * plumb_index_list_turns:
 * @self: an index
 * @conversation_id: a conversation
 * @error: return location
 *
 * Returns: (transfer full) (element-type PlumbTurn): its turns with their steps, oldest first;
 * empty where there is no such conversation. A turn that was running when its program ended is
 *   cancelled.
 */
GPtrArray *
plumb_index_list_turns (PlumbIndex *self, gint64 conversation_id, GError **error)
{
  g_autoptr (PlumbTransaction) read = plumb_index_begin_read (self, error);
  g_autoptr (GPtrArray) turns = NULL;
  sqlite3_stmt *row;
  int code;

  if (read == NULL)
    return NULL;
  row = plumb_transaction_bind (read, error, "SELECT id, conversation_id, question, answer, error,"
                                " model, state, started_at, elapsed_us, session FROM turn"
                                " WHERE conversation_id = ?1 ORDER BY id", "l", conversation_id);
  if (row == NULL)
    return NULL;
  turns = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_turn_free);
  while ((code = plumb_transaction_step (read, row, error)) == SQLITE_ROW) {
    PlumbTurn *turn = read_turn (row);

    g_ptr_array_add (turns, turn);
    if (!read_steps (read, turn, error) || !read_numbers (read, turn, error))
      return NULL;
    settle (self, turn, sqlite3_column_int64 (row, 9));
  }
  return code == SQLITE_DONE ? g_steal_pointer (&turns) : NULL;
}
