/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-source-dialog.h"

#include "plumb-accessible.h"
#include "plumb-probe-rows.h"
#include "plumb-reveal.h"
#include "plumb-source-address.h"

#include <glib/gi18n-lib.h>

/* The places of the kinds in the list. */
enum {
  KIND_SQLITE,
  KIND_POSTGRESQL,
  KIND_MARIADB,
  KIND_CLICKHOUSE,
  KIND_ODBC,
  KIND_ADDRESS,
};

/* The engines with a host and a port; of the other kinds both are NULL. */
static const struct {
  const char *scheme;
  const char *port;
} servers[] = {
  [KIND_SQLITE] = { NULL, NULL },
  [KIND_POSTGRESQL] = { "postgresql", "5432" },
  [KIND_MARIADB] = { "mariadb", "3306" },
  [KIND_CLICKHOUSE] = { "clickhouse", "8123" },
  [KIND_ODBC] = { NULL, NULL },
  [KIND_ADDRESS] = { NULL, NULL },
};

struct _PlumbSourceDialog {
  AdwWindow parent_instance;

  PlumbSession *session;
  GCancellable *cancellable;
  gboolean name_edited;
  gboolean suggesting;

  GtkWidget *add_button;
  AdwEntryRow *name_row;
  AdwComboRow *kind_row;
  GtkWidget *sqlite_group;
  AdwEntryRow *file_row;
  GtkWidget *server_group;
  AdwEntryRow *host_row;
  AdwEntryRow *port_row;
  AdwEntryRow *database_row;
  AdwEntryRow *user_row;
  GtkWidget *odbc_group;
  AdwEntryRow *odbc_row;
  AdwEntryRow *odbc_user_row;
  GtkWidget *address_group;
  AdwEntryRow *address_row;
  GtkWidget *password_group;
  AdwEntryRow *password_row;
  GtkSpinner *spinner;
  GtkWidget *test_button;
  GtkLabel *error_label;
  GtkWidget *found_group;
  GtkListBox *found_list;
  GtkWidget *risk_group;
  GtkSwitch *risk_switch;
};

enum {
  ADDED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlumbSourceDialog, plumb_source_dialog, ADW_TYPE_WINDOW)

static char *
get_text (AdwEntryRow *row)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
}

/* The address as the fields give it; empty while they don't. */
static char *
get_address (PlumbSourceDialog *self)
{
  guint kind = adw_combo_row_get_selected (self->kind_row);
  g_autofree char *host = get_text (self->host_row);
  g_autofree char *port = get_text (self->port_row);
  g_autofree char *database = get_text (self->database_row);
  g_autofree char *user = get_text (self->user_row);
  g_autofree char *file = get_text (self->file_row);

  if (kind == KIND_SQLITE)
    return file[0] != '\0' ? plumb_source_address_for_file (file) : g_strdup ("");
  if (kind == KIND_ADDRESS)
    return get_text (self->address_row);
  if (kind == KIND_ODBC) {
    g_autofree char *connection = get_text (self->odbc_row);
    g_autofree char *account = get_text (self->odbc_user_row);

    return plumb_source_address_for_odbc (connection, account);
  }
  return host[0] != '\0' && database[0] != '\0'
             ? plumb_source_address_for_server (servers[kind].scheme, host, port, database, user)
             : g_strdup ("");
}

static void
show_error (PlumbSourceDialog *self, const GError *error)
{
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), error != NULL);
  if (error == NULL)
    return;
  gtk_label_set_text (self->error_label, error->message);
  plumb_reveal (GTK_WIDGET (self->error_label));
}

static void
update_buttons (PlumbSourceDialog *self)
{
  gboolean busy = self->cancellable != NULL;
  g_autofree char *address = get_address (self);
  g_autofree char *name = get_text (self->name_row);

  gtk_widget_set_sensitive (self->test_button, !busy && address[0] != '\0');
  gtk_widget_set_sensitive (self->add_button, !busy && address[0] != '\0' && name[0] != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_spinner_set_spinning (self->spinner, busy);
}

static void
suggest_name (PlumbSourceDialog *self)
{
  g_autofree char *address = get_address (self);
  g_autofree char *name = plumb_source_address_suggest_name (address);

  self->suggesting = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->name_row), name);
  self->suggesting = FALSE;
}

/* What was found belongs to the address that was tested; another one has to be tested again. */
static void
forget_probe (PlumbSourceDialog *self)
{
  gtk_widget_set_visible (self->found_group, FALSE);
  gtk_widget_set_visible (self->risk_group, FALSE);
  gtk_switch_set_active (self->risk_switch, FALSE);
  show_error (self, NULL);
}

static void
on_changed (PlumbSourceDialog *self, GtkEditable *row)
{
  if (self->suggesting)
    return;
  if (row == GTK_EDITABLE (self->name_row)) {
    self->name_edited = gtk_editable_get_text (row)[0] != '\0';
  } else {
    forget_probe (self);
    if (!self->name_edited)
      suggest_name (self);
  }
  update_buttons (self);
}

/* The port that the engine usually has, unless another than a usual one was typed. */
static void
suggest_port (PlumbSourceDialog *self, guint kind)
{
  g_autofree char *port = get_text (self->port_row);
  gboolean usual = port[0] == '\0';

  for (guint i = 0; i < G_N_ELEMENTS (servers); i++)
    usual = usual || g_strcmp0 (port, servers[i].port) == 0;
  if (usual && servers[kind].port != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->port_row), servers[kind].port);
}

static void
on_kind_changed (PlumbSourceDialog *self)
{
  guint kind = adw_combo_row_get_selected (self->kind_row);

  suggest_port (self, kind);
  gtk_widget_set_visible (self->sqlite_group, kind == KIND_SQLITE);
  gtk_widget_set_visible (self->server_group, servers[kind].scheme != NULL);
  gtk_widget_set_visible (self->odbc_group, kind == KIND_ODBC);
  gtk_widget_set_visible (self->address_group, kind == KIND_ADDRESS);
  gtk_widget_set_visible (self->password_group, kind != KIND_SQLITE);
  forget_probe (self);
  if (!self->name_edited)
    suggest_name (self);
  update_buttons (self);
}

static void
on_file_chosen (GtkNativeDialog *chooser, int response, PlumbSourceDialog *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT
                               ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                               : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->file_row), path);
  gtk_native_dialog_destroy (chooser);
  g_object_unref (chooser);
}

static void
on_choose_file (PlumbSourceDialog *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
      _("Choose a Database File"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_file_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* What the thread needs, copied from the fields. */
typedef struct {
  char *name;
  char *address;
  char *password;
  gboolean accept_risk;
} SourceWork;

static void
source_work_free (gpointer pointer)
{
  SourceWork *work = pointer;

  g_free (work->name);
  g_free (work->address);
  g_free (work->password);
  g_free (work);
}

static void
start_work (PlumbSourceDialog *self, PlumbWork func, GDestroyNotify free_result,
            GAsyncReadyCallback callback)
{
  SourceWork *work = g_new0 (SourceWork, 1);
  const char *password = gtk_editable_get_text (GTK_EDITABLE (self->password_row));
  gboolean has_password = gtk_widget_get_visible (self->password_group) && password[0] != '\0';

  work->name = get_text (self->name_row);
  work->address = get_address (self);
  work->password = has_password ? g_strdup (password) : NULL;
  work->accept_risk = gtk_switch_get_active (self->risk_switch);
  self->cancellable = g_cancellable_new ();
  show_error (self, NULL);
  update_buttons (self);
  plumb_session_run_async (self->session, func, work, source_work_free, free_result,
                           self->cancellable, callback, g_object_ref (self));
}

static void
show_probe (PlumbSourceDialog *self, const PlumbAccountProbe *probe)
{
  gboolean risky = probe->superuser_rights != NULL && probe->superuser_rights->len > 0;

  plumb_probe_rows_show (self->found_list, probe);
  gtk_widget_set_visible (self->found_group, TRUE);
  gtk_widget_set_visible (self->risk_group, risky);
  plumb_reveal (self->found_group);
  /* Last, so that it is seen also where there is no room for all that was found. */
  if (risky)
    plumb_reveal (self->risk_group);
}

static gpointer
test_source (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  SourceWork *work = data;
  const char *name = work->name[0] != '\0' ? work->name : "database";

  return plumb_session_test_source (session, name, work->address, work->password, cancellable,
                                    error);
}

static void
on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbSourceDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PlumbAccountProbe)
      probe = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);

  if (self->session == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  update_buttons (self);
  show_error (self, error);
  if (probe != NULL)
    show_probe (self, probe);
}

static void
on_test (PlumbSourceDialog *self)
{
  start_work (self, test_source, (GDestroyNotify) plumb_account_probe_free, on_tested);
}

static gpointer
add_source (PlumbSession *session, gpointer data, GCancellable *cancellable, GError **error)
{
  SourceWork *work = data;
  GPtrArray *warnings = NULL;

  plumb_session_add_source (session, work->name, work->address, work->password, work->accept_risk,
                            &warnings, cancellable, error);
  return warnings;
}

static void
on_added (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PlumbSourceDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray)
      warnings = plumb_session_run_finish (PLUMB_SESSION (source), result, &error);
  g_autofree char *name = NULL;

  if (self->session == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  update_buttons (self);
  show_error (self, error);
  /* Refused for its rights: the test shows which they are, and lets the risk be accepted. */
  if (g_error_matches (error, PLUMB_ERROR, PLUMB_ERROR_REFUSED) &&
      !gtk_widget_get_visible (self->risk_group)) {
    gtk_widget_set_visible (self->risk_group, TRUE);
    plumb_reveal (self->risk_group);
  }
  if (error != NULL)
    return;
  name = get_text (self->name_row);
  g_signal_emit (self, signals[ADDED], 0, name, warnings);
  gtk_window_close (GTK_WINDOW (self));
}

static void
on_add (PlumbSourceDialog *self)
{
  start_work (self, add_source, (GDestroyNotify) g_ptr_array_unref, on_added);
}

static void
plumb_source_dialog_dispose (GObject *object)
{
  PlumbSourceDialog *self = PLUMB_SOURCE_DIALOG (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), PLUMB_TYPE_SOURCE_DIALOG);
  G_OBJECT_CLASS (plumb_source_dialog_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, add_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, name_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, kind_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, sqlite_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, file_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, server_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, host_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, port_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, database_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, user_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, odbc_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, odbc_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, odbc_user_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, address_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, address_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, password_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, password_row);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, test_button);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, error_label);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, found_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, found_list);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, risk_group);
  gtk_widget_class_bind_template_child (widget_class, PlumbSourceDialog, risk_switch);
}

static void
plumb_source_dialog_class_init (PlumbSourceDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = plumb_source_dialog_dispose;

  signals[ADDED] = g_signal_new ("added", PLUMB_TYPE_SOURCE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_PTR_ARRAY);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/plumbline/Plumbline/ui/plumb-source-dialog.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_kind_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_file);
  gtk_widget_class_bind_template_callback (widget_class, on_test);
  gtk_widget_class_bind_template_callback (widget_class, on_add);
}

static void
plumb_source_dialog_init (PlumbSourceDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  plumb_accessible_name_buttons (GTK_WIDGET (self));
  on_kind_changed (self);
}

/** plumb_source_dialog_new: Returns: an empty dialog */
GtkWidget *
plumb_source_dialog_new (PlumbSession *session)
{
  PlumbSourceDialog *self = g_object_new (PLUMB_TYPE_SOURCE_DIALOG, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}
