/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-functions-private.h"

/* Functions of the SQL standard, and names that mean the same in every engine known to us. */
const char sql_functions_generic[] =
    "abs acos add_months all any any_value array_agg ascii asin atan atan2 avg bigint "
    "bit_length cast ceil ceiling char char_length character_length chr coalesce concat "
    "concat_ws corr cos cosh cot count count_if covar_pop covar_samp cube cume_dist curdate "
    "current_date current_time current_timestamp curtime date date_format date_part date_trunc "
    "dateadd datediff datepart day dayname dayofmonth dayofweek dayofweek_iso dayofyear days "
    "decimal decode degrees dense_rank digits double exists exp extract first_value float floor "
    "format greatest group_concat grouping grouping_id hour hours if iff ifnull iif initcap "
    "insert instr int integer interval isnull json_array json_arrayagg json_exists json_object "
    "json_objectagg json_query json_table json_value julian_day lag last_day last_value lcase "
    "lead least left length listagg ln locate log log10 log2 lower lpad ltrim max median min "
    "minute mod month monthname months months_between now nth_value ntile nullif nullifzero "
    "numeric nvl nvl2 octet_length overlay percent_rank percentile_cont percentile_disc pi "
    "position power quarter radians rand rank real regexp_like regexp_replace regexp_substr "
    "regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy "
    "regr_syy repeat replace reverse right rollup round row_number rpad rtrim second sign sin "
    "sinh smallint some soundex space split_part sqrt stddev stddev_pop stddev_samp strftime "
    "string_agg strpos substr substring sum tan tanh time timestamp timestampadd timestampdiff "
    "to_char to_date to_number to_timestamp translate trim trunc ucase upper value var_pop "
    "var_samp varchar variance week width_bucket year years zeroifnull";
