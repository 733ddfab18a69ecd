/** Judges records by the schema that their kind declares for them. */
import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'

interface Judge {
  Errors(value: unknown): readonly unknown[]
}

interface RecordSchema {
  readonly required?: readonly string[]
}

const judges = new WeakMap<object, Judge>()

/** A record as it is declared: every required field there, each of its type however deep, and nothing that JSON has not. */
export function conforms(record: unknown, schema: object, name: string): void {
  let judge = judges.get(schema)
  if (judge === undefined) {
    judge = (Compile as unknown as (schema: object) => Judge)(schema)
    judges.set(schema, judge)
  }
  const [fault] = judge.Errors(record)
  assert.equal(fault, undefined, `${name}: ${JSON.stringify(fault)} in ${JSON.stringify(record)}`)
  for (const field of (schema as RecordSchema).required ?? [])
    assert.ok(Object.hasOwn(record as object, field), `${name} lacks ${field}`)
  plain(record, name)
}

/** Fails for what would change on its way through JSON: undefined, NaN, the infinities, a function. */
function plain(value: unknown, at: string): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), `${at} is ${value}`)
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) plain(part, `${at}.${name}`)
  else assert.ok(['string', 'boolean', 'bigint'].includes(typeof value) || value === null, `${at} is ${typeof value}`)
}
