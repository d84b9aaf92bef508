/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "planner-shop.h"

#include "plumb-card.h"
#include "plumb-table-name.h"

#include <sqlite3.h>
#include <string.h>

#define MAX_ROUNDS 12

struct _Shop {
  PlumbModel *planner;
  sqlite3 *database;
  GPtrArray *cards;
  char *engine;
  char *fault_tool;
  char *fault;
  char *forbidden;
  int trust;
};

static const char setup[] =
    "CREATE TABLE ORD_MST (ORD_NO, ORD_DT, CUST_NO, STATUS_CODE TEXT, CHNL_CD, ORD_AMT REAL, "
    "TAX_AMT REAL, REQ_DT, PAID_YN, REMARK);"
    "INSERT INTO ORD_MST VALUES"
    " ('O1', '2025-03-01', 'C1', '40', 'W', 100.1, 19, '2025-03-09', 'Y', NULL),"
    " ('O2', '2026-09-15', 'C1', '10', 'W', 200.2, 38, NULL, 'N', 'delivered'),"
    " ('O3', '2026-10-31', 'C2', '10', 'S', 50, 9.5, NULL, 'N', NULL),"
    " ('O4', '2026-11-02', 'C2', '90', 'S', 1000, 190, NULL, 'N', NULL),"
    " ('O5', '2026-11-29', 'C3', '20', 'W', 70, 13.3, NULL, 'Y', NULL),"
    " ('O6', '2026-11-29', NULL, '20', NULL, 80, 15.2, NULL, 'Y', NULL);"
    "CREATE TABLE ORD_MST_BAK AS SELECT * FROM ORD_MST WHERE ORD_DT < '2026-01-01';"
    "CREATE TABLE CUST_MST (CUST_NO, CUST_NM, CTRY_CD, CITY_NM, REG_DT);"
    "INSERT INTO CUST_MST VALUES ('C1', 'Anna', 'DE', 'Berlin', '2024-05-01'), ('C2', 'Bo', 'AT', "
    "'Wien', '2025-06-01'),"
    " ('C3', 'Cem', 'DE', 'Bonn', '2026-11-20');"
    "CREATE TABLE CTRY_MST (CTRY_CD, CTRY_NM); INSERT INTO CTRY_MST VALUES ('DE', 'Germany'), "
    "('AT', 'Austria');"
    "CREATE TABLE CUSTOMER (CUSTOMER_ID, CUSTOMER_NAME, CITY); INSERT INTO CUSTOMER VALUES (1, "
    "'Firm', 'Berlin');"
    "CREATE TABLE PRC_HIST (PRD_CD, VLD_FR_DT, LST_PRC); INSERT INTO PRC_HIST VALUES ('P1', "
    "'2025-01-01', 5);"
    "CREATE TABLE PARCEL_MST_US (SEQ_NO); INSERT INTO PARCEL_MST_US VALUES (1);"
    "CREATE TABLE VISIT_LOG_202610 (VISIT_NO, VISIT_DTM); INSERT INTO VISIT_LOG_202610 VALUES (1, "
    "'2026-10-03 10:00:00'),"
    " (2, '2026-10-31 23:59:59');"
    "CREATE TABLE VISIT_LOG_202611 (VISIT_NO, VISIT_DTM); INSERT INTO VISIT_LOG_202611 VALUES (3, "
    "'2026-11-03 10:00:00');";

static PlumbCard *
add_card (Shop *self, const char *database, const char *name, const char *comment, const char *key)
{
  PlumbCard *card = plumb_card_new (database, "main", name);
  const char *const primary_key[] = { key, NULL };

  card->comment = g_strdup (comment);
  card->purpose = g_strdup (comment);
  card->row_estimate = 3;
  if (key != NULL)
    card->primary_key = g_strdupv ((GStrv) primary_key);
  g_ptr_array_add (self->cards, card);
  return card;
}

/* Values as "10=unprocessed;20=in process" or "Berlin;Wien". */
static void
add_column (PlumbCard *card, const char *name, const char *type, const char *comment,
            const char *values)
{
  PlumbCardColumn *column = plumb_card_add_column (card, name, type);
  g_auto (GStrv) list = g_strsplit (values != NULL ? values : "", ";", -1);

  column->comment = g_strdup (comment);
  column->meaning = g_strdup (comment);
  for (guint i = 0; list[i] != NULL; i++) {
    g_auto (GStrv) pair = g_strsplit (list[i], "=", 2);

    plumb_card_column_add_value (column, pair[0], pair[1], -1);
  }
}

static void
add_date (PlumbCard *card, const char *name, const char *type, const char *comment,
          const char *minimum, const char *maximum)
{
  PlumbCardColumn *column;

  add_column (card, name, type, comment, NULL);
  column = plumb_card_find_column (card, name);
  column->minimum = g_strdup (minimum);
  column->maximum = g_strdup (maximum);
}

static void
add_key (PlumbCard *card, const char *column, const char *table)
{
  PlumbForeignKey *key = plumb_foreign_key_new ("main", table);
  const char *const columns[] = { column, NULL };

  key->columns = g_strdupv ((GStrv) columns);
  key->ref_columns = g_strdupv ((GStrv) columns);
  g_ptr_array_add (card->foreign_keys, key);
  plumb_card_find_column (card, column)->key = g_strdup ("FK");
}

static void
add_order_columns (PlumbCard *card)
{
  add_column (card, "ORD_NO", "VARCHAR(8)", "order number", NULL);
  add_date (card, "ORD_DT", "DATE", "order date: the day the order was placed", "2025-03-01",
            "2026-11-29");
  add_column (card, "CUST_NO", "VARCHAR(7)", "customer number", NULL);
  add_column (card, "STATUS_CODE", "CHAR(2)", "order status",
              "10=Unprocessed;20=In process;40=Delivered;90=Cancelled");
  add_column (card, "CHNL_CD", "CHAR(1)", "sales channel: W=web shop, S=store", NULL);
  add_column (card, "ORD_AMT", "DECIMAL(12,2)", "order amount: goods after discount, in euros",
              NULL);
  add_column (card, "TAX_AMT", "DECIMAL(12,2)", "tax", NULL);
  add_date (card, "REQ_DT", "DATE", "delivery date that the customer asked for", "2025-03-09",
            "2025-03-09");
  add_column (card, "PAID_YN", "CHAR(1)", "paid", "Y;N");
  add_column (card, "REMARK", "VARCHAR(200)", "free text", NULL);
  plumb_card_find_column (card, "STATUS_CODE")->nullable = FALSE;
}

static void
add_cards (Shop *self)
{
  PlumbCard *card = add_card (self, "sales", "ORD_MST", "Orders: one row an order", "ORD_NO");

  add_order_columns (card);
  card = add_card (self, "sales", "PARCEL_MST_US", NULL, "SEQ_NO");
  add_column (card, "SEQ_NO", "INTEGER", NULL, NULL);
  card = g_ptr_array_index (self->cards, 0);
  add_key (card, "CUST_NO", "CUST_MST");
  card = add_card (self, "sales", "ORD_MST_BAK", "Orders: one row an order", NULL);
  add_order_columns (card);
  card->status = PLUMB_STATUS_BACKUP;
  card = add_card (self, "sales", "CUST_MST", "Customers of the shop: everyone who registered",
                   "CUST_NO");
  add_column (card, "CUST_NO", "VARCHAR(7)", "customer number", NULL);
  add_column (card, "CUST_NM", "VARCHAR(80)", "customer name", NULL);
  add_column (card, "CTRY_CD", "CHAR(2)", "country of residence", "DE;AT");
  add_column (card, "CITY_NM", "VARCHAR(30)", "city", NULL);
  add_date (card, "REG_DT", "DATE", "registration date", "2024-05-01", "2026-11-20");
  add_key (card, "CTRY_CD", "CTRY_MST");
  card->row_estimate = 5000;
  card = add_card (self, "sales", "CTRY_MST", "Countries", "CTRY_CD");
  add_column (card, "CTRY_CD", "CHAR(2)", "country code", NULL);
  add_column (card, "CTRY_NM", "VARCHAR(40)", "country name", "Germany;Austria");
  card = add_card (self, "crm", "CUSTOMER", "Contracted customers: who signed a contract",
                   "CUSTOMER_ID");
  add_column (card, "CUSTOMER_ID", "INTEGER", "customer number of the CRM", NULL);
  add_column (card, "CUSTOMER_NAME", "VARCHAR(80)", "company name", NULL);
  add_column (card, "CITY", "VARCHAR(30)", "city", NULL);
  card = add_card (self, "sales", "PRC_HIST", "Former list prices of products", NULL);
  add_column (card, "PRD_CD", "VARCHAR(6)", "product code", NULL);
  add_date (card, "VLD_FR_DT", "DATE", "valid from", "2025-01-01", "2025-01-01");
  add_column (card, "LST_PRC", "DECIMAL(10,2)", "list price of that time", NULL);
  card = add_card (self, "sales", "VISIT_LOG_202611", "Visits of the web shop", "VISIT_NO");
  add_column (card, "VISIT_NO", "INTEGER", "visit number", NULL);
  add_date (card, "VISIT_DTM", "DATETIME", "visit began at", "2026-11-03 10:00:00",
            "2026-11-03 10:00:00");
  card->status = PLUMB_STATUS_PARTITION;
  card = add_card (self, "sales", "VISIT_LOG_202610", "Visits of the web shop", "VISIT_NO");
  add_column (card, "VISIT_NO", "INTEGER", "visit number", NULL);
  add_date (card, "VISIT_DTM", "DATETIME", "visit began at", "2026-10-03 10:00:00",
            "2026-10-31 23:59:59");
  card->status = PLUMB_STATUS_PARTITION;
}

/** shop_new: Returns: a shop whose planner takes today for 2026-11-30 */
Shop *
shop_new (void)
{
  Shop *self = g_new0 (Shop, 1);
  g_autoptr (GDateTime) now = g_date_time_new_local (2026, 11, 30, 9, 0, 0);

  self->planner = plumb_planner_new (now);
  self->cards = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_card_unref);
  self->engine = g_strdup ("SQLite");
  self->trust = 1;
  g_assert_cmpint (sqlite3_open (":memory:", &self->database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (self->database, setup, NULL, NULL, NULL), ==, SQLITE_OK);
  add_cards (self);
  return self;
}

/** shop_free: frees @self */
void
shop_free (Shop *self)
{
  g_assert_finalize_object (self->planner);
  sqlite3_close (self->database);
  g_ptr_array_unref (self->cards);
  g_free (self->engine);
  g_free (self->fault_tool);
  g_free (self->fault);
  g_free (self->forbidden);
  g_free (self);
}

/** shop_set_engine: the tools say that the databases are of @engine; statements of another than
 * SQLite are not run, their result is one row with a 7 */
void
shop_set_engine (Shop *self, const char *engine)
{
  g_free (self->engine);
  self->engine = g_strdup (engine);
}

/** shop_set_fault: calls of @tool fail with @fault */
void
shop_set_fault (Shop *self, const char *tool, const char *fault)
{
  self->fault_tool = g_strdup (tool);
  self->fault = g_strdup (fault);
}

/** shop_forbid: the search names @table as one without permission */
void
shop_forbid (Shop *self, const char *table)
{
  self->forbidden = g_strdup (table);
}

/** shop_distrust: join paths are unconfirmed */
void
shop_distrust (Shop *self)
{
  self->trust = 3;
}

static void
write_candidate (Shop *self, PlumbCard *card, PlumbJsonWriter *writer)
{
  const char *const partitions[] = { "main.VISIT_LOG_202610", "main.VISIT_LOG_202611", NULL };

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "database");
  plumb_json_writer_string (writer, card->database);
  plumb_json_writer_name (writer, "schema");
  plumb_json_writer_string (writer, card->schema);
  plumb_json_writer_name (writer, "table");
  plumb_json_writer_string (writer, card->name);
  plumb_json_writer_name (writer, "status");
  plumb_json_writer_string (writer, plumb_status_to_string (card->status));
  plumb_json_writer_name (writer, "purpose");
  plumb_json_writer_string (writer, card->purpose);
  if (card->status == PLUMB_STATUS_PARTITION) {
    plumb_json_writer_name (writer, "partitions");
    plumb_json_writer_strv (writer, partitions);
  }
  plumb_json_writer_end_object (writer);
}

static char *
search (Shop *self)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();

  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "candidates");
  plumb_json_writer_begin_array (writer);
  for (guint i = 0; i < self->cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (self->cards, i);

    /* A family of partitions is one candidate. */
    if (!g_str_equal (card->name, "VISIT_LOG_202610"))
      write_candidate (self, card, writer);
  }
  plumb_json_writer_end_array (writer);
  plumb_json_writer_name (writer, "no_permission");
  plumb_json_writer_begin_array (writer);
  if (self->forbidden != NULL)
    plumb_json_writer_string (writer, self->forbidden);
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

static char *
get_card (Shop *self, JsonObject *arguments)
{
  for (guint i = 0; i < self->cards->len; i++) {
    PlumbCard *card = g_ptr_array_index (self->cards, i);
    g_autofree char *name = plumb_card_get_full_name (card);

    if (g_strcmp0 (name, plumb_json_get_string (arguments, "table", NULL)) == 0) {
      g_autofree char *json = plumb_card_to_json (card);

      return g_strdup_printf ("{\"engine\":\"%s\",\"version\":\"1\",%s", self->engine, json + 1);
    }
  }
  return g_strdup ("{\"error\":\"There is no such table.\"}");
}

static char *
find_path (Shop *self, JsonObject *arguments)
{
  g_auto (GStrv) tables = plumb_json_get_strv (arguments, "tables");
  const char *key = g_str_has_suffix (tables[1], "CTRY_MST") ? "CTRY_CD" : "CUST_NO";

  return g_strdup_printf ("{\"path\":[{\"left\":\"%s\",\"right\":\"%s\",\"keys\":[[\"%s\",\"%s\"]],"
                          "\"cardinality\":\"N:1\","
                          "\"trust\":%d,\"basis\":\"declared\"}],\"penalty\":1}",
                          tables[0], tables[1], key, key, self->trust);
}

static void
write_cell (PlumbJsonWriter *writer, sqlite3_stmt *statement, int column)
{
  switch (sqlite3_column_type (statement, column)) {
  case SQLITE_INTEGER:
    plumb_json_writer_int (writer, sqlite3_column_int64 (statement, column));
    break;
  case SQLITE_FLOAT:
    plumb_json_writer_double (writer, sqlite3_column_double (statement, column));
    break;
  case SQLITE_NULL:
    plumb_json_writer_null (writer);
    break;
  default:
    plumb_json_writer_string (writer, (const char *) sqlite3_column_text (statement, column));
  }
}

static char *
run_query (Shop *self, JsonObject *arguments)
{
  g_autoptr (PlumbJsonWriter) writer = plumb_json_writer_new ();
  sqlite3_stmt *statement = NULL;

  if (!g_str_equal (self->engine, "SQLite"))
    return g_strdup (
        "{\"columns\":[],\"rows\":[[7]],\"row_count\":1,\"truncated\":false,\"warnings\":[]}");
  if (sqlite3_prepare_v2 (self->database, plumb_json_get_string (arguments, "sql", ""), -1,
                          &statement, NULL) != SQLITE_OK)
    return g_strdup_printf ("{\"error\":\"%s\"}", sqlite3_errmsg (self->database));
  plumb_json_writer_begin_object (writer);
  plumb_json_writer_name (writer, "rows");
  plumb_json_writer_begin_array (writer);
  while (sqlite3_step (statement) == SQLITE_ROW) {
    plumb_json_writer_begin_array (writer);
    for (int i = 0; i < sqlite3_column_count (statement); i++)
      write_cell (writer, statement, i);
    plumb_json_writer_end_array (writer);
  }
  sqlite3_finalize (statement);
  plumb_json_writer_end_array (writer);
  plumb_json_writer_end_object (writer);
  return plumb_json_writer_finish (writer);
}

static char *
call_tool (Shop *self, const PlumbToolCall *call)
{
  g_autoptr (JsonNode) node = plumb_json_parse (call->arguments, -1, NULL);
  JsonObject *arguments = json_node_get_object (node);

  if (g_strcmp0 (self->fault_tool, call->name) == 0)
    return g_strdup_printf ("{\"error\":\"%s\"}", self->fault);
  if (g_str_equal (call->name, "search_tables"))
    return search (self);
  if (g_str_equal (call->name, "get_table_card"))
    return get_card (self, arguments);
  if (g_str_equal (call->name, "find_join_path"))
    return find_path (self, arguments);
  g_assert_cmpstr (call->name, ==, "run_query");
  return run_query (self, arguments);
}

static void
call_tools (Shop *self, PlumbMessage *message, GPtrArray *messages, Outcome *outcome)
{
  for (guint i = 0; i < message->tool_calls->len; i++) {
    PlumbToolCall *call = g_ptr_array_index (message->tool_calls, i);
    g_autofree char *result = call_tool (self, call);
    PlumbMessage *tool = plumb_message_new (PLUMB_MESSAGE_TOOL, result);

    tool->tool_call_id = g_strdup (call->id);
    g_ptr_array_add (messages, tool);
    g_string_append_printf (outcome->calls, "%s ", call->name);
    if (g_str_equal (call->name, "run_query")) {
      g_autoptr (JsonNode) node = plumb_json_parse (call->arguments, -1, NULL);

      g_free (outcome->sql);
      outcome->sql = g_strdup (plumb_json_get_string (json_node_get_object (node), "sql", NULL));
    }
  }
}

/** shop_ask: Returns: (transfer full): what came of @question */
Outcome *
shop_ask (Shop *self, const char *question)
{
  Outcome *outcome = g_new0 (Outcome, 1);
  g_autoptr (GPtrArray) messages =
      g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_message_free);
  PlumbChatRequest request = { .messages = messages };

  outcome->calls = g_string_new (NULL);
  g_ptr_array_add (messages, plumb_message_new (PLUMB_MESSAGE_SYSTEM, "Rules."));
  g_ptr_array_add (messages, plumb_message_new (PLUMB_MESSAGE_USER, "An earlier question?"));
  g_ptr_array_add (messages, plumb_message_new (PLUMB_MESSAGE_ASSISTANT, "An earlier answer."));
  g_ptr_array_add (messages, plumb_message_new (PLUMB_MESSAGE_USER, question));
  while (outcome->answer == NULL) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PlumbChatReply) reply =
        plumb_model_chat (self->planner, &request, NULL, NULL, NULL, &error);
    PlumbMessage *message;

    g_assert_no_error (error);
    g_assert_cmpuint (++outcome->rounds, <=, MAX_ROUNDS);
    message = g_steal_pointer (&reply->message);
    reply->message = plumb_message_new (PLUMB_MESSAGE_ASSISTANT, NULL);
    g_ptr_array_add (messages, message);
    if (message->tool_calls->len > 0)
      call_tools (self, message, messages, outcome);
    else
      outcome->answer = g_strdup (message->text);
  }
  return outcome;
}

/** outcome_free: frees @outcome */
void
outcome_free (Outcome *outcome)
{
  g_free (outcome->answer);
  g_free (outcome->sql);
  g_string_free (outcome->calls, TRUE);
  g_free (outcome);
}
