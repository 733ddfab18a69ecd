/** Tells a model of a misspelt field: the systems and Conex leave out of records what nobody has, without a word. */

import type { ConnectorType } from '../catalog/describe.ts'
import { actionOf, entityOf, fieldsOf } from '../catalog/describe-text.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { truncate } from '../catalog/truncate.ts'
import type { Operation } from '../client/mode.ts'
import { ConexError } from '../errors.ts'

/** Refuses chosen fields that no record has: neither declared nor in any of these records. */
export function checkChosenFields(type: ConnectorType, { entity, action, fields }: Operation, result: unknown): void {
  const chosen = fields?.select_fields ?? []
  const records = [result].flat()
  if (chosen.length === 0 || records.length === 0) return
  const declared = fieldsOf(actionOf(entityOf(type, entity), action)).map(([name]) => name)
  const known = new Set([...declared, ...records.flatMap((record) => Object.keys(record ?? {}))])
  const issues = chosen.flatMap((name, place) => {
    if (known.has(name) || known.has(name.split('.', 1)[0]!)) return []
    const meant = didYouMean(name, known) || '.'
    return [{ path: `/select_fields/${place}`, message: `"${truncate(name)}" is no field of these records${meant}` }]
  })
  if (issues.length > 0) throw new ConexError('invalid_params', issues[0]!.message, { issues })
}
