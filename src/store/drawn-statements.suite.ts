/** Random statements: drawn from a grammar, or a corpus of real and hostile ones that is cut, mixed and nested. */
import fc from 'fast-check'

/** What there is for a statement, and what is not. */
export type Some = readonly [own: readonly string[], foreign: readonly string[]]

/** What statements are made of. */
export interface Words {
  /** Whole statements: those that people write, and those that try to get out. */
  readonly corpus: Some
  readonly tables: Some
  readonly columns: Some
  readonly expressions: Some
  readonly types: Some
}

/** Most are answered only if most words mean something. */
const mostly = ([own, foreign]: Some): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...own) }, { weight: 1, arbitrary: fc.constantFrom(...foreign) })

export function someStatement(words: Words): fc.Arbitrary<string> {
  const table = mostly(words.tables)
  const column = mostly(words.columns)
  const type = mostly(words.types)
  const call = mostly(words.expressions)
  const alias = fc.constantFrom('a', 'b', 'things', 't', 'connectors', 'pg_class', 'sqlite_master', 'é', '"a b"')
  const literal = fc.oneof(
    fc.constantFrom(
      'null',
      'true',
      '1',
      '0',
      '-1',
      '1.5',
      '1e308',
      '9223372036854775807',
      "''",
      "'x'",
      "'{}'",
      "'[1]'",
    ),
    fc.string({ unit: 'binary', maxLength: 8 }).map((text) => `'${text.replaceAll("'", "''")}'`),
  )
  const infix = fc.constantFrom(
    ...'+ - * / % || = <> < > <= >= and or is like -> ->> & | << >>'.split(' '),
    'is not',
    'not like',
  )
  const join = fc.constantFrom(
    ...['join', 'left join', 'right join', 'full join', 'cross join', 'natural join', 'natural full join', ','],
  )
  const sets = fc.constantFrom('union', 'union all', 'intersect', 'except')
  const depth = fc.createDepthIdentifier()
  const grammar = fc.letrec<Record<'expression' | 'from' | 'query', string>>((tie) => {
    const [expression, from, query] = [tie('expression'), tie('from'), tie('query')]
    const write = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
      fc
        .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
        .map((all) => all.join(' '))
    const maybe = (one: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.oneof({ weight: 3, arbitrary: fc.constant('') }, one)
    const select = write(
      fc.constantFrom('select', 'select distinct', 'select all', 'select * , '),
      fc.oneof(
        write(expression, 'as x'),
        write(expression, 'as x ,', expression, 'as y'),
        write('count(*) as x ,', column),
      ),
      write('from', from),
      maybe(write('where', expression)),
      maybe(write('group by', expression, maybe(write('having', expression)))),
    )
    return {
      expression: fc.oneof(
        { depthIdentifier: depth, maxDepth: 6, withCrossShrink: true },
        literal,
        column,
        column,
        write(alias, '.', column),
        call,
        write('(', expression, infix, expression, ')'),
        write('cast(', expression, 'as', type, ')'),
        write('case when', expression, 'then', expression, 'else', expression, 'end'),
        write('(', query, ')'),
        write('exists (', query, ')'),
        write(expression, 'in (', query, ')'),
        write('coalesce(', expression, ',', expression, ')'),
        write('max(', expression, ') over (partition by', expression, 'order by', expression, ')'),
        write('sum(', expression, ') filter (where', expression, ')'),
      ),
      from: fc.oneof(
        { depthIdentifier: depth, maxDepth: 6, withCrossShrink: true },
        table,
        table,
        write(table, 'as', alias),
        write('(', query, ') as', alias),
        write(from, join, from),
        write(from, 'join', table, 'using (', column, ')'),
        write(from, 'join', from, 'on', expression),
        write(from, fc.constantFrom(',', ', lateral', 'cross join'), '(', query, ') as', alias),
      ),
      query: fc.oneof(
        { depthIdentifier: depth, maxDepth: 6, withCrossShrink: true },
        select,
        write(select, 'order by', expression, 'limit', literal),
        write(select, sets, select),
        write('with', alias, 'as (', query, ')', select),
        write('with recursive', alias, '(x) as (', select, 'union', select, ')', select),
        write('values (', expression, ')'),
      ),
    }
  })
  const known = fc.constantFrom(...words.corpus.flat())
  const part = fc.oneof(grammar.expression, grammar.from, known, table, column, call)
  const mutated = fc
    .tuple(known, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...mutations), part), { minLength: 1, maxLength: 4 }))
    .map(([statement, changes]) => changes.reduce((text, [at, mutate, one]) => mutate(text, at, one), statement))
  const wrapped = fc
    .tuple(fc.oneof(grammar.query, mutated, fc.constantFrom(...words.corpus[0])), fc.constantFrom(...wrappings))
    .map(([inner, wrap]) => wrap(inner))
  return fc
    .oneof(
      { weight: 4, arbitrary: grammar.query },
      { weight: 4, arbitrary: mutated },
      { weight: 2, arbitrary: wrapped },
    )
    .map((text) => text.slice(0, 20_000))
}

type Mutation = (text: string, at: number, part: string) => string

const tokensOf = (text: string): string[] => text.match(/\s+|\w+|'(?:[^']|'')*'|"[^"]*"|./gsu) ?? []

const onToken =
  (change: (tokens: string[], place: number, part: string) => void): Mutation =>
  (text, at, part) => {
    const tokens = tokensOf(text)
    if (tokens.length > 0) change(tokens, at % tokens.length, part)
    return tokens.join('')
  }

const mutations: readonly Mutation[] = [
  onToken((tokens, place) => tokens.splice(place, 1)),
  onToken((tokens, place) => tokens.splice(place, 0, tokens[place]!)),
  onToken((tokens, place, part) => tokens.splice(place, 1, part)),
  onToken((tokens, place, part) => tokens.splice(place, 0, ` ${part} `)),
  onToken((tokens, place) => tokens.splice(place, 0, '/* ', tokens[place]!, ' */')),
  onToken((tokens, place) => tokens.splice(place, 0, '-- \n')),
  onToken((tokens, place) =>
    tokens.splice(place, 0, ['\u0000', '\u00a0', '\u202e', '\ud800', '\ufeff', '；'][place % 6]!),
  ),
  onToken((tokens, place) => tokens.splice(place, 1, `"${tokens[place]!.replaceAll('"', '""')}"`)),
  onToken((tokens, place) => tokens.splice(place, 1, tokens[place]!.toUpperCase())),
  onToken((tokens, place) => tokens.splice(place, 1, `(select ${tokens[place]!})`)),
  (text, at, part) => `${text} ${['union all', 'union', ';', ', ', 'where', ') --', "' or"][at % 7]} ${part}`,
  (text, at) => text.slice(0, at % (text.length + 1)),
]

const wrappings: readonly ((inner: string) => string)[] = [
  (inner) => `select * from (${inner}) as w`,
  (inner) => `select (${inner}) as w from things`,
  (inner) => `select count(*) as w from things where exists (${inner})`,
  (inner) => `with things as (${inner}) select * from things`,
  (inner) => `select * from things where name in (${inner}) or gid = (${inner})`,
  (inner) => `${inner} union all ${inner}`,
  (inner) => `select ${'('.repeat(300)}${inner}${')'.repeat(300)}`,
  (inner) => Array.from({ length: 40 }, () => inner).join(' union all '),
  (inner) => `explain ${inner}`,
  (inner) => `/* ${inner} */ ${inner} -- ${inner}`,
]
