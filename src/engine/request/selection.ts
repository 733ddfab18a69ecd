/** The record fields of a request, by the caller's choice or by default, in the system's own names. */
import type { TSchema } from 'typebox'
import type { FieldChoice } from '../../catalog/choose-fields.ts'
import type { Operation, Selection } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'

/** The caller's selection. */
export interface Selected {
  /** As written: a field can have sub-selections and modifiers. */
  readonly parts: readonly string[]
  readonly fields: ReadonlySet<string>
}

/** What the caller selected, by the operation's own param or beside the params; undefined for the default fields. */
export function selectedIn(operation: Operation, params: Params, choice: FieldChoice): Selected | undefined {
  const { select } = operation
  if (select === undefined || operation.action === 'download') return undefined
  const given = select.param === undefined ? undefined : params[select.param]
  if (typeof given === 'string' && given.trim() !== '') {
    const parts = split(given)
    return { parts, fields: new Set(parts.map(fieldOf)) }
  }
  const paths = choice.select_fields ?? []
  const chosen = written(known(paths, operation.record, select.names), select.inner)
  // Pages by time continue from this field of the last record.
  const time = operation.action === 'list' && operation.paging.style === 'time' ? operation.paging.time.field : null
  const parts = chosen.length === 0 || time === null ? chosen : [...new Set([...chosen, time])]
  return parts.length === 0 ? undefined : { parts, fields: new Set(paths.map((path) => path.split('.', 1)[0]!)) }
}

/** The value of the query parameter that selects fields; `without` leaves out some default fields. */
export function selectionText(
  select: Selection,
  selected?: Selected,
  without?: ReadonlySet<string>,
): string | undefined {
  const parts = selected?.parts ?? select.default?.filter((name) => !without?.has(name)) ?? []
  const names = select.names ?? {}
  const sent = parts
    .map((part) => {
      const field = fieldOf(part)
      if (!Object.hasOwn(names, field)) return part
      const name = names[field]!
      return name === null ? null : name + part.slice(field.length)
    })
    .filter((part) => part !== null)
  // An empty selection would get whatever the system chooses.
  return sent.length === 0 ? select.default?.[0] : [...new Set(sent)].join(',')
}

/** The paths as lists of names, as far as the record declares them; systems refuse fields that they do not know. */
function known(paths: readonly string[], record: TSchema, names: Selection['names'] = {}): string[][] {
  const namesOf = (path: string, schema: TSchema): string[] => {
    const { properties = {}, items, anyOf } = schema as Nested
    const inner = items ?? anyOf?.find(({ type }: Nested) => type !== 'null')
    if (inner !== undefined) return namesOf(path, inner)
    const [name = ''] = path.split('.', 1)
    if (!Object.hasOwn(properties, name) || (Object.hasOwn(names, name) && names[name] === null)) return []
    return [name, ...namesOf(path.slice(name.length + 1), properties[name]!)]
  }
  return paths.map((path) => namesOf(path, record)).filter((path) => path.length > 0)
}

interface Nested {
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

/** The paths as the system writes them. A field that is selected as a whole needs none of its inner fields. */
function written(paths: readonly (readonly string[])[], inner: Selection['inner']): string[] {
  const byField = Map.groupBy(paths, ([field]) => field!)
  return [...byField].flatMap(([field, some]) => {
    const below = some.map((names) => names.slice(1))
    if (inner === undefined || below.some((names) => names.length === 0)) return [field]
    const parts = written(below, inner)
    return inner === 'dots' ? parts.map((part) => `${field}.${part}`) : [`${field}{${parts.join(',')}}`]
  })
}

/** Splits at the outermost level: sub-selections such as `creative{id,name}` belong to the field before them. */
function split(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index <= text.length; index++) {
    const letter = text[index]
    if (letter === '{' || letter === '(') depth++
    else if (letter === '}' || letter === ')') depth = Math.max(0, depth - 1)
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      parts.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  return [...new Set(parts.filter((part) => part !== ''))]
}

/** The field of a part, without sub-selection and modifiers. */
const fieldOf = (part: string): string => part.split(/[.(){}]/, 1)[0]!.trim()
