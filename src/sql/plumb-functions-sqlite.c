/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-functions-private.h"

/* Functions of SQLite that only work out a value. Not here, and so refused: load_extension,
 * readfile and the rest of the shell's, fts3_tokenizer, optimize and rtreecheck (which write or
 * read by name). */
const char sql_functions_sqlite[] =
    "abs acos acosh asin asinh atan atan2 atanh avg base64 base85 bm25 cast ceil ceiling changes "
    "char coalesce concat concat_ws cos cosh count cume_dist current_date current_time "
    "current_timestamp date datetime decimal decimal_add decimal_cmp decimal_mul decimal_sub "
    "decimal_sum degrees dense_rank edit_distance exists exp first_value floor format "
    "fts5_source_id generate_series glob group_concat hex highlight ieee754 ieee754_exponent "
    "ieee754_from_blob ieee754_mantissa ieee754_to_blob if ifnull iif instr json json_array "
    "json_array_length json_each json_error_position json_extract json_group_array "
    "json_group_object json_insert json_object json_patch json_pretty json_quote json_remove "
    "json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_each "
    "jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch "
    "jsonb_remove jsonb_replace jsonb_set jsonb_tree julianday lag last_insert_rowid last_value "
    "lead length like likelihood likely ln log log10 log2 lower ltrim match matchinfo max median "
    "min mod nth_value ntile nullif octet_length offsets percent_rank percentile percentile_cont "
    "percentile_disc pi pow power printf quote radians random randomblob rank regexp regexpi "
    "replace round row row_number rtreedepth rtreenode rtrim sign sin sinh snippet soundex "
    "spellfix1_scriptcode sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id "
    "sqlite_version sqrt stdev strftime string_agg substr substring subtype sum tan tanh time "
    "timediff total total_changes trim trunc typeof unhex unicode unistr unixepoch unlikely upper "
    "values variance zeroblob";

/* Those that give rows. The pragma_… functions aren't among them. */
const char sql_row_functions_sqlite[] =
    "generate_series json_each json_tree jsonb_each jsonb_tree";
