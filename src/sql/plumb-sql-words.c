/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-sql-words.h"

/* Words that can't be an alias without AS before them, since they go on with the statement. What
 * stands here too much costs an alias; what is missing could hide a clause, so a word that some
 * version of the engine reads as a clause stands here. */
static const char common_words[] =
    "AND AS ASC BETWEEN BY CASE COLLATE CROSS DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS FETCH "
    "FOR FROM FULL GROUP HAVING ILIKE IN INNER INTERSECT INTO IS JOIN LEFT LIKE LIMIT LOCK MINUS "
    "NATURAL NOT NULL OFFSET ON OR ORDER OUTER PROCEDURE QUALIFY REGEXP RIGHT SELECT SET THEN "
    "UNION USING VALUES WHEN WHERE WINDOW WITH DELETE INSERT UPDATE DROP CREATE ALTER CALL GRANT "
    "REVOKE MERGE LATERAL TABLESAMPLE RETURNING";

static const char mariadb_words[] =
    "DIV DUMPFILE FORCE IGNORE KEY LOAD LOCK MATCH MOD OUTFILE PARTITION REPLACE RLIKE ROWS "
    "STRAIGHT_JOIN USE XOR SQL_CALC_FOUND_ROWS SOUNDS MEMBER";

static const char clickhouse_words[] =
    "ALL ANTI ANY ARRAY ASOF FINAL FORMAT GLOBAL OUTFILE PARALLEL PASTE PREWHERE SAMPLE SEMI "
    "SETTINGS TOP DIV MOD INTERPOLATE";

static const char sqlite_words[] = "GLOB INDEXED ISNULL MATCH NOTNULL REPLACE";

static const char oracle_words[] =
    "CONNECT MATCH_RECOGNIZE MODEL MULTISET PARTITION PIVOT PRIOR SAMPLE SIBLINGS START "
    "SUBPARTITION UNPIVOT VERSIONS APPLY OVERLAPS MEMBER SUBMULTISET SHARED EXCLUSIVE EXCEPTION "
    "BEGIN DECLARE";

/* SQL Server needs no semicolon between statements, so every word that is reserved there can begin
 * the next one. */
static const char sqlserver_words[] =
    "ADD ALL ANY APPLY AUTHORIZATION BACKUP BEGIN BREAK BROWSE BULK CASCADE CHECK CHECKPOINT "
    "CLOSE CLUSTERED COALESCE COLUMN COMMIT COMPUTE CONSTRAINT CONTAINS CONTAINSTABLE CONTINUE "
    "CONVERT CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE "
    "DBCC DEALLOCATE DECLARE DEFAULT DENY DISK DISTRIBUTED DOUBLE DUMP ENABLE DISABLE ERRLVL "
    "EXEC EXECUTE EXIT EXTERNAL FILE FILLFACTOR FOREIGN FREETEXT FREETEXTTABLE FUNCTION GET GOTO "
    "HOLDLOCK IDENTITY IDENTITYCOL IDENTITY_INSERT IF INDEX KEY KILL LINENO LOAD MOVE NATIONAL "
    "NOCHECK NONCLUSTERED NULLIF OF OFF OFFSETS OPEN OPENDATASOURCE OPENQUERY OPENROWSET OPENXML "
    "OPTION OVER PERCENT PIVOT PLAN PRECISION PRIMARY PRINT PROC PUBLIC RAISERROR READ READTEXT "
    "RECEIVE RECONFIGURE REFERENCES REPLICATION RESTORE RESTRICT RETURN REVERT ROLLBACK ROWCOUNT "
    "ROWGUIDCOL RULE SAVE SCHEMA SECURITYAUDIT SEND SESSION_USER SETUSER SHUTDOWN SOME "
    "STATISTICS SYSTEM_USER TABLE TEXTSIZE THROW TO TOP TRAN TRANSACTION TRIGGER TRUNCATE "
    "TRY_CONVERT TSEQUAL UNIQUE UNPIVOT UPDATETEXT USE USER VARYING VIEW WAITFOR WHILE WITHIN "
    "WRITETEXT GO";

static const char generic_words[] =
    "ALL ANY APPLY ARRAY BEGIN CHECKPOINT COMMIT CONNECT DBCC DECLARE DENY DUMPFILE EXEC EXECUTE "
    "FINAL FORCE FORMAT IF IGNORE KILL LOAD MATCH_RECOGNIZE MODEL OPTION OUTFILE PARTITION PIVOT "
    "PREWHERE PRINT RAISERROR REPLACE ROLLBACK SAMPLE SETTINGS SHUTDOWN START STRAIGHT_JOIN TOP "
    "TRUNCATE UNPIVOT USE WAITFOR WHILE XOR THROW RECEIVE SEND GO FINAL GLOBAL HOLDLOCK NOHOLDLOCK";

static const char unit_words[] =
    "MICROSECOND MILLISECOND NANOSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR "
    "SECOND_MICROSECOND MINUTE_MICROSECOND MINUTE_SECOND HOUR_MICROSECOND HOUR_SECOND "
    "HOUR_MINUTE DAY_MICROSECOND DAY_SECOND DAY_MINUTE DAY_HOUR YEAR_MONTH SECONDS MINUTES HOURS "
    "DAYS WEEKS MONTHS QUARTERS YEARS MILLISECONDS MICROSECONDS NANOSECONDS YY YYYY QQ Q MM M DY "
    "Y DD D WK WW DW W HH MI N SS S MS MCS NS DAYOFYEAR WEEKDAY ISO_WEEK ISOWK ISOWW TZOFFSET TZ "
    "SQL_TSI_SECOND SQL_TSI_MINUTE SQL_TSI_HOUR SQL_TSI_DAY SQL_TSI_WEEK SQL_TSI_MONTH "
    "SQL_TSI_QUARTER SQL_TSI_YEAR FRAC_SECOND SQL_TSI_FRAC_SECOND TIMEZONE_HOUR TIMEZONE_MINUTE "
    "TIMEZONE_REGION TIMEZONE_ABBR DOW ISODOW DOY EPOCH CENTURY DECADE MILLENNIUM";

/**
 * sql_word_list_contains:
 * @set: (inout): where the set is kept; %NULL at first
 * @words: words with spaces between them, the same each time
 * @word: the word to look for
 *
 * Returns: whether @word is one of @words
 */
gboolean
sql_word_list_contains (GHashTable **set, const char *words, const char *word)
{
  if (g_once_init_enter (set)) {
    GHashTable *made = g_hash_table_new (g_str_hash, g_str_equal);
    char **list = g_strsplit (words, " ", -1);

    for (guint i = 0; list[i] != NULL; i++) {
      if (g_hash_table_contains (made, list[i]))
        g_free (list[i]);
      else
        g_hash_table_add (made, list[i]);
    }
    /* The words live as long as the set, which is as long as the program. */
    g_free (list);
    g_once_init_leave (set, made);
  }
  return g_hash_table_contains (*set, word);
}

/** sql_word_is_reserved: Returns: whether @upper can't be an alias where no AS stands before it */
gboolean
sql_word_is_reserved (PlumbDialect dialect, const char *upper)
{
  static GHashTable *common;
  static GHashTable *own[PLUMB_DIALECT_GENERIC + 1];
  static const char *const words[] = {
    [PLUMB_DIALECT_POSTGRES] = "",
    [PLUMB_DIALECT_MARIADB] = mariadb_words,
    [PLUMB_DIALECT_CLICKHOUSE] = clickhouse_words,
    [PLUMB_DIALECT_SQLITE] = sqlite_words,
    [PLUMB_DIALECT_ORACLE] = oracle_words,
    [PLUMB_DIALECT_SQLSERVER] = sqlserver_words,
    [PLUMB_DIALECT_GENERIC] = generic_words,
  };

  return sql_word_list_contains (&common, common_words, upper) ||
         sql_word_list_contains (&own[dialect], words[dialect], upper);
}

/** sql_word_is_unit: Returns: whether @upper is a unit of time, as in INTERVAL 1 DAY */
gboolean
sql_word_is_unit (const char *upper)
{
  static GHashTable *units;

  return sql_word_list_contains (&units, unit_words, upper);
}
