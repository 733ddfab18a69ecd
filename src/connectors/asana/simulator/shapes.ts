/** How records become answers: the existing fields, the default fields, and the form of references. */
import type { Selection } from './opt-fields.ts'
import type { User } from './records.ts'
import type { World } from './world.ts'

/** Everything besides the record that an answer may depend on. */
export interface View {
  readonly world: World
  readonly person: User
  /** Whether the caller is an OAuth application. */
  readonly oauth: boolean
  readonly now: number
  /** The address of the kind's files. */
  readonly filesOrigin: string
}

type Get<R> = (record: R, view: View) => unknown

export interface Field<R> {
  readonly get: Get<R>
  /** The shape of the record, or of each record in the array, that `get` returns. */
  readonly of?: () => Shape<never>
  /** Not in the default answer of a get. */
  readonly optIn?: true
  /** Inner names for a bare name in opt_fields; the compact form if absent. */
  readonly bare?: readonly string[]
  /** Inner names in the default answer of a get; the compact form if absent. */
  readonly full?: readonly string[]
}

export interface Shape<R> {
  readonly compact: readonly string[]
  readonly fields: Readonly<Record<string, Field<R>>>
  /** Structures inside a record have no gid of their own. */
  readonly plain?: true
}

export type Writer<R> = (record: R, view: View) => Record<string, unknown>

/** The form that opt_fields select; without them, the compact or the complete one. */
export function writerFor<R>(shape: Shape<R>, selection: Selection | undefined, form: 'compact' | 'full'): Writer<R> {
  if (selection !== undefined) return write(shape, [...selection.names.keys()], 'asked', selection)
  if (form === 'compact') return write(shape, shape.compact, 'default')
  const names = Object.keys(shape.fields).filter((name) => !shape.fields[name]?.optIn)
  return write(shape, names, 'default')
}

function write<R>(
  shape: Shape<R>,
  names: readonly string[],
  by: 'default' | 'asked',
  selection?: Selection,
): Writer<R> {
  const known = names.filter((name) => (shape.plain || name !== 'gid') && Object.hasOwn(shape.fields, name))
  const all = shape.plain ? known : ['gid', ...known]
  const parts = all.map((name) => {
    const field = shape.fields[name] as Field<R>
    return { name, read: readerOf(field, by, selection?.names.get(name)) }
  })
  return (record, view) => {
    const answer: Record<string, unknown> = {}
    for (const part of parts) {
      const value = part.read(record, view)
      if (value !== undefined) answer[part.name] = value
    }
    return answer
  }
}

/** Reads a field, and writes references in the right form. */
function readerOf<R>(field: Field<R>, by: 'default' | 'asked', inner: Selection | undefined): Get<R> {
  if (field.of === undefined) return field.get
  const shape = field.of() as Shape<unknown>
  const narrow = inner !== undefined && inner.names.size > 0
  const names = narrow
    ? [...inner.names.keys()]
    : ((by === 'asked' ? field.bare : (field.full ?? field.bare)) ?? shape.compact)
  const writer = write(shape, names, narrow ? 'asked' : by, narrow ? inner : undefined)
  return (record, view) => {
    const value = field.get(record, view)
    if (value === null || value === undefined) return value
    return Array.isArray(value) ? value.map((one) => writer(one, view)) : writer(value, view)
  }
}
