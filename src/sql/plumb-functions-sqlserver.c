/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-functions-private.h"

/* Functions of SQL Server that only work out a value. Not here, and so refused: OPENROWSET and its
 * kin, functions that read the server's files or traces (sys.fn_…), and functions that users made.
 */
const char sql_functions_sqlserver[] =
    "abs acos all any app_name approx_count_distinct approx_percentile_cont "
    "approx_percentile_disc ascii asin atan atan2 atn2 avg base64_decode base64_encode "
    "binary_checksum bit_count cast ceil ceiling char char_length character_length charindex "
    "checksum checksum_agg choose chr coalesce col_length col_name columnproperty compress "
    "concat concat_ws contains convert corr cos cosh cot count count_big covar_pop covar_samp "
    "cube cume_dist current_date current_timestamp current_timezone current_timezone_id "
    "current_user databasepropertyex datalength date_bucket date_diff dateadd datediff "
    "datediff_big datefromparts datename datepart datetime2fromparts datetimefromparts "
    "datetimeoffsetfromparts datetrunc day db_id db_name decimal decompress degrees dense_rank "
    "difference edit_distance edit_distance_similarity eomonth exists exp extract "
    "filegroup_name first_value floor format formatmessage freetext generate_series geography "
    "geometry get_bit getansinull getdate getutcdate greatest grouping grouping_id "
    "has_perms_by_name hashbytes host_name iif index_col indexproperty is_member is_rolemember "
    "is_srvrolemember isdate isjson isnull isnumeric jaro_winkler_similarity json_array "
    "json_arrayagg json_contains json_exists json_modify json_object json_objectagg "
    "json_path_exists json_query json_table json_value lag last_value lead least left "
    "left_shift len length listagg ln log log10 lower lpad ltrim max min mod month nchar newid "
    "nth_value ntile nullif numeric nvarchar object_definition object_id object_name "
    "object_schema_name objectproperty openjson original_login parse parsename patindex "
    "percent_rank percentile_cont percentile_disc pi position power product quotename radians "
    "rand rank regexp_count regexp_instr regexp_like regexp_replace regexp_substr regr_avgx "
    "regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy replace "
    "replicate reverse right right_shift rollup round row_number rowcount_big rpad rtrim "
    "schema_id schema_name serverproperty session_user sessionproperty set_bit sign sin sinh "
    "smalldatetimefromparts some soundex space sqrt square stddev stddev_pop stddev_samp stdev "
    "stdevp str string_agg string_escape string_split stuff substr substring sum suser_name "
    "suser_sname switchoffset sysdatetime sysdatetimeoffset system_user sysutcdatetime tan tanh "
    "timefromparts todatetimeoffset translate trim trunc try_cast try_convert try_parse type_id "
    "type_name typeproperty unicode unistr upper user user_id user_name var var_pop var_samp "
    "varchar variance varp vector_distance version width_bucket year";

/* Those that give rows. */
const char sql_row_functions_sqlserver[] =
    "containstable freetexttable generate_series nodes openjson regexp_matches "
    "regexp_split_to_table string_split";
