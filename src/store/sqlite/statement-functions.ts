/** The functions of SQLite that statements may call. None reads a file, a setting or a schema, or changes anything. */
export const statementFunctions: ReadonlySet<string> = new Set(
  `
  abs avg ceil ceiling floor round sign trunc mod pow power sqrt exp ln log log10 log2 pi degrees radians
  acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan tanh
  count sum total min max group_concat string_agg median percentile percentile_cont percentile_disc
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  coalesce ifnull iif if nullif typeof likely unlikely likelihood
  char concat concat_ws format glob hex instr length like lower ltrim octet_length printf quote replace rtrim
  substr substring trim unhex unicode upper
  date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
  -> ->> json json_array json_array_length json_error_position json_extract json_group_array json_group_object
  json_object json_pretty json_quote json_type json_valid
  json_insert json_patch json_remove json_replace json_set json_array_insert
  jsonb jsonb_array jsonb_extract jsonb_group_array jsonb_group_object jsonb_object
  jsonb_insert jsonb_patch jsonb_remove jsonb_replace jsonb_set jsonb_array_insert
  `
    .trim()
    .split(/\s+/),
)
