/** Checks the params that tools add, like the params of operations. */

import { didYouMean } from '../catalog/did-you-mean.ts'
import { truncate } from '../catalog/truncate.ts'
import { unknownNames } from '../catalog/unknown-names.ts'
import { asSentence, ConexError, type Issue } from '../errors.ts'

const fieldsPath = '/params/fields'

/** The JSON Schema of a selection of fields. */
export const fieldsSchema = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  description:
    'The fields of each record to return, also inside others, such as "assignee.name"; all by default. Name a few to get a short answer.',
}

/** Refuses names that a tool does not take, because the operation does not know the params that tools add. */
export function checkNames(input: object, known: readonly string[]): void {
  const issues = [...unknownNames(input, known, '/params').take(20)]
  if (issues.length > 0) throw refused(issues)
}

/** The selected fields; undefined for all. */
export function chosenFields(given: unknown): readonly string[] | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given))
    throw refused([{ path: fieldsPath, message: `must be a list of names, ${insteadOf(given)}` }])
  if (given.length === 0)
    throw refused([{ path: fieldsPath, message: 'must name a field; leave it out for all fields' }])
  const issues = given.flatMap((name, place) =>
    typeof name === 'string' ? [] : [{ path: `${fieldsPath}/${place}`, message: 'must be the name of a field' }],
  )
  if (issues.length > 0) throw refused(issues)
  return given as string[]
}

/** Refuses fields that no record has: neither declared nor in any of these records. */
export function checkFields(names: readonly string[], records: readonly unknown[], declared: readonly string[]): void {
  if (records.length === 0) return
  const known = new Set(declared)
  for (const record of records) for (const name of Object.keys(record ?? {})) known.add(name)
  const issues = names.flatMap((name, place) => {
    const [outer = ''] = name.split('.', 1)
    if (known.has(name) || known.has(outer)) return []
    const meant = didYouMean(name, known)
    const message = `"${truncate(name)}" is no field of these records${meant || `; they have ${[...known].join(', ')}`}`
    return [{ path: `${fieldsPath}/${place}`, message }]
  })
  if (issues.length > 0) throw refused(issues)
}

/** The correct value for names in a single text. */
function insteadOf(given: unknown): string {
  const names = typeof given === 'string' ? given.match(/[\w.-]+/g) : null
  return names === null || names.length > 20
    ? 'for example ["name"]; leave it out for all fields'
    : `as in ${JSON.stringify(names)}`
}

const refused = (issues: readonly Issue[]): ConexError =>
  new ConexError(
    'invalid_params',
    `The params do not fit the tool: ${issues[0]!.path} ${asSentence(issues[0]!.message)}`,
    { issues },
  )
