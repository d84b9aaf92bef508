/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-functions-private.h"

/* Functions of MariaDB and MySQL that only work out a value. Not here, and so refused: SLEEP,
 * BENCHMARK, GET_LOCK and its kin, LOAD_FILE, LAST_INSERT_ID(x), NEXTVAL, MASTER_POS_WAIT and its
 * kin, UDFs. */
const char sql_functions_mariadb[] =
    "abs acos add_months adddate addtime aes_decrypt aes_encrypt any_value area asbinary asin "
    "astext aswkb aswkt atan atan2 avg bin bin_to_uuid binary bit_and bit_count bit_length "
    "bit_or bit_xor boundary buffer cast ceil ceiling centroid char char_length "
    "character_length charset chr coalesce coercibility collation column_check column_exists "
    "column_get column_json column_list compress concat concat_ws connection_id contains conv "
    "convert convert_tz convexhull cos cot count crc32 crc32c crosses cume_dist curdate "
    "current_date current_role current_time current_timestamp current_user curtime database "
    "date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear "
    "decode decode_oracle degrees dense_rank des_decrypt des_encrypt dimension disjoint elt "
    "encode encrypt endpoint envelope equals exp export_set exteriorring extract extractvalue "
    "field find_in_set first_value floor format format_bytes format_pico_time found_rows "
    "from_base64 from_days from_unixtime geomcollfromtext geometryn geometrytype geomfromtext "
    "get_format glength greatest group_concat grouping hex hour if ifnull in inet6_aton "
    "inet6_ntoa inet_aton inet_ntoa insert instr interiorringn intersects interval is_ipv4 "
    "is_ipv4_compat is_ipv4_mapped is_ipv6 is_uuid isclosed isempty isnull issimple json_array "
    "json_array_append json_array_insert json_array_intersect json_arrayagg json_compact "
    "json_contains json_contains_path json_depth json_detailed json_equals json_exists "
    "json_extract json_insert json_key_value json_keys json_length json_loose json_merge "
    "json_merge_patch json_merge_preserve json_normalize json_object json_object_filter_keys "
    "json_object_to_array json_objectagg json_overlaps json_pretty json_query json_quote "
    "json_remove json_replace json_schema_valid json_search json_set json_storage_size "
    "json_table json_type json_unquote json_valid json_value kdf lag last_day last_value lcase "
    "lead least left length lengthb linefromtext linestring ln localtime localtimestamp locate "
    "log log10 log2 lower lpad ltrim make_set makedate maketime match max mbrcontains "
    "mbrdisjoint mbrequal mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin md5 median "
    "microsecond mid min minute mod mode month monthname months_between multilinestring "
    "multipoint multipolygon name_const natural_sort_key not now nth_value ntile nullif "
    "numgeometries numinteriorrings numpoints nvl nvl2 oct octet_length old_password ord "
    "overlaps password percent_rank percentile_cont percentile_disc period_add period_diff pi "
    "point pointfromtext pointn pointonsurface polyfromtext polygon position pow power quarter "
    "quote radians rand random_bytes rank regexp regexp_count regexp_instr regexp_like "
    "regexp_replace regexp_substr repeat replace reverse right round row row_count row_number "
    "rpad rtrim schema sec_to_time second session_user sformat sha sha1 sha2 sign sin soundex "
    "space sqrt srid st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_boundary "
    "st_buffer st_centroid st_contains st_convexhull st_crosses st_difference st_dimension "
    "st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals "
    "st_exteriorring st_geohash st_geomcollfromtext st_geometryfromtext st_geometryfromwkb "
    "st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb "
    "st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_isring "
    "st_issimple st_isvalid st_latfromgeohash st_latitude st_length st_linefromtext "
    "st_longfromgeohash st_longitude st_numgeometries st_numinteriorrings st_numpoints "
    "st_overlaps st_pointfromgeohash st_pointfromtext st_pointn st_pointonsurface "
    "st_polyfromtext st_relate st_simplify st_srid st_startpoint st_swapxy st_symdifference "
    "st_touches st_transform st_union st_validate st_within st_x st_y startpoint std stddev "
    "stddev_pop stddev_samp str_to_date strcmp subdate substr substring substring_index subtime "
    "sum sys_guid sysdate system_user tan time time_format time_to_sec timediff timestamp "
    "timestampadd timestampdiff to_base64 to_char to_date to_days to_number to_seconds touches "
    "trim trunc truncate ucase uncompress uncompressed_length unhex unix_timestamp updatexml "
    "upper user utc_date utc_time utc_timestamp uuid uuid_short uuid_to_bin uuid_v4 uuid_v7 "
    "var_pop var_samp variance vec_distance vec_distance_cosine vec_distance_euclidean "
    "vec_fromtext vec_totext version week weekday weekofyear weight_string within x y year "
    "yearweek";

/* Those that give rows. */
const char sql_row_functions_mariadb[] =
    "json_table";
