/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-card.h"

#include "plumb-table-name.h"

#include <string.h>

static const char *const role_names[] = {
  [PLUMB_ROLE_UNKNOWN] = "unknown",     [PLUMB_ROLE_FACT] = "fact",
  [PLUMB_ROLE_DIMENSION] = "dimension", [PLUMB_ROLE_CODE] = "code",
  [PLUMB_ROLE_BRIDGE] = "bridge",       [PLUMB_ROLE_LOG] = "log",
  [PLUMB_ROLE_PARTITION] = "partition", [PLUMB_ROLE_STAGING] = "staging",
  [PLUMB_ROLE_DRAFT] = "draft",         [PLUMB_ROLE_BACKUP] = "backup",
};

static const char *const status_names[] = {
  [PLUMB_STATUS_LIVE] = "live",
  [PLUMB_STATUS_BACKUP] = "backup",
  [PLUMB_STATUS_DRAFT] = "draft",
  [PLUMB_STATUS_STAGING] = "staging",
  [PLUMB_STATUS_PARTITION] = "partition",
};

static guint
find_name (const char *const *names, guint n_names, const char *text)
{
  for (guint i = 0; i < n_names; i++) {
    if (g_strcmp0 (text, names[i]) == 0)
      return i;
  }
  return 0;
}

/** plumb_role_to_string: Returns: @role as a word */
const char *
plumb_role_to_string (PlumbRole role)
{
  return role_names[role];
}

/** plumb_role_from_string: Returns: the role that @text names; unknown for anything else */
PlumbRole
plumb_role_from_string (const char *text)
{
  return find_name (role_names, G_N_ELEMENTS (role_names), text);
}

/** plumb_status_to_string: Returns: @status as a word */
const char *
plumb_status_to_string (PlumbStatus status)
{
  return status_names[status];
}

/** plumb_status_from_string: Returns: the status that @text names; live for anything else */
PlumbStatus
plumb_status_from_string (const char *text)
{
  return find_name (status_names, G_N_ELEMENTS (status_names), text);
}

static void
code_value_free (PlumbCodeValue *self)
{
  g_free (self->value);
  g_free (self->meaning);
  g_free (self);
}

static void
card_column_free (PlumbCardColumn *self)
{
  g_free (self->name);
  g_free (self->type);
  g_free (self->comment);
  g_free (self->meaning);
  g_free (self->key);
  g_free (self->minimum);
  g_free (self->maximum);
  g_free (self->misuse);
  g_ptr_array_unref (self->values);
  g_free (self);
}

static void
foreign_key_free (PlumbForeignKey *self)
{
  g_free (self->name);
  g_strfreev (self->columns);
  g_free (self->ref_schema);
  g_free (self->ref_table);
  g_strfreev (self->ref_columns);
  g_free (self);
}

/** plumb_card_new: Returns: (transfer full): a card on which nothing is known yet */
PlumbCard *
plumb_card_new (const char *database, const char *schema, const char *name)
{
  PlumbCard *self = g_atomic_rc_box_new0 (PlumbCard);

  self->database = g_strdup (database);
  self->schema = g_strdup (schema);
  self->name = g_strdup (name);
  self->row_estimate = -1;
  self->selectable = TRUE;
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) card_column_free);
  self->foreign_keys = g_ptr_array_new_with_free_func ((GDestroyNotify) foreign_key_free);
  return self;
}

/** plumb_card_ref: Returns: (transfer full): @self with one more reference */
PlumbCard *
plumb_card_ref (PlumbCard *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
card_clear (PlumbCard *self)
{
  g_free (self->database);
  g_free (self->schema);
  g_free (self->name);
  g_free (self->comment);
  g_free (self->label);
  g_free (self->purpose);
  g_free (self->grain);
  g_free (self->copy_of);
  g_free (self->family);
  g_free (self->fingerprint);
  g_strfreev (self->reasons);
  g_strfreev (self->primary_key);
  g_strfreev (self->misuse);
  g_strfreev (self->synonyms);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->foreign_keys);
}

/** plumb_card_unref: gives a reference back */
void
plumb_card_unref (PlumbCard *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) card_clear);
}

/** plumb_card_add_column: Returns: (transfer none): a new last column, owned by the card */
PlumbCardColumn *
plumb_card_add_column (PlumbCard *self, const char *name, const char *type)
{
  PlumbCardColumn *column = g_new0 (PlumbCardColumn, 1);

  column->name = g_strdup (name);
  column->type = g_strdup (type != NULL ? type : "");
  column->nullable = TRUE;
  column->null_fraction = -1;
  column->distinct = -1;
  column->values = g_ptr_array_new_with_free_func ((GDestroyNotify) code_value_free);
  g_ptr_array_add (self->columns, column);
  return column;
}

/** plumb_card_find_column: Returns: (transfer none) (nullable): the column of exactly that name */
PlumbCardColumn *
plumb_card_find_column (PlumbCard *self, const char *name)
{
  for (guint i = 0; i < self->columns->len; i++) {
    PlumbCardColumn *column = g_ptr_array_index (self->columns, i);

    if (strcmp (column->name, name) == 0)
      return column;
  }
  return NULL;
}

/** plumb_card_column_add_value: adds a frequent value; @count is -1 where unknown */
void
plumb_card_column_add_value (PlumbCardColumn *self, const char *value, const char *meaning,
                             gint64 count)
{
  PlumbCodeValue *code = g_new0 (PlumbCodeValue, 1);

  code->value = g_strdup (value);
  code->meaning = g_strdup (meaning);
  code->count = count;
  g_ptr_array_add (self->values, code);
}

static gboolean
strv_has (GStrv strings, const char *text)
{
  return strings != NULL && g_strv_contains ((const char *const *) strings, text);
}

/* What the column is in keys: "PK", "FK → schema.table.column". */
static char *
describe_key (const PlumbTable *table, const char *column)
{
  g_autoptr (GString) key = g_string_new (strv_has (table->primary_key, column) ? "PK" : NULL);

  for (guint i = 0; i < table->foreign_keys->len; i++) {
    PlumbForeignKey *foreign = g_ptr_array_index (table->foreign_keys, i);

    for (guint j = 0; foreign->columns != NULL && foreign->columns[j] != NULL; j++) {
      g_autofree char *target = NULL;

      if (strcmp (foreign->columns[j], column) != 0)
        continue;
      target = plumb_table_name_join (foreign->ref_schema != NULL ? foreign->ref_schema
                                                                  : table->schema,
                                      foreign->ref_table, foreign->ref_columns[j]);
      g_string_append_printf (key, "%sFK → %s", key->len > 0 ? ", " : "", target);
    }
  }
  return key->len > 0 ? g_string_free (g_steal_pointer (&key), FALSE) : NULL;
}

/**
 * plumb_card_new_from_table:
 * @database: the source's name
 * @table: a table of its catalog
 *
 * Returns: (transfer full): a card with what the catalog says and nothing inferred
 */
PlumbCard *
plumb_card_new_from_table (const char *database, const PlumbTable *table)
{
  PlumbCard *self = plumb_card_new (database, table->schema, table->name);

  self->kind = table->kind;
  self->comment = g_strdup (table->comment);
  self->label = g_strdup (table->label);
  self->row_estimate = table->row_estimate;
  self->selectable = table->selectable;
  self->primary_key = g_strdupv (table->primary_key);
  for (guint i = 0; i < table->columns->len; i++) {
    PlumbColumn *source = g_ptr_array_index (table->columns, i);
    PlumbCardColumn *column = plumb_card_add_column (self, source->name, source->type);

    column->comment = g_strdup (source->comment);
    column->meaning = g_strdup (source->label);
    column->nullable = source->nullable;
    column->key = describe_key (table, source->name);
    for (guint j = 0; source->samples != NULL && source->samples[j] != NULL; j++)
      plumb_card_column_add_value (column, source->samples[j], NULL, -1);
  }
  for (guint i = 0; i < table->foreign_keys->len; i++) {
    PlumbForeignKey *source = g_ptr_array_index (table->foreign_keys, i);
    PlumbForeignKey *foreign = plumb_foreign_key_new (source->ref_schema, source->ref_table);

    foreign->name = g_strdup (source->name);
    foreign->columns = g_strdupv (source->columns);
    foreign->ref_columns = g_strdupv (source->ref_columns);
    g_ptr_array_add (self->foreign_keys, foreign);
  }
  return self;
}

/** plumb_card_get_full_name: Returns: (transfer full): `database.schema.table` */
char *
plumb_card_get_full_name (PlumbCard *self)
{
  return plumb_table_name_join (self->database, self->schema, self->name);
}

/** plumb_card_get_own_name: Returns: (transfer none): the part of the table's name behind its last dot */
const char *
plumb_card_get_own_name (PlumbCard *self)
{
  const char *dot = strrchr (self->name, '.');

  return dot != NULL && dot[1] != '\0' ? dot + 1 : self->name;
}

static void
write_optional (PlumbJsonWriter *writer, const char *name, const char *text)
{
  if (text == NULL)
    return;
  plumb_json_writer_name (writer, name);
  plumb_json_writer_string (writer, text);
}

static void
write_strings (PlumbJsonWriter *writer, const char *name, GStrv strings)
{
  if (strings == NULL || strings[0] == NULL)
    return;
  plumb_json_writer_name (writer, name);
  plumb_json_writer_strv (writer, (const char *const *) strings);
}

static void
write_column (PlumbCardColumn *column, PlumbJsonWriter *writer)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "name");
  plumb_json_writer_string (writer, column->name);
  plumb_json_writer_name (writer, "type");
  plumb_json_writer_string (writer, column->type);
  write_optional (writer, "key", column->key);
  write_optional (writer, "comment", column->comment);
  write_optional (writer, "meaning", column->meaning);
  write_optional (writer, "misuse", column->misuse);
  if (!column->nullable) {
    plumb_json_writer_name (writer, "not_null");
    plumb_json_writer_boolean (writer, TRUE);
  }
  if (column->null_fraction >= 0) {
    plumb_json_writer_name (writer, "null_fraction");
    plumb_json_writer_double (writer, column->null_fraction);
  }
  if (column->distinct >= 0) {
    plumb_json_writer_name (writer, "distinct");
    plumb_json_writer_int (writer, column->distinct);
  }
  write_optional (writer, "minimum", column->minimum);
  write_optional (writer, "maximum", column->maximum);
  if (column->values->len > 0) {
    plumb_json_writer_name (writer, "values");
    plumb_json_writer_begin_array (writer);
    for (guint i = 0; i < column->values->len; i++) {
      PlumbCodeValue *code = g_ptr_array_index (column->values, i);

      plumb_json_writer_begin_object (writer);
      plumb_json_writer_name (writer, "value");
      plumb_json_writer_string (writer, code->value);
      write_optional (writer, "meaning", code->meaning);
      if (code->count >= 0) {
        plumb_json_writer_name (writer, "count");
        plumb_json_writer_int (writer, code->count);
      }
      plumb_json_writer_end_object (writer);
    }
    plumb_json_writer_end_array (writer);
  }
  plumb_json_writer_end_object (writer);
}

static void
write_foreign_keys (PlumbCard *self, PlumbJsonWriter *writer)
{
  if (self->foreign_keys->len == 0)
    return;
  plumb_json_writer_name (writer, "foreign_keys");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->foreign_keys->len; i++) {
    PlumbForeignKey *foreign = g_ptr_array_index (self->foreign_keys, i);

    plumb_json_writer_begin_object (writer);
    write_optional (writer, "name", foreign->name);
    plumb_json_writer_name (writer, "columns");
    plumb_json_writer_strv (writer, (const char *const *) foreign->columns);
    write_optional (writer, "ref_schema", foreign->ref_schema);
    plumb_json_writer_name (writer, "ref_table");
    plumb_json_writer_string (writer, foreign->ref_table);
    plumb_json_writer_name (writer, "ref_columns");
    plumb_json_writer_strv (writer, (const char *const *) foreign->ref_columns);
    plumb_json_writer_end_object (writer);
  }
  plumb_json_writer_end_array (writer);
}

/** plumb_card_write_json: writes the card as one object; members that are unknown are left out */
void
plumb_card_write_json (PlumbCard *self, PlumbJsonWriter *writer)
{
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, self->database);
  plumb_json_writer_name (writer, "schema");
  plumb_json_writer_string (writer, self->schema);
  plumb_json_writer_name (writer, "table");
  plumb_json_writer_string (writer, self->name);
  plumb_json_writer_name (writer, "kind");
  plumb_json_writer_string (writer, plumb_table_kind_to_string (self->kind));
  plumb_json_writer_name (writer, "role");
  plumb_json_writer_string (writer, plumb_role_to_string (self->role));
  plumb_json_writer_name (writer, "status");
  plumb_json_writer_string (writer, plumb_status_to_string (self->status));
  write_optional (writer, "copy_of", self->copy_of);
  write_optional (writer, "family", self->family);
  write_strings (writer, "reasons", self->reasons);
  write_optional (writer, "comment", self->comment);
  write_optional (writer, "label", self->label);
  write_optional (writer, "purpose", self->purpose);
  write_optional (writer, "grain", self->grain);
  if (self->row_estimate >= 0) {
    plumb_json_writer_name (writer, "row_estimate");
    plumb_json_writer_int (writer, self->row_estimate);
  }
  write_strings (writer, "primary_key", self->primary_key);
  write_foreign_keys (self, writer);
  write_strings (writer, "misuse", self->misuse);
  write_strings (writer, "synonyms", self->synonyms);
  if (!self->selectable) {
    plumb_json_writer_name (writer, "selectable");
    plumb_json_writer_boolean (writer, FALSE);
  }
  if (self->gone) {
    plumb_json_writer_name (writer, "gone");
    plumb_json_writer_boolean (writer, TRUE);
  }
  plumb_json_writer_name (writer, "analyzed_at");
  plumb_json_writer_int (writer, self->analyzed_at);
  write_optional (writer, "fingerprint", self->fingerprint);
  plumb_json_writer_name (writer, "columns");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->columns->len; i++)
    write_column (g_ptr_array_index (self->columns, i), writer);
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
}

/** plumb_card_to_json: Returns: (transfer full): the card as JSON text */
char *
plumb_card_to_json (PlumbCard *self)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_card_write_json (self, writer);
  return plumb_json_writer_finish (writer);
}

static void
read_column (PlumbCard *self, JsonObject *object)
{
  PlumbCardColumn *column = plumb_card_add_column (self, plumb_json_get_string (object, "name", ""),
                                                   plumb_json_get_string (object, "type", ""));
  JsonArray *values = plumb_json_get_array (object, "values");

  column->key = g_strdup (plumb_json_get_string (object, "key", NULL));
  column->comment = g_strdup (plumb_json_get_string (object, "comment", NULL));
  column->meaning = g_strdup (plumb_json_get_string (object, "meaning", NULL));
  column->misuse = g_strdup (plumb_json_get_string (object, "misuse", NULL));
  column->nullable = !plumb_json_get_boolean (object, "not_null", FALSE);
  column->null_fraction = plumb_json_get_double (object, "null_fraction", -1);
  column->distinct = plumb_json_get_int (object, "distinct", -1);
  column->minimum = g_strdup (plumb_json_get_string (object, "minimum", NULL));
  column->maximum = g_strdup (plumb_json_get_string (object, "maximum", NULL));
  for (guint i = 0; values != NULL && i < json_array_get_length (values); i++) {
    JsonNode *node = json_array_get_element (values, i);
    JsonObject *code = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

    if (code != NULL)
      plumb_card_column_add_value (column, plumb_json_get_string (code, "value", ""),
                                   plumb_json_get_string (code, "meaning", NULL),
                                   plumb_json_get_int (code, "count", -1));
  }
}

static void
read_foreign_key (PlumbCard *self, JsonObject *object)
{
  PlumbForeignKey *foreign =
      plumb_foreign_key_new (plumb_json_get_string (object, "ref_schema", NULL),
                             plumb_json_get_string (object, "ref_table", ""));

  foreign->name = g_strdup (plumb_json_get_string (object, "name", NULL));
  foreign->columns = plumb_json_get_strv (object, "columns");
  foreign->ref_columns = plumb_json_get_strv (object, "ref_columns");
  g_ptr_array_add (self->foreign_keys, foreign);
}

static void
read_objects (PlumbCard *self, JsonArray *array, void (*read) (PlumbCard *, JsonObject *))
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++) {
    JsonNode *node = json_array_get_element (array, i);

    if (JSON_NODE_HOLDS_OBJECT (node))
      read (self, json_node_get_object (node));
  }
}

/**
 * plumb_card_from_json:
 * @json: what [method@to_json] wrote
 * @error: return location
 *
 * Returns: (transfer full): the card, or %NULL with an error of json-glib's or
 *   PLUMB_ERROR_INVALID_ARGUMENT
 */
PlumbCard *
plumb_card_from_json (const char *json, GError **error)
{
  g_autoptr (JsonNode) root = plumb_json_parse (json, -1, error);
  JsonObject *object;
  PlumbCard *self;

  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root)) {
    g_set_error_literal (error, PLUMB_ERROR, PLUMB_ERROR_INVALID_ARGUMENT,
                         "A card must be a JSON object. Analyze the source again.");
    return NULL;
  }
  object = json_node_get_object (root);
  self = plumb_card_new (plumb_json_get_string (object, "database", ""),
                         plumb_json_get_string (object, "schema", ""),
                         plumb_json_get_string (object, "table", ""));
  self->kind = plumb_table_kind_from_string (plumb_json_get_string (object, "kind", NULL));
  self->role = plumb_role_from_string (plumb_json_get_string (object, "role", NULL));
  self->status = plumb_status_from_string (plumb_json_get_string (object, "status", NULL));
  self->copy_of = g_strdup (plumb_json_get_string (object, "copy_of", NULL));
  self->family = g_strdup (plumb_json_get_string (object, "family", NULL));
  self->reasons = plumb_json_get_strv (object, "reasons");
  self->comment = g_strdup (plumb_json_get_string (object, "comment", NULL));
  self->label = g_strdup (plumb_json_get_string (object, "label", NULL));
  self->purpose = g_strdup (plumb_json_get_string (object, "purpose", NULL));
  self->grain = g_strdup (plumb_json_get_string (object, "grain", NULL));
  self->row_estimate = plumb_json_get_int (object, "row_estimate", -1);
  self->primary_key = plumb_json_get_strv (object, "primary_key");
  self->misuse = plumb_json_get_strv (object, "misuse");
  self->synonyms = plumb_json_get_strv (object, "synonyms");
  self->selectable = plumb_json_get_boolean (object, "selectable", TRUE);
  self->gone = plumb_json_get_boolean (object, "gone", FALSE);
  self->analyzed_at = plumb_json_get_int (object, "analyzed_at", 0);
  self->fingerprint = g_strdup (plumb_json_get_string (object, "fingerprint", NULL));
  read_objects (self, plumb_json_get_array (object, "columns"), read_column);
  read_objects (self, plumb_json_get_array (object, "foreign_keys"), read_foreign_key);
  return self;
}
