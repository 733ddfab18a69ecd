/** Checks the tree of a statement against the lists of what is allowed. */
import { noFunction, noTable, refused } from '../statements/statement.ts'
import { clockValues, functions, nodes, operators, types, unnamed } from './statement-language.ts'

export interface CheckedStatement {
  /** The text of the one statement, without what ends it. */
  readonly sql: string
  /** The entities that it names as tables. A common table expression may have the same name. */
  readonly tables: readonly string[]
}

/** A node of the tree, as the parser gives it in JSON. */
type Fields = Readonly<Record<string, unknown>>

interface Parsed {
  readonly stmts?: readonly {
    readonly stmt?: object
    /** In bytes. */
    readonly stmt_location?: number
    readonly stmt_len?: number
  }[]
}

export function checkStatement(sql: string, { stmts = [] }: Parsed, entities: readonly string[]): CheckedStatement {
  const [statement, ...others] = stmts
  if (statement?.stmt === undefined) throw refused('it is empty; write one select statement')
  if (others.length > 0) throw refused('these are several statements; write one select statement')
  if (!('SelectStmt' in statement.stmt)) throw refused('it is not a select statement')
  const named = checkTree(statement.stmt as Fields)
  const known = new Set([...entities, ...named.expressions])
  for (const table of named.tables) {
    // Behind these names the database has tables of its own, wherever a common table expression of that name ends.
    if (/^pg_/i.test(table) || !known.has(table)) throw refused(noTable(table, entities))
  }
  const { stmt_location: from = 0, stmt_len: length } = statement
  const bytes = Buffer.from(sql)
  return {
    sql: bytes.toString('utf8', from, length === undefined ? bytes.length : from + length),
    tables: entities.filter((entity) => named.tables.has(entity)),
  }
}

interface Named {
  readonly tables: Set<string>
  readonly expressions: Set<string>
}

/** Looks at every node, without recursion: trees may be deep. */
function checkTree(root: Fields): Named {
  const named: Named = { tables: new Set(), expressions: new Set() }
  const left: [node: string, fields: Fields][] = []
  const takeAll = (value: unknown): void => {
    const values = [value]
    for (let next = values.pop(); next !== undefined; next = values.pop()) {
      if (Array.isArray(next)) values.push(...next)
      else if (Object.keys(next as object).length > 0) left.push(wrapped(next as Fields))
    }
  }
  takeAll(root)
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, fields] = next
    checkNode(node, fields, named)
    for (const [field, value] of Object.entries(fields)) {
      if (!nodes[node]!.includes(field)) throw refused(`it uses ${field} of ${node}, which is not available`)
      if (typeof value !== 'object' || value === null || node === 'A_Const') continue
      const inner = unnamed[`${node}.${field}`] ?? unnamed[field]
      if (inner === undefined) takeAll(value)
      else left.push([inner, value as Fields])
    }
  }
  return named
}

function wrapped(value: Fields): [node: string, fields: Fields] {
  const [[node, fields] = ['', {}], ...others] = Object.entries(value)
  if (others.length > 0 || !Object.hasOwn(nodes, node)) throw refused(`it uses ${node}, which is not available`)
  return [node, fields as Fields]
}

function checkNode(node: string, fields: Fields, named: Named): void {
  switch (node) {
    case 'RangeVar':
      if (fields.schemaname !== undefined || fields.catalogname !== undefined)
        throw refused('it names a schema; the tables stand in none')
      named.tables.add(fields.relname as string)
      return
    case 'CommonTableExpr':
      named.expressions.add(fields.ctename as string)
      if (!Object.hasOwn(fields.ctequery as object, 'SelectStmt')) throw refused('it is not a select statement')
      return
    case 'SelectStmt':
      if (fields.intoClause !== undefined) throw refused('it is not a select statement')
      if (fields.lockingClause !== undefined) throw refused('it locks rows')
      return
    case 'FuncCall':
      allow(functions, textsOf(fields.funcname), noFunction)
      return
    case 'A_Expr':
      allow(operators, textsOf(fields.name), noOperator)
      return
    case 'SubLink':
      if (fields.operName !== undefined) allow(operators, textsOf(fields.operName), noOperator)
      return
    case 'TypeName':
      allow(types, textsOf(fields.names), (name) => `the type "${name}" is not available`)
      return
    case 'CollateClause':
      allow(new Set(['C']), textsOf(fields.collname), (name) => `the collation "${name}" is not available`)
      return
    case 'SQLValueFunction':
      if (!clockValues.test(fields.op as string))
        throw refused(noFunction((fields.op as string).replace('SVFOP_', '').toLowerCase()))
      return
    case 'ColumnRef':
      // What stands behind the table's name can also be a function that takes its row.
      if ((fields.fields as readonly unknown[]).length > 2 || /^pg_/i.test(textsOf(fields.fields).at(-1) ?? ''))
        throw refused(`there is no column "${textsOf(fields.fields).join('.')}"`)
      return
    case 'A_Indirection':
      // And so can what stands behind a value.
      if (!(fields.indirection as readonly object[]).every((one) => 'A_Indices' in one))
        throw refused('it takes a field from a value in parentheses, which is not available; name the table')
      return
    default:
  }
}

const noOperator = (name: string): string => `the operator "${name}" is not available`

/** The parser itself writes some names with their schema. */
function allow(known: ReadonlySet<string>, names: readonly string[], fault: (name: string) => string): void {
  const own = names[0] === 'pg_catalog' ? names.slice(1) : names
  if (own.length !== 1 || !known.has(own[0]!)) throw refused(fault(names.join('.')))
}

const textsOf = (list: unknown): string[] =>
  (list as readonly { readonly String?: { readonly sval?: string } }[]).map(({ String: text }) => text?.sval ?? '*')
