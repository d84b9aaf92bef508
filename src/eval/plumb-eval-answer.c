/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-eval-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Rows that are compared; a statement that gives more is not held to be equal. */
#define MAX_ROWS 100000

/* Columns whose order doesn't count: a person reads them by their names, whichever comes first. */
#define MAX_PERMUTED 5

/* What a source's name can't hold becomes this. */
#define FILLER '_'

/* Where questions are asked: the databases of the questions' files in an index of their own, or the
 * session whose own databases the questions are about. */
struct _PlumbEvalRunner {
  PlumbSession *session;
  GHashTable *names;      /* database of a question → name of its source; NULL: they are the same */
  char *folder;
};

/* What the events of one turn told. */
typedef struct {
  guint n_statements;
  int rounds;
  gint64 tokens;
  char *sql;
  char *database;
} Heard;

static void
heard_clear (Heard *self)
{
  g_free (self->sql);
  g_free (self->database);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Heard, heard_clear)

/** plumb_eval_runner_free: frees it, and the index that it made */
void
plumb_eval_runner_free (PlumbEvalRunner *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->session);
  if (self->folder != NULL) {
    g_autoptr (GDir) folder = g_dir_open (self->folder, 0, NULL);
    const char *name;

    while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_unlink (path);
    }
    g_rmdir (self->folder);
  }
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_free (self->folder);
  g_free (self);
}

/* The file of a question: beside its set, or in the folder above, where the public sets have it. */
static char *
find_file (const char *set, const char *file)
{
  g_autofree char *folder = g_path_get_dirname (set);
  g_autofree char *above = g_path_get_dirname (folder);
  const char *const places[] = { folder, above };

  if (g_path_is_absolute (file))
    return g_file_test (file, G_FILE_TEST_EXISTS) ? g_strdup (file) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree char *path = g_build_filename (places[i], file, NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return g_canonicalize_filename (path, NULL);
  }
  return NULL;
}

static char *
make_name (const char *database)
{
  g_autoptr (GString) name = g_string_new (g_ascii_isalpha (*database) ? "" : "d");

  for (const char *p = database; *p != '\0'; p++)
    g_string_append_c (name, g_ascii_isalnum (*p) ? *p : FILLER);
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static gboolean
add_database (PlumbEvalRunner *self, const char *set, const PlumbEvalQuestion *question,
              PlumbProgress progress, gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = find_file (set, question->file);
  g_autofree char *name = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *escaped = NULL;
  g_autoptr (GPtrArray) warnings = NULL;
  g_autoptr (PlumbAnalysisReport) report = NULL;

  if (g_hash_table_contains (self->names, question->database))
    return TRUE;
  if (path == NULL) {
    g_set_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND,
                 "The file %s of question \"%s\" is neither beside the set nor in the folder above.",
                 question->file, question->id);
    return FALSE;
  }
  name = make_name (question->database);
  escaped = g_uri_escape_string (path, "/", TRUE);
  uri = g_strconcat ("sqlite://", escaped, NULL);
  if (!plumb_session_add_source (self->session, name, uri, NULL, TRUE, &warnings, cancellable, error))
    return FALSE;
  report = plumb_session_analyze (self->session, name, FALSE, FALSE, progress, user_data, cancellable, error);
  if (report == NULL)
    return FALSE;
  g_hash_table_insert (self->names, g_strdup (question->database), g_steal_pointer (&name));
  return TRUE;
}

/* A session of its own that asks the same model as @session. */
static gboolean
open_session (PlumbEvalRunner *self, PlumbSession *session, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (PlumbModelSettings) model = session != NULL ? plumb_session_get_model (session) : NULL;
  PlumbSessionOptions options = { 0 };

  self->folder = g_dir_make_tmp ("plumbline-eval-XXXXXX", error);
  if (self->folder == NULL)
    return FALSE;
  path = g_build_filename (self->folder, "index.sqlite", NULL);
  options.index_path = path;
  self->session = plumb_session_open (&options, error);
  if (self->session == NULL)
    return FALSE;
  return model == NULL || model->is_planner || model->from_environment ||
         plumb_session_set_model (self->session, model->base_address, model->model, NULL, error);
}

/**
 * plumb_eval_runner_new:
 * @session: (nullable): whose model is asked, and whose databases where @own
 * @own: whether the questions are about the databases of @session
 * @sets: paths of the sets
 * @questions: (element-type GPtrArray): the questions of each set
 * @cancellable: (nullable): a cancellable
 *
 * Gets ready what questions are asked of: unless they are about the session's own databases, those of
 * their files, connected and analysed.
 *
 * Returns: (transfer full): the runner, %NULL with an error
 */
PlumbEvalRunner *
plumb_eval_runner_new (PlumbSession *session, gboolean own, const char *const *sets,
                       GPtrArray *questions, PlumbProgress progress, gpointer user_data,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (PlumbEvalRunner) self = g_new0 (PlumbEvalRunner, 1);

  if (own) {
    self->session = g_object_ref (session);
    return g_steal_pointer (&self);
  }
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!open_session (self, session, error))
    return NULL;
  for (guint i = 0; i < questions->len; i++) {
    GPtrArray *set = g_ptr_array_index (questions, i);

    for (guint j = 0; j < set->len; j++) {
      const PlumbEvalQuestion *question = g_ptr_array_index (set, j);

      if (question->file != NULL && question->gold_sql != NULL &&
          !add_database (self, sets[i], question, progress, user_data, cancellable, error))
        return NULL;
    }
  }
  return g_steal_pointer (&self);
}

/* The source that a question is about, NULL where it has no rows to run on. */
static const char *
get_source (PlumbEvalRunner *self, const PlumbEvalQuestion *question)
{
  if (question->gold_sql == NULL)
    return NULL;
  if (self->names == NULL)
    return question->database;
  return question->file != NULL ? g_hash_table_lookup (self->names, question->database) : NULL;
}

static void
on_event (const PlumbEvent *event, gpointer user_data)
{
  Heard *heard = user_data;

  if (event->kind == PLUMB_EVENT_STEP_FINISHED && event->step != NULL) {
    heard->rounds = MAX (heard->rounds, event->step->round);
    heard->n_statements += g_strcmp0 (event->step->tool, "run_query") == 0;
  } else if (event->kind == PLUMB_EVENT_RESULT) {
    g_free (heard->sql);
    g_free (heard->database);
    heard->sql = g_strdup (event->sql);
    heard->database = g_strdup (event->database);
  } else if (event->kind == PLUMB_EVENT_TURN_FINISHED) {
    heard->tokens = event->turn->tokens;
  }
}

/* A cell so that equal values are equal texts: 5, 5.0 and 5.00 are one number. */
static void
append_cell (GString *row, const PlumbCell *cell)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  char *end;
  double number;

  if (cell->kind == PLUMB_VALUE_NULL) {
    g_string_append (row, "\x01");
    return;
  }
  number = g_ascii_strtod (cell->text, &end);
  if (cell->length > 0 && end == cell->text + cell->length && isfinite (number)) {
    g_ascii_formatd (digits, sizeof digits, "%.9g", number == 0 ? 0 : number);
    g_string_append (row, digits);
  } else {
    g_string_append_len (row, cell->text, cell->length);
  }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The rows as texts with the columns in the order of @columns, sorted where the rows' order doesn't
 * count. */
static GPtrArray *
list_rows (PlumbResult *result, const guint *columns, gboolean ordered)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);

  for (gint64 i = 0; i < plumb_result_get_n_rows (result); i++) {
    g_autoptr (GString) row = g_string_new (NULL);

    for (guint j = 0; j < plumb_result_get_n_columns (result); j++) {
      append_cell (row, plumb_result_get_cell (result, i, columns[j]));
      g_string_append_c (row, '\x02');
    }
    g_ptr_array_add (rows, g_string_free (g_steal_pointer (&row), FALSE));
  }
  if (!ordered)
    g_ptr_array_sort (rows, compare_texts);
  return rows;
}

static gboolean
same_rows (GPtrArray *rows, PlumbResult *other, const guint *columns, gboolean ordered)
{
  g_autoptr (GPtrArray) other_rows = list_rows (other, columns, ordered);

  for (guint i = 0; i < rows->len; i++) {
    if (strcmp (g_ptr_array_index (rows, i), g_ptr_array_index (other_rows, i)) != 0)
      return FALSE;
  }
  return TRUE;
}

static void
swap (guint *one, guint *other)
{
  guint kept = *one;

  *one = *other;
  *other = kept;
}

/* The next order of columns in the dictionary's order (Narayana's method); FALSE after the last. */
static gboolean
next_order (guint *columns, guint n_columns)
{
  guint i = n_columns, j = n_columns;

  while (i >= 2 && columns[i - 2] > columns[i - 1])
    i--;
  if (i < 2)
    return FALSE;
  while (columns[j - 1] < columns[i - 2])
    j--;
  swap (&columns[i - 2], &columns[j - 1]);
  for (guint left = i - 1, right = n_columns - 1; left < right; left++, right--)
    swap (&columns[left], &columns[right]);
  return TRUE;
}

static PlumbResult *
run (PlumbEvalRunner *self, const char *source, const char *sql, GCancellable *cancellable)
{
  PlumbLimits limits = PLUMB_LIMITS_DEFAULT;

  limits.max_rows = MAX_ROWS;
  limits.max_bytes = 0;
  return plumb_session_query (self->session, source, sql, &limits, cancellable, NULL);
}

/**
 * plumb_eval_results_equal:
 * @ordered: whether the order of rows counts
 *
 * Returns: whether both hold the same rows, each as often, numbers compared as numbers; neither the
 *   names of columns count nor, with at most MAX_PERMUTED of them, their order
 */
gboolean
plumb_eval_results_equal (PlumbResult *one, PlumbResult *other, gboolean ordered)
{
  guint n_columns = plumb_result_get_n_columns (one);
  g_autofree guint *columns = g_new (guint, n_columns);
  g_autoptr (GPtrArray) rows = NULL;

  if (plumb_result_get_truncated (one) || plumb_result_get_truncated (other) ||
      n_columns != plumb_result_get_n_columns (other) ||
      plumb_result_get_n_rows (one) != plumb_result_get_n_rows (other))
    return FALSE;
  for (guint i = 0; i < n_columns; i++)
    columns[i] = i;
  rows = list_rows (one, columns, ordered);
  do {
    if (same_rows (rows, other, columns, ordered))
      return TRUE;
  } while (n_columns <= MAX_PERMUTED && next_order (columns, n_columns));
  return FALSE;
}

static gboolean
has_order (const char *sql)
{
  g_autofree char *lower = g_ascii_strdown (sql, -1);

  return strstr (lower, "order by") != NULL;
}

/* Whether the last statement of a turn gives what the gold statement gives. */
static gboolean
is_equal (PlumbEvalRunner *self, const Heard *heard, const char *source, const char *gold_sql,
          GCancellable *cancellable)
{
  g_autoptr (PlumbResult) gold = run (self, source, gold_sql, cancellable);
  g_autoptr (PlumbResult) given =
      gold != NULL ? run (self, heard->database, heard->sql, cancellable) : NULL;

  return given != NULL && plumb_eval_results_equal (gold, given, has_order (gold_sql));
}

/**
 * plumb_eval_runner_ask:
 * @question: a question
 * @apart: whether the turn is bound to the question's own database
 * @answers: what is added to
 * @cancellable: (nullable): a cancellable
 *
 * Asks the question, lets the whole loop run, and compares the result of its last statement with that
 * of the gold statement. Where the question has no rows to run on, nothing is done.
 *
 * Returns: %FALSE with G_IO_ERROR_CANCELLED; a turn that failed counts as not answered
 */
gboolean
plumb_eval_runner_ask (PlumbEvalRunner *self, const PlumbEvalQuestion *question, gboolean apart,
                       PlumbEvalAnswers *answers, GCancellable *cancellable, GError **error)
{
  const char *source = get_source (self, question);
  const char *bound[] = { source, NULL };
  PlumbAskRequest request = { .question = question->text, .databases = apart ? bound : NULL };
  g_auto (Heard) heard = { 0 };
  g_autoptr (PlumbTurn) turn = NULL;
  gint64 started = g_get_monotonic_time ();
  double seconds, n_statements, rounds, tokens;

  if (source == NULL)
    return TRUE;
  turn = plumb_session_ask (self->session, &request, on_event, &heard, cancellable, NULL);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  seconds = (g_get_monotonic_time () - started) / (double) G_USEC_PER_SEC;
  n_statements = heard.n_statements;
  rounds = heard.rounds;
  tokens = heard.tokens;
  g_array_append_val (answers->seconds, seconds);
  g_array_append_val (answers->statements, n_statements);
  g_array_append_val (answers->rounds, rounds);
  g_array_append_val (answers->tokens, tokens);
  answers->n_executed += heard.sql != NULL;
  if (heard.sql != NULL && turn != NULL && !turn->declined) {
    answers->n_answered++;
    answers->n_equal += is_equal (self, &heard, source, question->gold_sql, cancellable);
  }
  if (turn != NULL)
    plumb_session_delete_conversation (self->session, turn->conversation_id, NULL);
  return TRUE;
}

/** plumb_eval_answers_new: Returns: (transfer full): answers of no question yet */
PlumbEvalAnswers *
plumb_eval_answers_new (void)
{
  PlumbEvalAnswers *self = g_new0 (PlumbEvalAnswers, 1);

  self->statements = g_array_new (FALSE, FALSE, sizeof (double));
  self->rounds = g_array_new (FALSE, FALSE, sizeof (double));
  self->tokens = g_array_new (FALSE, FALSE, sizeof (double));
  self->seconds = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

/** plumb_eval_answers_free: frees it */
void
plumb_eval_answers_free (PlumbEvalAnswers *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->statements);
  g_array_unref (self->rounds);
  g_array_unref (self->tokens);
  g_array_unref (self->seconds);
  g_free (self);
}
