/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-functions-private.h"

/* Functions of Oracle and Tibero that only work out a value. Not here, and so refused: every
 * package but a few functions of some, BFILENAME, HTTPURITYPE and its kin, and functions that users
 * made. */
const char sql_functions_oracle[] =
    "abs acos add_months aggr_concat all any any_value approx_count approx_count_distinct "
    "approx_count_distinct_agg approx_median approx_percentile approx_rank approx_sum ascii "
    "asciistr asin at atan atan2 avg bin_to_num bit_and_agg bit_or_agg bit_xor_agg bitand "
    "boolean_and_agg boolean_or_agg cardinality cast ceil ceiling char char_length "
    "character_length chartorowid chr classifier coalesce collation collect compose concat "
    "connect_by_root convert corr corr_k corr_s cos cosh cot count covar_pop covar_samp cube "
    "cume_dist current_date current_timestamp cv date dbtimezone decode decompose degrees "
    "dense_rank dump empty_blob empty_clob every exists existsnode exp extract extractvalue "
    "final first first_value floor from_tz greatest group_id grouping grouping_id hextoraw "
    "initcap instr instr2 instr4 instrb instrc interval iteration_number json_array "
    "json_arrayagg json_dataguide json_equal json_exists json_mergepatch json_object "
    "json_objectagg json_query json_scalar json_serialize json_table json_textcontains "
    "json_transform json_value kurtosis_pop kurtosis_samp lag last last_day last_value lead "
    "least length length2 length4 lengthb lengthc listagg ln lnnvl localtimestamp log lower "
    "lpad ltrim match_number max median min mod months_between multiset nanvl nchr new_time "
    "next next_day nls_charset_id nls_charset_name nls_initcap nls_lower nls_upper nlssort "
    "nth_value ntile nullif number numtodsinterval numtoyminterval nvarchar2 nvl nvl2 "
    "odcidatelist odcinumberlist odcirawlist odcivarchar2list ora_hash overlaps path "
    "percent_rank percentile_cont percentile_disc pi position power presentnnv presentv prev "
    "previous prior radians rank ratio_to_report rawtohex rawtonhex regexp_count regexp_instr "
    "regexp_like regexp_replace regexp_substr regr_avgx regr_avgy regr_count regr_intercept "
    "regr_r2 regr_slope regr_sxx regr_sxy regr_syy remainder replace rollup round "
    "round_ties_to_even row_number rowidtochar rowidtonchar rpad rtrim running scn_to_timestamp "
    "sessiontimezone set sign sin sinh skewness_pop skewness_samp some soundex sqrt "
    "standard_hash stats_binomial_test stats_crosstab stats_f_test stats_ks_test stats_mode "
    "stats_mw_test stats_one_way_anova stats_t_test_indep stats_t_test_one stats_t_test_paired "
    "stats_wsr_test stddev stddev_pop stddev_samp substr substring sum sys_connect_by_path "
    "sys_context sys_extract_utc sys_guid sys_op_map_nonnull sysdate systimestamp table tan "
    "tanh time_bucket timestamp timestamp_to_scn to_approx_count_distinct to_approx_percentile "
    "to_binary_double to_binary_float to_blob to_boolean to_char to_clob to_date to_dsinterval "
    "to_lob to_multi_byte to_nchar to_nclob to_number to_single_byte to_timestamp "
    "to_timestamp_tz to_yminterval translate treat trim trunc tz_offset uid unistr upper user "
    "userenv validate_conversion value var_pop var_samp varchar2 variance vector_distance vsize "
    "width_bucket wm_concat xmlagg xmlattributes xmlcast xmlcolattval xmlcomment xmlconcat "
    "xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlquery xmlroot xmlsequence "
    "xmlserialize xmltable xmltype";

/* Those that give rows. */
const char sql_row_functions_oracle[] =
    "json_table odcidatelist odcinumberlist odcirawlist odcivarchar2list table xmlsequence "
    "xmltable";
