/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-check.h"

#include <string.h>

#include "plumb-sql-words.h"

/* PostgreSQL's own types, by what they are near to: values of different families are never turned
 * into each other without a cast, so a function of one family isn't chosen for the other. */

static const char number_types[] =
    "smallint integer bigint int int2 int4 int8 numeric decimal real float float4 float8 money "
    "smallserial serial bigserial";
static const char string_types[] = "text varchar character bpchar char name citext";
static const char time_types[] = "date time timetz timestamp timestamptz";
static const char json_types[] = "json jsonb jsonpath xml";
static const char other_types[] =
    "bytea bit varbit uuid inet cidr macaddr macaddr8 point line lseg box path polygon circle "
    "tsvector tsquery oid regclass regproc regprocedure regoper regoperator regtype regrole "
    "regnamespace regconfig regdictionary regcollation tid xid xid8 cid pg_lsn int4range "
    "int8range numrange tsrange tstzrange daterange int4multirange int8multirange nummultirange "
    "tsmultirange tstzmultirange datemultirange record void unknown pg_snapshot txid_snapshot "
    "refcursor aclitem int2vector oidvector gtsvector pg_node_tree pg_ndistinct pg_dependencies "
    "pg_mcv_list";

/* The type's plain name: without schema, length and "with time zone". */
static char *
get_plain_name (const char *name)
{
  const char *start = g_str_has_prefix (name, "pg_catalog.") ? name + strlen ("pg_catalog.") : name;
  gsize length = strcspn (start, "( [");

  return g_strndup (start, length);
}

static SqlType
find_family (const char *plain)
{
  static GHashTable *sets[5];
  static const struct {
    const char *words;
    SqlType type;
  } families[] = {
    { number_types, SQL_TYPE_NUMBER }, { string_types, SQL_TYPE_STRING },
    { time_types, SQL_TYPE_TIME },     { json_types, SQL_TYPE_JSON },
    { other_types, SQL_TYPE_OTHER },
  };

  if (strcmp (plain, "boolean") == 0 || strcmp (plain, "bool") == 0)
    return SQL_TYPE_BOOLEAN;
  if (strcmp (plain, "interval") == 0)
    return SQL_TYPE_INTERVAL;
  if (strcmp (plain, "double") == 0)
    return SQL_TYPE_NUMBER;
  for (guint i = 0; i < G_N_ELEMENTS (families); i++) {
    if (sql_word_list_contains (&sets[i], families[i].words, plain))
      return families[i].type;
  }
  return SQL_TYPE_ANY;
}

/**
 * sql_type_from_name:
 * @name: a type of PostgreSQL as format_type() or a statement spells it
 *
 * Returns: its family; SQL_TYPE_ANY for one that isn't PostgreSQL's own
 */
SqlType
sql_type_from_name (const char *name)
{
  g_autofree char *plain = get_plain_name (name);
  SqlType type = find_family (plain);

  if (type != SQL_TYPE_ANY && g_str_has_suffix (name, "[]"))
    return SQL_TYPE_ARRAY;
  return type;
}

/** sql_type_is_builtin: Returns: whether @name is a type of PostgreSQL itself */
gboolean
sql_type_is_builtin (const char *name)
{
  g_autofree char *plain = get_plain_name (name);

  return strcmp (plain, "citext") != 0 && find_family (plain) != SQL_TYPE_ANY;
}
