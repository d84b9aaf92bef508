/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-access.h"

#include <glib/gstdio.h>

static PlumbAccess *
load (const char *policy)
{
  GError *error = NULL;
  PlumbAccess *access = plumb_access_load_from_data ("r", policy, -1, &error);

  g_assert_no_error (error);
  return access;
}

static void
test_unrestricted (void)
{
  g_autoptr (PlumbAccess) access = plumb_access_new_unrestricted ();

  g_assert_null (plumb_access_get_role (access));
  g_assert_true (plumb_access_allows_database (access, "sales"));
  g_assert_true (plumb_access_allows_table (access, "sales", "main", "ORD"));
  g_assert_true (plumb_access_allows_column (access, "sales", "main", "ORD", "*"));
  g_assert_false (plumb_access_hides_columns (access, "sales", "main", "ORD"));
}

static void
test_deny_wins (void)
{
  g_autoptr (PlumbAccess) access = load ("[role r]\nallow=*;\ndeny=*.hr_SALARY;\n");

  g_assert_cmpstr (plumb_access_get_role (access), ==, "r");
  g_assert_true (plumb_access_allows_table (access, "sales", "main", "ORD_MST"));
  g_assert_false (plumb_access_allows_table (access, "sales", "main", "HR_SALARY"));
  g_assert_false (plumb_access_allows_table (access, "sales", NULL, "Hr_Salary"));
  g_assert_false (plumb_access_allows_column (access, "sales", "main", "HR_SALARY", "NAME"));
  g_assert_true (plumb_access_allows_table (access, "sales", "main", "HR_SALARY_2"));
  g_assert_true (plumb_access_allows_database (access, "sales"));
}

static void
test_shortened (void)
{
  g_autoptr (PlumbAccess) access = load (
      "[role r]\nallow=sales.*;crm.public;erp.hr.EMP?;bi;\ndeny=hr.SECRET;bi.tmp.*;crm.public.X\n");

  g_assert_true (plumb_access_allows_table (access, "SALES", "any", "T"));
  g_assert_false (plumb_access_allows_table (access, "sales2", "any", "T"));
  g_assert_true (plumb_access_allows_table (access, "crm", "public", "T"));
  g_assert_false (plumb_access_allows_table (access, "crm", "private", "T"));
  g_assert_false (plumb_access_allows_table (access, "crm", "public", "x"));
  /* A schema that isn't known isn't taken for one that is allowed. */
  g_assert_false (plumb_access_allows_table (access, "crm", NULL, "T"));
  g_assert_true (plumb_access_allows_table (access, "erp", "hr", "EMP1"));
  g_assert_false (plumb_access_allows_table (access, "erp", "hr", "EMP"));
  g_assert_false (plumb_access_allows_table (access, "erp", "hr", "EMP12"));
  g_assert_true (plumb_access_allows_database (access, "erp"));
  g_assert_false (plumb_access_allows_database (access, "other"));
  g_assert_true (plumb_access_allows_table (access, "bi", "x", "T"));
  g_assert_false (plumb_access_allows_table (access, "bi", "TMP", "T"));
  g_assert_false (plumb_access_allows_table (access, "sales", "hr", "SECRET"));
}

static void
test_whole_database_denied (void)
{
  g_autoptr (PlumbAccess) access = load ("[role r]\nallow=*\ndeny=hr.*;fin\n");

  g_assert_false (plumb_access_allows_database (access, "hr"));
  g_assert_false (plumb_access_allows_database (access, "FIN"));
  g_assert_true (plumb_access_allows_database (access, "sales"));
  g_assert_false (plumb_access_allows_table (access, "fin", "main", "T"));
}

static void
test_columns (void)
{
  g_autoptr (PlumbAccess) access = load (
      "[role r]\nallow=sales.*;hr.main.EMP.NAME;hr.main.EMP.DEPT*\ndeny=sales.main.CUST.*MAIL*\n");

  g_assert_true (plumb_access_hides_columns (access, "sales", "main", "CUST"));
  g_assert_false (plumb_access_hides_columns (access, "sales", "main", "ORD"));
  g_assert_false (plumb_access_allows_column (access, "sales", "main", "CUST", "email_addr"));
  g_assert_true (plumb_access_allows_column (access, "sales", "main", "CUST", "NAME"));
  g_assert_false (plumb_access_allows_column (access, "sales", "main", "CUST", "*"));
  g_assert_true (plumb_access_allows_column (access, "sales", "main", "ORD", "*"));
  g_assert_true (plumb_access_allows_table (access, "hr", "main", "EMP"));
  g_assert_true (plumb_access_hides_columns (access, "hr", "main", "EMP"));
  g_assert_true (plumb_access_allows_column (access, "hr", "main", "EMP", "dept_id"));
  g_assert_false (plumb_access_allows_column (access, "hr", "main", "EMP", "SALARY"));
  g_assert_false (plumb_access_allows_column (access, "hr", "main", "EMP", "*"));
  g_assert_false (plumb_access_allows_table (access, "hr", "main", "DEPT"));
}

/* What is denied can't be had through a copy, unless the copy is denied the same. */
static void
test_originals (void)
{
  g_autoptr (PlumbAccess) access = load ("[role r]\nallow=*\n"
                                         "deny=sales.main.PAY;sales.main.CUST.MAIL;sales.*.*.PIN\n");
  g_autoptr (PlumbTableName) pay = plumb_table_name_new ("sales", "main", "PAY_BAK");
  g_autoptr (PlumbTableName) customer = plumb_table_name_new ("sales", "main", "CUST_OLD");
  g_autoptr (PlumbTableName) order = plumb_table_name_new ("sales", "main", "ORD_BAK");

  g_assert_true (plumb_access_denies_original (access, pay, "main", "PAY"));
  g_assert_true (plumb_access_denies_original (access, customer, "main", "CUST"));
  g_assert_false (plumb_access_denies_original (access, order, "main", "ORD"));
}

static void
test_quoted (void)
{
  g_autoptr (PlumbAccess) access =
      load ("[role r]\nallow=db.\"a.b\".\"T*\";db.s.\"say \"\"hi\"\"\";판매.*\n");

  g_assert_true (plumb_access_allows_table (access, "db", "A.B", "t*"));
  g_assert_false (plumb_access_allows_table (access, "db", "a.b", "TX"));
  g_assert_true (plumb_access_allows_table (access, "db", "s", "say \"hi\""));
  g_assert_true (plumb_access_allows_table (access, "판매", "main", "주문"));
}

static void
test_nothing_allowed (void)
{
  g_autoptr (PlumbAccess) access = load ("[role r]\nallow=\n");

  g_assert_false (plumb_access_allows_database (access, "sales"));
  g_assert_false (plumb_access_allows_table (access, "sales", "main", "T"));
  g_assert_false (plumb_access_allows_column (access, "sales", "main", "T", "C"));
}

/* Each of these would give more than was meant if it were let through. */
static void
test_bad_policies (void)
{
  static const char *const policies[] = {
    "[role r]\ndeny=x\n",
    "[role r]\nallow=*\ndney=x\n",
    "[role r]\nallow=*\nallow[de]=x\n",
    "[role r]\nallow=*\ndeny=x\ndeny=y\n",
    "[role r]\nallow=*\ndeny=x\n[role r]\nallow=*\n",
    "[role r]\nallow=*\n[Role s]\nallow=*\n",
    "[role r]\nallow=*\n[policy]\ndefault=r\n",
    "[role r]\nallow=*\ndeny=a..b\n",
    "[role r]\nallow=*\ndeny=a.b.c.d.e\n",
    "[role r]\nallow=*\ndeny=\"a\n",
    "[role r]\nallow=*\ndeny=.x\n",
    "[role r]\nallow=*\ndeny=a\\qb\n",
    "[role r]\nallow=*\ndeny\n",
    "[role r]\nallow=\xff\n",
    "allow=*\n",
    "<html>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbAccess) access = plumb_access_load_from_data ("r", policies[i], -1, &error);

    g_test_message ("%s", error != NULL ? error->message : policies[i]);
    g_assert_null (access);
    g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  }
}

static void
test_unknown_role (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (plumb_access_load_from_data ("boss", "[role a]\nallow=*\n[role b c]\nallow=*\n",
                                              -1, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "a, b c"));
  g_clear_error (&error);
  g_assert_null (plumb_access_load_from_data (NULL, "[role a]\nallow=*\n", -1, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION);
  g_clear_error (&error);
  g_assert_null (plumb_access_load_from_data (NULL, "[policy]\ndefault-role=z\n[role a]\nallow=*\n",
                                              -1, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
}

/* A folder with a system-wide and a user's policy file. */
typedef struct {
  char *folder;
  char *system;
  char *user;
} Files;

static void
files_set_up (Files *files, gconstpointer data)
{
  files->folder = g_dir_make_tmp ("plumbline-access-XXXXXX", NULL);
  files->system = g_build_filename (files->folder, "system.ini", NULL);
  files->user = g_build_filename (files->folder, "user.ini", NULL);
}

static void
files_tear_down (Files *files, gconstpointer data)
{
  g_remove (files->system);
  g_remove (files->user);
  g_assert_cmpint (g_rmdir (files->folder), ==, 0);
  g_free (files->folder);
  g_free (files->system);
  g_free (files->user);
}

static void
write_file (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_no_files (Files *files, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccess) access = plumb_access_load (NULL, files->system, files->user, &error);

  g_assert_no_error (error);
  g_assert_null (plumb_access_get_role (access));
  g_assert_true (plumb_access_allows_table (access, "a", "b", "c"));
  g_assert_null (plumb_access_load ("analyst", files->system, NULL, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NOT_FOUND);
}

static void
test_user_file (Files *files, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccess) free_access = NULL;
  g_autoptr (PlumbAccess) access = NULL;

  write_file (files->user, "[role a]\nallow=crm\n");
  free_access = plumb_access_load ("", files->system, files->user, &error);
  g_assert_no_error (error);
  g_assert_null (plumb_access_get_role (free_access));
  write_file (files->user, "[policy]\ndefault-role = a\n[role a]\nallow=crm\n");
  access = plumb_access_load (NULL, files->system, files->user, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plumb_access_get_role (access), ==, "a");
  g_assert_false (plumb_access_allows_database (access, "sales"));
}

static void
test_system_wins (Files *files, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccess) by_default = NULL;
  g_autoptr (PlumbAccess) same_name = NULL;
  g_autoptr (PlumbAccess) own = NULL;
  g_auto (GStrv) roles = NULL;
  g_autofree char *names = NULL;

  write_file (files->system,
              "[policy]\ndefault-role=staff\n[role staff]\nallow=sales.*;crm.*\ndeny=*.PAY;"
              "*.*.CUST.MAIL\n[role lead]\nallow=*\n");
  write_file (files->user,
              "[policy]\ndefault-role=all\n[role staff]\nallow=*\n[role all]\nallow=*\n"
              "[role narrow]\nallow=crm\n");
  by_default = plumb_access_load (NULL, files->system, files->user, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plumb_access_get_role (by_default), ==, "staff");
  same_name = plumb_access_load ("staff", files->system, files->user, &error);
  g_assert_false (plumb_access_allows_table (same_name, "sales", "main", "PAY"));

  own = plumb_access_load ("all", files->system, files->user, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plumb_access_get_role (own), ==, "all");
  g_assert_true (plumb_access_allows_table (own, "sales", "main", "ORD"));
  g_assert_false (plumb_access_allows_table (own, "sales", "main", "PAY"));
  g_assert_false (plumb_access_allows_database (own, "hr"));
  g_assert_true (plumb_access_hides_columns (own, "sales", "main", "CUST"));
  g_assert_false (plumb_access_allows_column (own, "sales", "main", "CUST", "MAIL"));
  g_assert_true (plumb_access_allows_column (own, "sales", "main", "CUST", "NAME"));

  roles = plumb_access_list_roles (files->system, files->user, &error);
  names = g_strjoinv (",", roles);
  g_assert_cmpstr (names, ==, "staff,lead,all,narrow");
}

static void
test_system_without_default (Files *files, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccess) chosen = NULL;

  write_file (files->system, "[role staff]\nallow=sales.*\n");
  write_file (files->user, "[role all]\nallow=*\n");
  g_assert_null (plumb_access_load (NULL, files->system, files->user, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION);
  g_clear_error (&error);
  g_assert_null (plumb_access_load ("all", files->system, files->user, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION);
  g_clear_error (&error);
  chosen = plumb_access_load ("staff", files->system, files->user, &error);
  g_assert_no_error (error);
  g_assert_true (plumb_access_allows_database (chosen, "sales"));
}

/* A folder in the file's place can't be read, whoever runs the test. */
static void
test_unreadable (Files *files, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (plumb_access_load (NULL, files->folder, files->user, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (plumb_access_load (NULL, files->system, files->folder, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  write_file (files->system, "");
  g_assert_null (plumb_access_load (NULL, files->system, files->user, &error));
  g_assert_error (error, PLUMB_ERROR, PLUMB_ERROR_NO_PERMISSION);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/access/unrestricted", test_unrestricted);
  g_test_add_func ("/access/deny-wins", test_deny_wins);
  g_test_add_func ("/access/shortened", test_shortened);
  g_test_add_func ("/access/whole-database-denied", test_whole_database_denied);
  g_test_add_func ("/access/columns", test_columns);
  g_test_add_func ("/access/originals", test_originals);
  g_test_add_func ("/access/quoted", test_quoted);
  g_test_add_func ("/access/nothing-allowed", test_nothing_allowed);
  g_test_add_func ("/access/bad-policies", test_bad_policies);
  g_test_add_func ("/access/unknown-role", test_unknown_role);
#define ADD(path, func) g_test_add (path, Files, NULL, files_set_up, func, files_tear_down)
  ADD ("/access/files/none", test_no_files);
  ADD ("/access/files/user", test_user_file);
  ADD ("/access/files/system-wins", test_system_wins);
  ADD ("/access/files/system-without-default", test_system_without_default);
  ADD ("/access/files/unreadable", test_unreadable);
#undef ADD
  return g_test_run ();
}
