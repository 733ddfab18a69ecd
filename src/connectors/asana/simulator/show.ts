/** How records become answers: the compact form, the whole one, or the fields that `opt_fields` name. */
import { type FieldSelection, readSelection } from '../../../kit/simulator.ts'
import { writerOf } from './fields.ts'
import type { Kind, Row } from './records.ts'
import type { View } from './system.ts'

/** A comma-separated list of dotted paths with `this.` and `(a|b)` groups. */
const readOptFields = (text: string): FieldSelection =>
  readSelection(text.split(',').flatMap((term) => alternatives(term.trim().replace(/^this\./, ''))))

/** `a.(b|c).d` as `a.b.d` and `a.c.d`. */
function alternatives(term: string): string[] {
  const group = /\(([^()]*)\)/.exec(term)
  if (group === null) return [term]
  const [before, after] = [term.slice(0, group.index), term.slice(group.index + group[0].length)]
  return group[1]!.split('|').flatMap((one) => alternatives(`${before}${one.trim()}${after}`))
}

const written = new Map<string, (record: Row, view: View) => Row>()

/** Keeps the writers that it made, because the same fields are requested again and again. */
export function shown(record: Row, view: View, kind: Kind, form: 'compact' | 'whole', optFields = ''): Row {
  const key = `${kind} ${form} ${optFields}`
  let write = written.get(key)
  if (write === undefined) {
    write = writerOf(kind, optFields.trim() === '' ? form : readOptFields(optFields))
    if (written.size >= 500) written.clear()
    written.set(key, write)
  }
  return write(record, view)
}
