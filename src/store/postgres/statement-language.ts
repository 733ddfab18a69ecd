/**
 * The part of PostgreSQL's SQL that statements may use: lists of what is allowed, in the parser's own words. What is not here does not
 * exist for them.
 */

/** The nodes of the tree, and the fields that each may have. */
export const nodes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    SelectStmt:
      'distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists sortClause limitOffset limitCount limitOption withClause op all larg rarg',
    WithClause: 'ctes recursive',
    CommonTableExpr: 'ctename aliascolnames ctematerialized ctequery',
    ResTarget: 'name val',
    RangeVar: 'relname inh relpersistence alias',
    RangeSubselect: 'lateral subquery alias',
    RangeFunction: 'lateral ordinality is_rowsfrom functions alias coldeflist',
    ColumnDef: 'colname typeName is_local',
    JoinExpr: 'jointype isNatural larg rarg usingClause join_using_alias quals alias',
    Alias: 'aliasname colnames',
    ColumnRef: 'fields',
    A_Star: '',
    A_Const: 'ival fval sval boolval bsval isnull',
    A_Expr: 'kind name lexpr rexpr rexpr_list_start rexpr_list_end',
    BoolExpr: 'boolop args',
    NullTest: 'arg nulltesttype',
    BooleanTest: 'arg booltesttype',
    CaseExpr: 'arg args defresult',
    CaseWhen: 'expr result',
    CoalesceExpr: 'args',
    MinMaxExpr: 'op args',
    SubLink: 'subLinkType testexpr operName subselect',
    TypeCast: 'arg typeName',
    TypeName: 'names typemod typmods arrayBounds',
    FuncCall: 'funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct func_variadic funcformat',
    NamedArgExpr: 'arg name argnumber',
    WindowDef: 'name refname partitionClause orderClause frameOptions startOffset endOffset',
    SortBy: 'node sortby_dir sortby_nulls',
    GroupingSet: 'kind content',
    GroupingFunc: 'args',
    A_ArrayExpr: 'elements list_start list_end',
    RowExpr: 'args row_format',
    A_Indirection: 'arg indirection',
    A_Indices: 'is_slice lidx uidx',
    CollateClause: 'arg collname',
    SQLValueFunction: 'op typmod',
    List: 'items',
    String: 'sval',
    Integer: 'ival',
    Float: 'fval',
    Boolean: 'boolval',
  }).map(([node, fields]) => [node, [...words(fields), 'location']]),
)

/** Fields that hold a node without its name. */
export const unnamed: Readonly<Record<string, string>> = {
  withClause: 'WithClause',
  alias: 'Alias',
  join_using_alias: 'Alias',
  typeName: 'TypeName',
  over: 'WindowDef',
  'SelectStmt.larg': 'SelectStmt',
  'SelectStmt.rarg': 'SelectStmt',
}

export const operators: ReadonlySet<string> = new Set(
  words(
    '+ - * / % ^ || = <> != < > <= >= ~ ~* !~ !~* ~~ ~~* !~~ !~~* -> ->> #> #>> @> <@ ? ?| ?& && & | # << >> |/ ||/ @ ^@ BETWEEN',
  ).concat(['NOT BETWEEN', 'BETWEEN SYMMETRIC', 'NOT BETWEEN SYMMETRIC']),
)

/** Types of casts. Those that name things of the database, such as regclass, are not among them. */
export const types: ReadonlySet<string> = new Set(
  words(
    'text varchar bpchar int2 int4 int8 smallint integer int bigint numeric decimal float4 float8 real bool boolean date time timetz timestamp timestamptz interval json jsonb uuid',
  ),
)

/** Values of the clock; those of the session are not among them. */
export const clockValues =
  /^SVFOP_(CURRENT_DATE|CURRENT_TIME|CURRENT_TIME_N|CURRENT_TIMESTAMP|CURRENT_TIMESTAMP_N|LOCALTIME|LOCALTIME_N|LOCALTIMESTAMP|LOCALTIMESTAMP_N)$/

/**
 * None reads a file, a setting, a table or a schema, waits, or changes anything. Those are missing, too, that make a long text from
 * short ones at once: repeat, lpad, rpad, format.
 */
export const functions: ReadonlySet<string> = new Set(
  words(`
    count sum avg min max any_value bool_and bool_or every bit_and bit_or bit_xor
    array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg
    stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp
    regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
    mode percentile_cont percentile_disc
    row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
    abs cbrt ceil ceiling degrees div exp floor gcd lcm ln log log10 mod pi power pow radians round scale sign sqrt
    trim_scale trunc width_bucket
    acos acosd acosh asin asind asinh atan atand atanh atan2 atan2d cos cosd cosh cot cotd sin sind sinh tan tand tanh
    ascii bit_length btrim char_length character_length chr concat concat_ws initcap left length like_escape lower ltrim
    md5 normalize is_normalized octet_length overlay position quote_literal regexp_count regexp_instr regexp_like
    regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr replace reverse
    right rtrim similar_to_escape split_part starts_with string_to_array string_to_table strpos substr substring
    to_hex translate upper
    age clock_timestamp date_bin date_part date_trunc extract isfinite justify_days justify_hours justify_interval
    make_date make_interval make_time make_timestamp make_timestamptz now overlaps statement_timestamp timezone to_char
    to_date to_number to_timestamp transaction_timestamp
    array_append array_cat array_dims array_length array_lower array_ndims array_position array_positions array_prepend
    array_remove array_replace array_to_json array_to_string array_upper cardinality unnest generate_series
    generate_subscripts
    json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each
    json_each_text json_extract_path json_extract_path_text json_object json_object_keys json_strip_nulls json_to_record
    json_to_recordset json_typeof row_to_json to_json
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each
    jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object jsonb_object_keys jsonb_path_exists
    jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set
    jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof to_jsonb
    num_nonnulls num_nulls
  `),
)

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
