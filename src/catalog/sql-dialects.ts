/** The dialects of SQL over a copy, which are those of the databases, with what to know besides the names of tables and columns. */
export const sqlDialects = {
  SQLite: "true and false are 1 and 0; ->> '$.key' and json_each read objects and arrays",
  PostgreSQL: `names with capital letters stand in double quotes; ->> 'key' and json_array_elements read objects and arrays`,
} as const

export type SqlDialect = keyof typeof sqlDialects

export const sqlDialectNames = Object.keys(sqlDialects) as [SqlDialect, ...SqlDialect[]]
