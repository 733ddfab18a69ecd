/** How records become answers: the compact form, the whole one, or the fields that `opt_fields` name. */
import { type AnyResource, derived, type Shape, shapes, type View } from './fields.ts'
import type { Kind, Row } from './records.ts'

/** Names in the requested order; an empty inner selection means the bare name. */
interface Selection extends ReadonlyMap<string, Selection> {}

/** Reads a comma-separated list of dotted paths with `this.` and `(a|b)` groups. */
export function readOptFields(text: string): Selection {
  const root = new Map<string, Selection>()
  for (const path of text.split(',').flatMap((term) => alternatives(term.trim()))) {
    let node = root
    for (const name of path.split('.')) {
      if (name === '' || (name === 'this' && node === root)) continue
      const next = (node.get(name) ?? new Map()) as Map<string, Selection>
      node.set(name, next)
      node = next
    }
  }
  return root
}

/** `a.(b|c).d` as `a.b.d` and `a.c.d`. */
function alternatives(term: string): string[] {
  const group = /\(([^()]*)\)/.exec(term)
  if (group === null) return [term]
  const after = term.slice(group.index + group[0].length)
  return group[1]!.split('|').flatMap((one) => alternatives(`${term.slice(0, group.index)}${one.trim()}${after}`))
}

type Write = (record: Row, view: View) => Row

const written = new Map<string, Write>()

/** Keeps what it made, because the same fields are requested again and again. */
export function writerOf(resource: AnyResource, form: 'compact' | 'whole', optFields: string | undefined): Write {
  const key = `${resource} ${form} ${optFields ?? ''}`
  let write = written.get(key)
  if (write === undefined) {
    const selection = optFields === undefined || optFields.trim() === '' ? form : readOptFields(optFields)
    write = writer(resource, selection, selection === form)
    if (written.size >= 500) written.clear()
    written.set(key, write)
  }
  return write
}

/** Structures inside a record have no gid of their own; everything else shows it first. */
function writer(resource: AnyResource, form: 'compact' | 'whole' | Selection, byDefault: boolean): Write {
  const shape: Shape = shapes[resource]
  const chosen = typeof form !== 'string' ? [...form.keys()] : form === 'whole' ? shape.whole : shape.compact
  const known = chosen.filter((name) => name !== 'gid' && shape.fields.has(name))
  const names = shape.isPlain ? chosen.filter((name) => shape.fields.has(name)) : ['gid', ...known]
  const parts = names.map((name) => {
    const inner = typeof form === 'string' ? undefined : form.get(name)
    return [name, reader(shape, name, inner !== undefined && inner.size > 0 ? inner : undefined, byDefault)] as const
  })
  return (record, view) => {
    const answer: Record<string, unknown> = {}
    for (const [name, read] of parts) {
      const value = read(record, view)
      if (value !== undefined) answer[name] = value
    }
    return answer
  }
}

/** Reads a field, and writes the records in it in the right form. */
function reader(shape: Shape, name: string, inner: Selection | undefined, byDefault: boolean) {
  const derive = derived[shape.kind]?.[name]
  const value = (record: Row, view: View) => (derive === undefined ? record[name] : derive(record, view))
  const field = shape.fields.get(name)
  if (field?.of === undefined) return value
  const { of, isWhole } = field
  const write = writer(of, inner ?? (byDefault && isWhole ? 'whole' : 'compact'), byDefault && inner === undefined)
  const { kind } = shapes[of]
  const resolve = (one: unknown, { world }: View) => (typeof one === 'string' ? world.find(kind as Kind, one) : one)
  return (record: Row, view: View): unknown => {
    const found = value(record, view)
    if (found === null || found === undefined) return found
    if (!Array.isArray(found)) return write(resolve(found, view) as Row, view)
    const records = found.map((one) => resolve(one, view)).filter((one) => one !== undefined)
    return records.map((one) => write(one as Row, view))
  }
}
