/** Answers from declared fields: the compact form of a record, the whole one, or the fields that a call selects. */

type Row = Readonly<Record<string, unknown>>

/** Names in the requested order; an empty inner selection means the bare name. */
export interface FieldSelection extends ReadonlyMap<string, FieldSelection> {}

/** The fields that dotted paths name. */
export function readSelection(paths: readonly string[]): FieldSelection {
  const root = new Map<string, FieldSelection>()
  for (const path of paths) {
    let node = root
    for (const name of path.split('.').filter((one) => one !== '')) {
      const next = (node.get(name) ?? new Map()) as Map<string, FieldSelection>
      node.set(name, next)
      node = next
    }
  }
  return root
}

/** Works a field out from others. */
// biome-ignore lint/suspicious/noExplicitAny: each table has records of its own
export type Derive<View, R = any> = (record: R, view: View) => unknown

export interface FieldTables<Name extends string, View> {
  /**
   * For each table, first the fields of the compact form, and after `|` the others. `?` marks fields that come only when
   * they are selected, `:` those that show records of another table, in their compact form, or with `*` wholly in an
   * answer without a selection.
   */
  readonly tables: Readonly<Record<Name, string>>
  /** The field that every record shows first; tables that are named here have none. */
  readonly id: { readonly name: string; readonly without: readonly Name[] }
  /** By table; fields that are not named here are read from the record. */
  readonly derived: Readonly<Record<string, Readonly<Record<string, Derive<View>>> | undefined>>
  /** The record for a text in a field that shows records; undefined leaves it out of a list. */
  readonly resolve: (table: Name, id: string, view: View) => unknown
}

interface Field {
  readonly of?: string
  readonly isWhole: boolean
}

interface Table {
  readonly fields: ReadonlyMap<string, Field>
  readonly compact: readonly string[]
  readonly whole: readonly string[]
}

function readTable(declared: string): Table {
  const [compact = [], more = []] = declared.split('|').map((part) => part.match(/\S+/g) ?? [])
  const words = [...compact, ...more].map((word) => {
    const [, name, marks = '', of] = /^(\w+)([?*]*)(?::(\w+))?$/.exec(word) ?? []
    if (name === undefined) throw new Error(`A table of fields cannot have "${word}".`)
    return { name, isWhole: marks.includes('*'), isSelected: marks.includes('?'), ...(of !== undefined && { of }) }
  })
  return {
    fields: new Map(words.map((field) => [field.name, field])),
    compact: words.slice(0, compact.length).map(({ name }) => name),
    whole: words.filter(({ isSelected }) => !isSelected).map(({ name }) => name),
  }
}

/** Returns the function that makes writers: how a record of a table becomes an answer. */
export function fieldTables<Name extends string, View>({ tables, id, derived, resolve }: FieldTables<Name, View>) {
  const known = new Map<string, Table>(
    Object.entries<string>(tables).map(([name, declared]) => [name, readTable(declared)]),
  )

  function writerOf(name: Name, form: 'compact' | 'whole' | FieldSelection, isSelected = typeof form !== 'string') {
    const table = known.get(name) as Table
    const names = typeof form === 'string' ? table[form] : [...form.keys()]
    const others = names.filter((one) => one !== id.name && table.fields.has(one))
    const shown = id.without.includes(name) ? names.filter((one) => table.fields.has(one)) : [id.name, ...others]
    const parts = shown.map((field) => {
      const inner = typeof form === 'string' ? undefined : form.get(field)
      return [
        field,
        readerOf(name, field, inner !== undefined && inner.size > 0 ? inner : undefined, isSelected),
      ] as const
    })
    return (record: Row, view: View): Row => {
      const answer: Record<string, unknown> = {}
      for (const [field, read] of parts) {
        const value = read(record, view)
        if (value !== undefined) answer[field] = value
      }
      return answer
    }
  }

  /** Reads a field, and writes the records in it in the right form. */
  function readerOf(name: Name, field: string, inner: FieldSelection | undefined, isSelected: boolean) {
    const derive = derived[name]?.[field]
    const read = derive ?? ((record: Row) => record[field])
    const { of, isWhole } = known.get(name)?.fields.get(field) ?? { isWhole: false }
    if (of === undefined) return read
    const write = writerOf(
      of as Name,
      inner ?? (isWhole && !isSelected ? 'whole' : 'compact'),
      inner !== undefined || isSelected,
    )
    const found = (one: unknown, view: View) => (typeof one === 'string' ? resolve(of as Name, one, view) : one)
    return (record: Row, view: View): unknown => {
      const value = read(record, view)
      if (value === null || value === undefined) return value
      if (!Array.isArray(value)) return write(found(value, view) as Row, view)
      const records = value.map((one) => found(one, view)).filter((one) => one !== undefined)
      return records.map((one) => write(one as Row, view))
    }
  }

  return writerOf
}
