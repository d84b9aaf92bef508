/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-postgres-objects.h"

#include <string.h>

#define N_KINDS (PLUMB_OBJECT_TYPE + 1)

/* Objects with a number from 16384 on aren't the server's own (FirstNormalObjectId). Those that
 * came with an extension name it; pg_depend says which. */
#define FIRST_USER_OBJECT "16384"
#define EXTENSION_OF(class, object) \
  "coalesce((SELECT e.extname FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid " \
  "WHERE d.classid = '" class "'::regclass AND d.objid = " object " AND d.deptype = 'e' " \
  "AND d.refclassid = 'pg_extension'::regclass LIMIT 1), '')"

/* Each gives: schema, name, arguments as a JSON array, defaults, variadic, implicit, extension,
 * runs nothing; types also the domain's base, the fields and the checks as JSON arrays. */
static const char *const questions[N_KINDS] = {
  [PLUMB_OBJECT_FUNCTION] = "SELECT n.nspname, p.proname, (SELECT coalesce(json_agg(format_type(t, "
                            "NULL) ORDER BY o), '[]') "
                            "FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, o)), "
                            "p.pronargdefaults, p.provariadic <> 0, false, " EXTENSION_OF (
                              "pg_proc",
                              "p.oid") ", false "
                                       "FROM pg_proc p JOIN pg_namespace n ON n.oid = "
                                       "p.pronamespace WHERE p.oid >= " FIRST_USER_OBJECT,
  [PLUMB_OBJECT_OPERATOR] = "SELECT n.nspname, o.oprname, CASE WHEN o.oprleft = 0 THEN "
                            "json_build_array(format_type(o.oprright, NULL)) "
                            "ELSE json_build_array(format_type(o.oprleft, NULL), "
                            "format_type(o.oprright, NULL)) END, 0, false, false, " EXTENSION_OF (
                              "pg_operator",
                              "o.oid") ", false "
                                       "FROM pg_operator o JOIN pg_namespace n ON n.oid = "
                                       "o.oprnamespace WHERE o.oid >= " FIRST_USER_OBJECT,
  [PLUMB_OBJECT_CAST] = "SELECT n.nspname, CASE WHEN t.oid >= " FIRST_USER_OBJECT
                        " THEN t.typname ELSE format_type(t.oid, NULL) END, "
                        "json_build_array(format_type(c.castsource, NULL)), 0, false, "
                        "c.castcontext = 'i', " EXTENSION_OF (
                          "pg_cast",
                          "c.oid") ", c.castmethod = 'b' "
                                   "FROM pg_cast c JOIN pg_type t ON t.oid = c.casttarget JOIN "
                                   "pg_namespace n ON n.oid = t.typnamespace "
                                   "WHERE c.oid >= " FIRST_USER_OBJECT,
  /* The row type of a table is known by its table, and there are as many as there are tables. A
   * domain or a composite runs something where a check of it, or of a part of it, does: one that
   * calls a user's function is seen here, the others are handed over to be read. */
  [PLUMB_OBJECT_TYPE] =
    "WITH RECURSIVE b(id, part) AS (SELECT oid, oid FROM pg_type WHERE oid >= " FIRST_USER_OBJECT
    " AND (typtype = 'd' OR (typtype = 'c' AND EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = "
    "typrelid AND c.relkind = 'c'))) "
    "UNION SELECT b.id, n.part FROM b JOIN pg_type t ON t.oid = b.part CROSS JOIN LATERAL ("
    "SELECT t.typbasetype WHERE t.typtype = 'd' "
    "UNION ALL SELECT t.typelem WHERE t.typelem <> 0 AND t.typcategory = 'A' "
    "UNION ALL SELECT r.rngsubtype FROM pg_range r WHERE r.rngtypid = t.oid "
    "UNION ALL SELECT a.atttypid FROM pg_attribute a WHERE t.typtype = 'c' AND a.attrelid = "
    "t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) AS n(part) WHERE n.part >= "
    FIRST_USER_OBJECT ") "
    "SELECT n.nspname, t.typname, '[]'::json, 0, false, false, " EXTENSION_OF (
      "pg_type",
      "t.oid") ", "
               "t.typtype IN ('e', 'c', 'd') AND NOT EXISTS (SELECT 1 FROM b JOIN pg_type bt ON "
               "bt.oid = b.part WHERE b.id = t.oid AND bt.typtype NOT IN ('d', 'e', 'c') AND NOT "
               "(bt.typtype = 'b' AND bt.typcategory = 'A')) "
               "AND NOT EXISTS (SELECT 1 FROM b JOIN pg_constraint k ON k.contypid = b.part "
               "JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND d.objid = k.oid "
               "AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) WHERE b.id = "
               "t.oid), "
               "CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, NULL) ELSE '' END, "
               "CASE WHEN t.typtype = 'c' THEN (SELECT json_agg(a.attname) FROM pg_attribute a "
               "WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) END, "
               "(SELECT json_agg(pg_get_expr(k.conbin, 0)) FROM b JOIN pg_constraint k ON "
               "k.contypid = b.part WHERE b.id = t.oid AND k.conbin IS NOT NULL) "
               "FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace "
               "WHERE t.oid >= " FIRST_USER_OBJECT
               " AND NOT (t.typcategory = 'A' AND t.typelem <> 0) AND (t.typrelid = 0 OR EXISTS "
               "(SELECT 1 FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))",
};

static const char policies_question[] =
  "SELECT n.nspname, c.relname, coalesce(pg_get_expr(p.polqual, p.polrelid), ''), "
  "EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_policy'::regclass AND d.objid = p.oid "
  "AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) AND d.refobjid "
  ">= " FIRST_USER_OBJECT ") "
  "FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = "
  "c.relnamespace "
  "WHERE c.relrowsecurity AND p.polcmd IN ('r', '*') AND p.polqual IS NOT NULL";

/* What changes with each change of what is read here: how many rows there are, and which version of
 * each, which is told by the transaction that wrote it and by where it stands. An extension's
 * members and a domain's checks stand in rows of their own; a view's text in its rule; that a table
 * has policies in its own row, as do the fields of a composite type. */
#define VERSIONS(letter, from) \
  "SELECT '" letter "' || count(*) || ':' || coalesce(sum(hashtext(concat(c.oid, ' ', c.xmin, ' ', " \
  "c.ctid))::bigint), 0) FROM " from

static const char fingerprint_question[] =
  "SELECT string_agg(k, ' ') FROM ("
  VERSIONS ("p", "pg_proc c WHERE c.oid >= " FIRST_USER_OBJECT) " UNION ALL "
  VERSIONS ("o", "pg_operator c WHERE c.oid >= " FIRST_USER_OBJECT) " UNION ALL "
  VERSIONS ("c", "pg_cast c WHERE c.oid >= " FIRST_USER_OBJECT) " UNION ALL "
  VERSIONS ("t", "pg_type c WHERE c.oid >= " FIRST_USER_OBJECT " AND c.typelem = 0 AND c.typrelid = 0")
  " UNION ALL "
  VERSIONS ("r", "pg_class c WHERE c.relkind IN ('v', 'm', 'c') OR c.relrowsecurity") " UNION ALL "
  VERSIONS ("k", "pg_constraint c WHERE c.contypid <> 0") " UNION ALL "
  VERSIONS ("y", "pg_policy c") " UNION ALL "
  VERSIONS ("w", "pg_rewrite c WHERE c.oid >= " FIRST_USER_OBJECT) " UNION ALL "
  VERSIONS ("n", "pg_namespace c") " UNION ALL "
  VERSIONS ("e", "pg_extension c") " UNION ALL "
  "SELECT 'm' || count(*) || ':' || coalesce(sum(hashtext(concat(d.objid, ' ', d.xmin, ' ', d.ctid))::bigint), 0) "
  "FROM pg_depend d WHERE d.refclassid = 'pg_extension'::regclass) AS v(k)";

typedef struct {
  GPtrArray *expressions;
  gboolean calls_user_code;
} Policies;

struct _PlumbPostgresObjects {
  GMutex lock;
  char *snapshot; /* in which it was last found to be so; guarded by the lock */
  char *fingerprint;
  GStrv search_path;
  GPtrArray *objects[N_KINDS];
  GHashTable *by_name[N_KINDS];
  GHashTable *policies;
  PlumbSourceLookups *views;
};

static void
policies_free (Policies *self)
{
  g_ptr_array_unref (self->expressions);
  g_free (self);
}

static char *
relation_key (const char *schema, const char *name)
{
  return g_strconcat (schema, "\001", name, NULL);
}

static void
objects_clear (PlumbPostgresObjects *self)
{
  g_mutex_clear (&self->lock);
  g_free (self->snapshot);
  g_free (self->fingerprint);
  g_strfreev (self->search_path);
  for (guint kind = 0; kind < N_KINDS; kind++) {
    g_clear_pointer (&self->by_name[kind], g_hash_table_unref);
    g_clear_pointer (&self->objects[kind], g_ptr_array_unref);
  }
  g_clear_pointer (&self->policies, g_hash_table_unref);
  g_clear_pointer (&self->views, plumb_source_lookups_free);
}

/** plumb_postgres_objects_ref: Returns: (transfer full): @self with one more reference */
PlumbPostgresObjects *
plumb_postgres_objects_ref (PlumbPostgresObjects *self)
{
  return g_atomic_rc_box_acquire (self);
}

/** plumb_postgres_objects_unref: gives a reference back */
void
plumb_postgres_objects_unref (PlumbPostgresObjects *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, (GDestroyNotify) objects_clear);
}

static char *
read_fingerprint (PGconn *pg, GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) result =
    plumb_postgres_ask (pg, fingerprint_question, 0, NULL, cancellable, error);

  return result != NULL ? g_strdup (PQgetvalue (result, 0, 0)) : NULL;
}

/** plumb_postgres_objects_match: Returns: whether nothing at all has been written since @self was
 *   last found to be so: @snapshot is what the server says now */
gboolean
plumb_postgres_objects_match (PlumbPostgresObjects *self, const char *snapshot)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return snapshot != NULL && g_strcmp0 (self->snapshot, snapshot) == 0;
}

/**
 * plumb_postgres_objects_hold:
 * @connection: with a transaction open
 * @holds: (out): whether what @self says is still so
 *
 * On a server where nobody writes, the snapshot tells; else the server is asked whether any of the
 * objects is another one than when they were read.
 *
 * Returns: whether that could be found out
 */
gboolean
plumb_postgres_objects_hold (PlumbPostgresObjects *self, PlumbPostgresConnection *connection,
                             gboolean *holds, GCancellable *cancellable, GError **error)
{
  g_autofree char *fingerprint = NULL;

  *holds = plumb_postgres_objects_match (self, connection->snapshot);
  if (*holds)
    return TRUE;
  fingerprint = read_fingerprint (connection->pg, cancellable, error);
  if (fingerprint == NULL)
    return FALSE;
  *holds = strcmp (fingerprint, self->fingerprint) == 0;
  if (*holds) {
    g_mutex_lock (&self->lock);
    g_free (self->snapshot);
    self->snapshot = g_strdup (connection->snapshot);
    g_mutex_unlock (&self->lock);
  }
  return TRUE;
}

static GStrv
parse_names (const char *json)
{
  g_autofree char *object_text = g_strdup_printf ("{\"names\": %s}", json);
  g_autoptr (JsonNode) node = plumb_json_parse (object_text, -1, NULL);

  return node != NULL ? plumb_json_get_strv (json_node_get_object (node), "names") : NULL;
}

/* A check that calls nothing of users can still call what the statement check refuses: it is
 * checked like the condition of a query on one value. */
static gboolean
are_checks_harmless (const char *checks_json)
{
  g_auto (GStrv) checks = parse_names (checks_json);

  for (guint i = 0; checks != NULL && checks[i] != NULL; i++) {
    PlumbCheckContext nothing = { NULL };
    g_autofree char *sql = g_strconcat ("SELECT 1 FROM (SELECT NULL AS value) AS checked WHERE ",
                                        checks[i], NULL);
    g_autoptr (PlumbStatement) statement =
      plumb_statement_check (PLUMB_DIALECT_POSTGRES, sql, -1, &nothing);

    if (!statement->allowed)
      return FALSE;
  }
  return TRUE;
}

static void
read_type (PlumbUserObject *object, const PGresult *result, int row)
{
  const char *base = PQgetvalue (result, row, 8);

  if (*base != '\0')
    object->base = g_strdup (base);
  if (!PQgetisnull (result, row, 9))
    object->fields = parse_names (PQgetvalue (result, row, 9));
  if (object->verdict == PLUMB_OBJECT_HARMLESS && !PQgetisnull (result, row, 10) &&
      !are_checks_harmless (PQgetvalue (result, row, 10)))
    object->verdict = PLUMB_OBJECT_UNKNOWN;
}

static PlumbUserObject *
read_object (const PGresult *result, int row)
{
  PlumbUserObject *object = plumb_user_object_new (PQgetvalue (result, row, 0),
                                                   PQgetvalue (result, row, 1));
  const char *extension = PQgetvalue (result, row, 6);

  object->arguments = parse_names (PQgetvalue (result, row, 2));
  object->n_defaults = (guint) g_ascii_strtoull (PQgetvalue (result, row, 3), NULL, 10);
  object->variadic = *PQgetvalue (result, row, 4) == 't';
  object->implicit = *PQgetvalue (result, row, 5) == 't';
  if (*extension != '\0')
    object->extension = g_strdup (extension);
  if (*PQgetvalue (result, row, 7) == 't')
    object->verdict = PLUMB_OBJECT_HARMLESS;
  if (PQnfields (result) > 8)
    read_type (object, result, row);
  return object;
}

static gboolean
read_kind (PlumbPostgresObjects *self, PGconn *pg, PlumbObjectKind kind, GCancellable *cancellable,
           GError **error)
{
  g_autoptr (PGresult) result =
    plumb_postgres_ask (pg, questions[kind], 0, NULL, cancellable, error);

  if (result == NULL)
    return FALSE;
  for (int row = 0; row < PQntuples (result); row++) {
    PlumbUserObject *object = read_object (result, row);
    GPtrArray *same_name = g_hash_table_lookup (self->by_name[kind], object->name);

    g_ptr_array_add (self->objects[kind], object);
    if (same_name == NULL) {
      same_name = g_ptr_array_new ();
      g_hash_table_insert (self->by_name[kind], object->name, same_name);
    }
    g_ptr_array_add (same_name, object);
  }
  return TRUE;
}

static gboolean
read_policies (PlumbPostgresObjects *self, PGconn *pg, GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) result =
    plumb_postgres_ask (pg, policies_question, 0, NULL, cancellable, error);

  if (result == NULL)
    return FALSE;
  for (int row = 0; row < PQntuples (result); row++) {
    g_autofree char *key = relation_key (PQgetvalue (result, row, 0), PQgetvalue (result, row, 1));
    Policies *policies = g_hash_table_lookup (self->policies, key);

    if (policies == NULL) {
      policies = g_new0 (Policies, 1);
      policies->expressions = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (self->policies, g_steal_pointer (&key), policies);
    }
    g_ptr_array_add (policies->expressions, g_strdup (PQgetvalue (result, row, 2)));
    policies->calls_user_code = policies->calls_user_code || *PQgetvalue (result, row, 3) == 't';
  }
  return TRUE;
}

static gboolean
read_search_path (PlumbPostgresObjects *self, PGconn *pg, GCancellable *cancellable, GError **error)
{
  g_autoptr (PGresult) result = NULL;

  result = plumb_postgres_ask (pg, "SELECT coalesce(json_agg(s ORDER BY o), '[]') "
                                   "FROM unnest(current_schemas(false)) WITH ORDINALITY AS u(s, o) "
                                   "WHERE s <> 'pg_catalog'", 0, NULL, cancellable, error);
  if (result == NULL)
    return FALSE;
  self->search_path = parse_names (PQgetvalue (result, 0, 0));
  if (self->search_path == NULL)
    self->search_path = g_new0 (char *, 1);
  return TRUE;
}

/**
 * plumb_postgres_objects_read:
 * @connection: with a transaction open
 *
 * Returns: (transfer full): what is there now; %NULL with an error
 */
PlumbPostgresObjects *
plumb_postgres_objects_read (PlumbPostgresConnection *connection, GCancellable *cancellable,
                             GError **error)
{
  g_autoptr (PlumbPostgresObjects) self = g_atomic_rc_box_new0 (PlumbPostgresObjects);

  g_mutex_init (&self->lock);
  self->views = plumb_source_lookups_new ();
  /* Read before all else: what changes meanwhile is another version then. */
  self->snapshot = g_strdup (connection->snapshot);
  self->fingerprint = read_fingerprint (connection->pg, cancellable, error);
  if (self->fingerprint == NULL)
    return NULL;
  self->policies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) policies_free);
  for (guint kind = 0; kind < N_KINDS; kind++) {
    self->objects[kind] = g_ptr_array_new_with_free_func ((GDestroyNotify) plumb_user_object_free);
    self->by_name[kind] = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                 (GDestroyNotify) g_ptr_array_unref);
    if (!read_kind (self, connection->pg, kind, cancellable, error))
      return NULL;
  }
  if (!read_policies (self, connection->pg, cancellable, error) ||
      !read_search_path (self, connection->pg, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/** plumb_postgres_objects_get_search_path: Returns: (transfer none): schemas of unqualified names
 */
const char *const *
plumb_postgres_objects_get_search_path (PlumbPostgresObjects *self)
{
  return (const char *const *) self->search_path;
}

static gboolean
is_reachable (PlumbPostgresObjects *self, PlumbObjectKind kind, const PlumbUserObject *object,
              const char *schema)
{
  if (schema != NULL)
    return strcmp (object->schema, schema) == 0;
  /* A cast is in no schema. */
  return kind == PLUMB_OBJECT_CAST || strcmp (object->schema, "pg_catalog") == 0 ||
         g_strv_contains ((const char *const *) self->search_path, object->schema);
}

/**
 * plumb_postgres_objects_find:
 * @schema: (nullable): a schema, %NULL for those of the search path
 * @name: (nullable): a name, %NULL for all
 * @kept: where the answer is kept
 *
 * Returns: (transfer none) (nullable): the objects, owned by @self, the array by @kept
 */
GPtrArray *
plumb_postgres_objects_find (PlumbPostgresObjects *self, PlumbObjectKind kind, const char *schema,
                             const char *name, GPtrArray *kept)
{
  GPtrArray *candidates = name != NULL ? g_hash_table_lookup (self->by_name[kind], name)
                                       : self->objects[kind];
  GPtrArray *found = NULL;

  for (guint i = 0; candidates != NULL && i < candidates->len; i++) {
    PlumbUserObject *object = g_ptr_array_index (candidates, i);

    /* All types are asked for to know their fields, which need no search path. */
    if ((name != NULL || kind != PLUMB_OBJECT_TYPE) &&
        !is_reachable (self, kind, object, schema))
      continue;
    if (found == NULL) {
      found = g_ptr_array_new ();
      g_ptr_array_add (kept, found);
    }
    g_ptr_array_add (found, object);
  }
  return found;
}

/**
 * plumb_postgres_objects_find_policies:
 * @expressions: (out) (transfer none): what the policies compute, as SQL
 * @calls_user_code: (out): whether one of them calls a function that isn't the server's own
 *
 * Returns: whether the table has row security policies
 */
gboolean
plumb_postgres_objects_find_policies (PlumbPostgresObjects *self, const char *schema,
                                      const char *name, GPtrArray **expressions,
                                      gboolean *calls_user_code)
{
  g_autofree char *key = relation_key (schema, name);
  Policies *policies = g_hash_table_lookup (self->policies, key);

  if (policies == NULL)
    return FALSE;
  *expressions = policies->expressions;
  *calls_user_code = policies->calls_user_code;
  return TRUE;
}

/** plumb_postgres_objects_get_views: Returns: (transfer none): what views stand for, as far as it
 *   was asked since @self was read */
PlumbSourceLookups *
plumb_postgres_objects_get_views (PlumbPostgresObjects *self)
{
  return self->views;
}
