/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "session-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

static void
assert_fails (gboolean done, GError **error, GQuark domain, int code)
{
  g_assert_false (done);
  g_assert_error (*error, domain, code);
  g_clear_error (error);
}

static void
test_names (void)
{
  static const char *const bad[] = { "", "1shop", "my shop", "a.b", "shop/..", "\xff", "-x" };
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *uri = session_make_shop ();
  g_autofree char *longest = g_strnfill (64, 'a');
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_fails (plumb_session_add_source (session, bad[i], uri, NULL, FALSE, NULL, NULL, &error),
                  &error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  assert_fails (plumb_session_add_source (session, longest, uri, NULL, FALSE, NULL, NULL, &error),
                &error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_assert_true (plumb_session_add_source (session, "주문-1", uri, NULL, FALSE, NULL, NULL, &error));
  g_assert_true (plumb_session_add_source (session, "shop", uri, NULL, FALSE, NULL, NULL, &error));
  assert_fails (plumb_session_add_source (session, "SHOP", uri, NULL, FALSE, NULL, NULL, &error),
                &error, PLUMB_ERROR, PLUMB_ERROR_EXISTS);
}

static void
test_bad_sources (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *path =
      g_build_filename (g_get_user_data_dir (), "plumbline", "no-database.sqlite", NULL);
  g_autofree char *uri = g_strconcat ("sqlite://", path, NULL);
  g_autoptr (GPtrArray) sources = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path,
                                      "This is a letter, not a database, and longer than a header "
                                      "is. ........................................",
                                      -1, NULL));
  assert_fails (plumb_session_add_source (session, "a", uri, NULL, FALSE, NULL, NULL, &error),
                &error, g_quark_from_static_string ("plumb-source-error-quark"), 0);
  g_assert_false (plumb_session_add_source (session, "b", "sqlite:///no/such/file", NULL, FALSE,
                                            NULL, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (
      plumb_session_add_source (session, "c", "nonsense", NULL, FALSE, NULL, NULL, &error));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 2);
  g_clear_error (&error);
  g_assert_null (plumb_session_check_source (session, "d", NULL, &error));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 7);
  sources = plumb_session_list_sources (session, NULL);
  g_assert_cmpuint (sources->len, ==, 0);
}

/* Whether any file of the data folder holds the bytes. */
static gboolean
any_file_holds (const char *folder, const char *bytes)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *text = NULL;
    gsize length = 0;

    if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
      if (any_file_holds (path, bytes))
        return TRUE;
    } else if (g_file_get_contents (path, &text, &length, NULL) &&
               memmem (text, length, bytes, strlen (bytes)) != NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

static void
test_no_password_in_files (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (GPtrArray) warnings = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = session_make_shop ();

  /* Nobody listens there: the address with its password must not come back in the error. */
  g_assert_false (plumb_session_add_source (session, "pg",
                                            "postgresql://me:hunter2secret@127.0.0.1:1/db", NULL,
                                            FALSE, NULL, NULL, &error));
  g_assert_null (strstr (error->message, "hunter2secret"));
  g_clear_error (&error);
  g_assert_true (plumb_session_add_source (session, "shop", uri, "hunter2secret", FALSE, &warnings,
                                           NULL, &error));
  g_assert_no_error (error);
  g_assert_nonnull (
      strstr (g_ptr_array_index (warnings, warnings->len - 1), "PLUMBLINE_PASSWORD_SHOP"));
  g_assert_true (
      plumb_session_set_model (session, "http://127.0.0.1:1/v1", "m", "hunter2secret", &error));
  g_clear_object (&session);
  g_assert_false (any_file_holds (g_get_user_data_dir (), "hunter2secret"));
  g_assert_false (any_file_holds (g_get_user_config_dir (), "hunter2secret"));
}

static void
test_query (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbResult) result = NULL;
  g_autoptr (PlumbResult) none = NULL;
  g_autoptr (PlumbAuditRecord) record = NULL;
  g_autofree char *plan = NULL;
  g_autoptr (GError) error = NULL;

  session_add_shop (session);
  result =
      plumb_session_query (session, "shop", "SELECT SUM(amount) FROM orders;", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plumb_result_get_cell (result, 0, 0)->text, ==, "60");
  record = plumb_session_get_audit (session, plumb_result_get_audit_id (result), &error);
  g_assert_cmpstr (record->origin, ==, "query");
  g_assert_cmpint (record->state, ==, PLUMB_STATE_DONE);
  none = plumb_session_query (session, "shop", "DELETE FROM orders", NULL, NULL, &error);
  g_assert_null (none);
  g_assert_cmpint (plumb_session_exit_code (error), ==, 3);
  g_clear_error (&error);
  none = plumb_session_query (session, "shop", "SELECT nothing FROM orders", NULL, NULL, &error);
  g_assert_null (none);
  g_assert_cmpint (plumb_session_exit_code (error), ==, 5);
  g_clear_error (&error);
  plan = plumb_session_explain (session, "shop", "SELECT * FROM orders", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (plan, "\"plan\":\""));
}

/* A table that came after the analysis can be queried by the user, since the catalog is read again.
 */
static void
test_new_table (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbResult) before = NULL;
  g_autoptr (PlumbResult) after = NULL;
  g_autoptr (GError) error = NULL;

  session_add_shop (session);
  before = plumb_session_query (session, "shop", "SELECT COUNT(*) FROM orders", NULL, NULL, &error);
  g_assert_no_error (error);
  session_change_shop ("CREATE TABLE later (n INTEGER)");
  after = plumb_session_query (session, "shop", "SELECT COUNT(*) FROM later", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plumb_result_get_cell (after, 0, 0)->text, ==, "0");
}

static void
test_check (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *allowed = NULL;
  g_autofree char *refused = NULL;
  g_autofree char *alone = NULL;
  g_autofree char *with_nul = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GError) error = NULL;

  session_add_shop (session);
  allowed =
      plumb_session_check (session, "shop", NULL, "SELECT name FROM customer", -1, "q1", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (
      allowed,
      "{\"id\":\"q1\",\"verdict\":\"allow\",\"reason\":null,\"tables\":[\"main.customer\"]"));
  refused = plumb_session_check (session, "shop", NULL, "DROP TABLE customer", -1, NULL, &error);
  g_assert_nonnull (strstr (refused, "\"verdict\":\"refuse\""));
  alone = plumb_session_check (session, NULL, "postgres", "SELECT 1", -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (alone, "\"verdict\":\"allow\""));
  with_nul =
      plumb_session_check (session, "shop", NULL, "SELECT 1\0; DROP TABLE x", 24, NULL, &error);
  g_assert_nonnull (strstr (with_nul, "\"verdict\":\"refuse\""));
  g_assert_null (plumb_session_check (session, NULL, "cobol", "SELECT 1", -1, NULL, &error));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 2);
  records = plumb_session_list_audit (session, 0, 10, NULL);
  g_assert_cmpuint (records->len, ==, 0);
}

/* Without a source: which schema an unqualified name means is said, or not known. */
static void
test_check_dialect (void)
{
  static const struct {
    const char *dialect;
    const char *schema;
    const char *sql;
    const char *tables;
  } cases[] = {
    { "oracle", "SHOP", "SELECT 1 FROM orders", "[\"SHOP.ORDERS\"]" },
    { "oracle", NULL, "SELECT 1 FROM orders", "[\"ORDERS\"]" },
    { "oracle", "SHOP", "SELECT 1 FROM hr.orders o, orders", "[\"HR.ORDERS\",\"SHOP.ORDERS\"]" },
    { "mysql", "shop", "SELECT 1 FROM orders", "[\"shop.orders\"]" },
    { "postgres", NULL, "SELECT 1 FROM orders", "[\"public.orders\"]" },
    { "postgres", "lib", "SELECT 1 FROM orders", "[\"lib.orders\"]" },
    { "sqlite", NULL, "SELECT 1 FROM orders", "[\"main.orders\"]" },
    { "sqlserver", NULL, "SELECT 1 FROM orders", "[\"dbo.orders\"]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *answer = plumb_session_check_dialect (cases[i].dialect, cases[i].schema,
                                                           cases[i].sql, -1, NULL, &error);
    g_autofree char *wanted = g_strconcat ("\"tables\":", cases[i].tables, ",", NULL);

    g_assert_no_error (error);
    if (strstr (answer, wanted) == NULL)
      g_error ("%s, not %s", answer, wanted);
    g_assert_nonnull (strstr (answer, "can't be told from a table"));
  }
}

static void
test_role (void)
{
  g_autofree char *policy =
      g_build_filename (g_get_user_config_dir (), "plumbline", "policy.ini", NULL);
  g_autofree char *folder = g_path_get_dirname (policy);
  g_autoptr (PlumbSession) owner = NULL;
  g_autoptr (PlumbSession) clerk = NULL;
  g_autoptr (PlumbResult) secret = NULL;
  g_autoptr (PlumbResult) view = NULL;
  g_autoptr (PlumbResult) none = NULL;
  g_autoptr (GPtrArray) cards = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (PlumbCandidates) found = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (
      g_file_set_contents (policy, "[role clerk]\nallow=*;\ndeny=shop.*.salary;\n", -1, NULL));
  owner = session_open (NULL);
  g_assert_null (plumb_session_get_role (owner));
  session_add_shop (owner);
  secret = plumb_session_query (owner, "shop", "SELECT amount FROM salary", NULL, NULL, &error);
  g_assert_no_error (error);
  view = plumb_session_query (owner, "shop", "SELECT paid FROM pay", NULL, NULL, &error);
  g_assert_no_error (error);
  clerk = session_open ("clerk");
  g_assert_cmpstr (plumb_session_get_role (clerk), ==, "clerk");
  none = plumb_session_query (clerk, "shop", "SELECT amount FROM salary", NULL, NULL, &error);
  g_assert_null (none);
  g_assert_cmpint (plumb_session_exit_code (error), ==, 4);
  g_clear_error (&error);
  g_assert_null (plumb_session_get_card (clerk, "shop.main.salary", &error));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 4);
  g_clear_error (&error);
  cards = plumb_session_list_cards (clerk, "shop", &error);
  g_assert_cmpuint (cards->len, ==, 3);
  found = plumb_session_search (clerk, "salary of employees", NULL, 8, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (g_ptr_array_index (found->no_permission, 0), ==, "shop.main.salary");
  records = plumb_session_list_audit (clerk, 0, 10, NULL);
  g_assert_cmpuint (records->len, ==, 2);
  for (guint k = 0; k < records->len; k++)
    g_assert_null (((PlumbAuditRecord *) g_ptr_array_index (records, k))->result);
}

static void
test_unknown_role (void)
{
  PlumbSessionOptions options = { .role = "nobody" };
  g_autoptr (GError) error = NULL;

  g_assert_null (plumb_session_open (&options, &error));
  g_assert_nonnull (error);
}

static void
test_draft (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *question = g_strnfill (100000, 'q');
  PlumbAskRequest request = { .question = question };
  g_autofree char *draft = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (plumb_session_ask (session, &request, NULL, NULL, NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  draft = plumb_session_get_draft (session);
  g_assert_cmpstr (draft, ==, question);
}

static void
test_model_settings (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autoptr (PlumbModelSettings) none = plumb_session_get_model (session);
  g_autoptr (PlumbModelSettings) set = NULL;
  g_autoptr (PlumbModelSettings) environment = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (none->is_planner);
  assert_fails (plumb_session_set_model (session, "localhost:11434", "m", NULL, &error), &error,
                PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  assert_fails (plumb_session_set_model (session, "http://a:secret@127.0.0.1:1/v1", "m", NULL,
                                         &error), &error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_assert_true (plumb_session_set_model (session, "http://127.0.0.1:1/v1", "m", "k", &error));
  set = plumb_session_get_model (session);
  g_assert_false (set->is_planner);
  g_assert_true (set->has_key);
  g_assert_false (set->from_environment);
  g_assert_cmpstr (set->model, ==, "m");
  g_setenv ("PLUMBLINE_MODEL_URL", "http://127.0.0.1:2/v1", TRUE);
  environment = plumb_session_get_model (session);
  g_unsetenv ("PLUMBLINE_MODEL_URL");
  g_assert_true (environment->from_environment);
  g_assert_cmpstr (environment->base_address, ==, "http://127.0.0.1:2/v1");
  g_assert_true (plumb_session_set_model (session, "", "", NULL, &error));
}

static void
test_model_does_not_answer (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  PlumbAskRequest request = { .question = "How many orders?" };
  g_autoptr (GPtrArray) conversations = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("PLUMBLINE_MODEL_URL", "http://127.0.0.1:1/v1", TRUE);
  g_setenv ("PLUMBLINE_MODEL_NAME", "m", TRUE);
  g_assert_null (plumb_session_ask (session, &request, NULL, NULL, NULL, &error));
  g_unsetenv ("PLUMBLINE_MODEL_URL");
  g_unsetenv ("PLUMBLINE_MODEL_NAME");
  g_assert_nonnull (error);
  g_assert_cmpint (plumb_session_exit_code (error), ==, 1);
  conversations = plumb_session_list_conversations (session, NULL);
  g_assert_cmpuint (conversations->len, ==, 1);
}

static void
test_export (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "out.csv", NULL);
  g_autofree char *odd = g_build_filename (g_get_user_data_dir (), "out.pdf", NULL);
  g_autofree char *text = NULL;
  g_autofree char *report = NULL;
  g_autoptr (GError) error = NULL;

  session_add_shop (session);
  report = plumb_session_export (session, "shop", "SELECT id, amount FROM orders ORDER BY id", path,
                                 NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (report, "\"rows\":3"));
  g_assert_nonnull (strstr (report, "\"truncated\":false"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "id,amount\r\n1,10\r\n2,20\r\n3,30\r\n");
  g_assert_null (plumb_session_export (session, "shop", "SELECT 1", odd, NULL, NULL, &error));
  g_assert_cmpint (plumb_session_exit_code (error), ==, 2);
}

static void
test_exit_codes (void)
{
  static const struct {
    int code;
    int exit_code;
  } codes[] = {
    { PLUMB_ERROR_FAILED, 1 },       { PLUMB_ERROR_INVALID_ARGUMENT, 2 },
    { PLUMB_ERROR_REFUSED, 3 },      { PLUMB_ERROR_NO_PERMISSION, 4 },
    { PLUMB_ERROR_OUT_OF_SCOPE, 4 }, { PLUMB_ERROR_TIMED_OUT, 6 },
    { PLUMB_ERROR_NOT_FOUND, 7 },    { PLUMB_ERROR_AMBIGUOUS, 7 },
    { PLUMB_ERROR_EXISTS, 1 },
  };
  g_autoptr (GError) cancelled = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "x");

  g_assert_cmpint (plumb_session_exit_code (NULL), ==, 0);
  g_assert_cmpint (plumb_session_exit_code (cancelled), ==, 6);
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++) {
    g_autoptr (GError) error = g_error_new_literal (PLUMB_ERROR, codes[i].code, "x");

    g_assert_cmpint (plumb_session_exit_code (error), ==, codes[i].exit_code);
  }
}

static void
test_doctor (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *json = plumb_session_doctor (session, NULL);
  g_autoptr (JsonNode) node = plumb_json_parse (json, -1, NULL);
  JsonArray *checks = plumb_json_get_array (json_node_get_object (node), "checks");

  g_assert_cmpuint (json_array_get_length (checks), >=, 7);
  for (guint i = 0; i < json_array_get_length (checks); i++) {
    JsonObject *check = json_array_get_object_element (checks, i);

    g_assert_cmpstr (plumb_json_get_string (check, "detail", ""), !=, "");
    if (!plumb_json_get_boolean (check, "ok", FALSE))
      g_assert_cmpstr (plumb_json_get_string (check, "advice", ""), !=, "");
  }
}

/* What people paste into a bug report has no secret in it. */
static void
test_doctor_is_discreet (void)
{
  g_autoptr (PlumbSession) session = session_open (NULL);
  g_autofree char *json = NULL;

  g_setenv ("PLUMBLINE_MODEL_URL", "http://a:hunter2secret@127.0.0.1:1/v1?key=hunter2secret", TRUE);
  json = plumb_session_doctor (session, NULL);
  g_unsetenv ("PLUMBLINE_MODEL_URL");
  g_assert_nonnull (strstr (json, "127.0.0.1:1"));
  g_assert_null (strstr (json, "hunter2secret"));
}

int
main (int argc, char **argv)
{
  session_test_init (&argc, &argv);
  session_test_add ("/session/names", test_names);
  session_test_add ("/session/bad-sources", test_bad_sources);
  session_test_add ("/session/no-password-in-files", test_no_password_in_files);
  session_test_add ("/session/query", test_query);
  session_test_add ("/session/new-table", test_new_table);
  session_test_add ("/session/check", test_check);
  session_test_add ("/session/check-dialect", test_check_dialect);
  session_test_add ("/session/role", test_role);
  session_test_add ("/session/unknown-role", test_unknown_role);
  session_test_add ("/session/draft", test_draft);
  session_test_add ("/session/model-settings", test_model_settings);
  session_test_add ("/session/model-does-not-answer", test_model_does_not_answer);
  session_test_add ("/session/export", test_export);
  session_test_add ("/session/exit-codes", test_exit_codes);
  session_test_add ("/session/doctor", test_doctor);
  session_test_add ("/session/doctor-is-discreet", test_doctor_is_discreet);
  return session_test_run ();
}
