import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import Schema from 'typebox/schema'
import { answerSchema } from '../../catalog/answer-schema.ts'
import {
  array,
  arrayOf,
  boolean,
  id,
  integer,
  nullable,
  number,
  object,
  objectOf,
  optional,
  text,
} from '../../catalog/fields.ts'
import { ConexError } from '../../errors.ts'
import { parseJson, stringifyJson } from '../../json.ts'
import { compileCoercion } from './coerce.ts'

const scalars = { text: text(), whole: integer(), number: number(), truth: boolean(), object: object(), list: array() }

const record = Type.Object({
  id: id(),
  text: nullable(text()),
  whole: nullable(integer()),
  number: nullable(number()),
  truth: nullable(boolean()),
  object: nullable(object()),
  list: nullable(array()),
  words: nullable(arrayOf(text())),
  parts: nullable(arrayOf(objectOf({ ...scalars, deep: nullable(objectOf({ whole: nullable(integer()) })) }))),
})

/** Whatever JSON can hold, and what the parser makes of numbers that no double holds. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.bigInt(),
  fc.constantFrom(
    '',
    ' ',
    '1',
    '1.5',
    '+7',
    '1e3',
    '1e400',
    'NaN',
    'Infinity',
    '-0',
    '0x10',
    '1_0',
    'TRUE',
    'false',
    '12345678901234567890',
    '5.0',
  ),
  fc.constant({ toString: 1, valueOf: 1 }),
  fc.constant(JSON.parse('{"__proto__":{"a":1},"constructor":1}') as unknown),
)

const start = compileCoercion(record)
const coerce = (value: object) => {
  const coercion = start()
  const result = coercion.record(value) as Record<string, unknown>
  return { result, warnings: coercion.warnings() }
}
/** One field of an otherwise empty record. */
const field = (name: string, value: unknown) => coerce({ id: '1', [name]: value }).result[name]

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const fits: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  whole: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: (value) => typeof value === 'bigint' || Number.isFinite(value),
  truth: (value) => typeof value === 'boolean',
  object: isObject,
  list: Array.isArray,
}

describe('a record is given its declared types', () => {
  it('each field holds its type or null, or the answer is refused with a ConexError', () => {
    const given = fc.dictionary(fc.constantFrom('id', ...Object.keys(scalars), 'words', 'parts', 'other'), anything)
    fc.assert(
      fc.property(given, (value) => {
        let result: Record<string, unknown>
        try {
          result = coerce(structuredClone(value)).result
        } catch (error) {
          assert.ok(error instanceof ConexError && error.code === 'upstream_invalid_response', String(error))
          assert.ok(!['string', 'number', 'bigint', 'boolean'].includes(typeof value.id))
          return
        }
        assert.equal(typeof result.id, 'string')
        for (const [name, fit] of Object.entries(fits)) assert.ok(result[name] === null || fit(result[name]), name)
        assert.ok(
          result.words === null || (result.words as unknown[]).every((word) => word === null || fits.text!(word)),
        )
        assert.ok(result.parts === null || Array.isArray(result.parts))
        assert.deepEqual(result.other, value.other)
      }),
      { numRuns: 1000 },
    )
  })

  it('which fit what is published of them, whatever is left out, null or of another type', () => {
    const published = answerSchema({ record })
    const part = fc.record({
      ...Object.fromEntries(Object.keys(scalars).map((name) => [name, anything])),
      deep: anything,
    })
    const given = fc.record(
      {
        ...Object.fromEntries(Object.keys(scalars).map((name) => [name, anything])),
        words: fc.array(anything),
        parts: fc.array(
          fc.oneof(anything, fc.dictionary(fc.constantFrom(...Object.keys(scalars), 'deep'), anything), part),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(given, (fields) => {
        // As callers read it, for whom whole numbers past 2^53 are numbers like others.
        const read = JSON.parse(stringifyJson(coerce(structuredClone({ id: '1', ...fields })).result))
        assert.ok(Schema.Check(published as never, read), JSON.stringify(Schema.Errors(published as never, read)))
      }),
      { numRuns: 1000 },
    )
  })

  it('inside lists of objects too, and a null there stays null', () => {
    const part = fc.record(
      { ...Object.fromEntries(Object.keys(scalars).map((name) => [name, anything])), deep: anything },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.constant(null), fc.string())), (parts) => {
        const result = field('parts', structuredClone(parts)) as (Record<string, unknown> | null)[]
        assert.equal(result.length, parts.length)
        for (const [index, found] of result.entries()) {
          if (found === null) {
            assert.ok(parts[index] === null || typeof parts[index] === 'string')
            continue
          }
          for (const [name, fit] of Object.entries(fits))
            assert.ok(found[name] === undefined || found[name] === null || fit(found[name]), name)
          assert.ok(found.deep === null || isObject(found.deep))
        }
      }),
    )
  })

  it('an optional field is kept as it came, also in objects, and its schema lets it be absent or null', () => {
    const type = Type.Object({
      id: id(),
      due_on: optional(nullable(text())),
      likes: optional(integer()),
      owner: optional(objectOf({ id: id(), name: optional(text()) })),
    })
    const coercion = compileCoercion(type)()
    assert.deepEqual(coercion.record({ id: 1 }), { id: '1' })
    const given = { id: '1', due_on: 5, likes: '7', owner: { id: 3 } }
    assert.deepEqual(coercion.record(structuredClone(given)), given)
    assert.deepEqual(coercion.warnings(), [])
    const schema = answerSchema({ record: type })
    assert.deepEqual(schema.required, ['id'])
    assert.deepEqual(schema.properties?.likes, { anyOf: [{ type: 'integer' }, { type: 'null' }] })
    assert.equal(Schema.Check(schema, { id: '1', due_on: null, likes: null }), true)
    const inside = Type.Object({ id: id(), owner: optional(objectOf({ name: nullable(text()) })) })
    assert.equal(
      Schema.Check(answerSchema({ record: inside }), compileCoercion(inside)().record({ id: 1, owner: {} })),
      true,
    )
  })

  it('what is not declared is kept as it came', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anything), (extra) => {
        const before = {
          id: '1',
          ...Object.fromEntries(Object.entries(extra).filter(([name]) => !Object.hasOwn(record.properties, name))),
        }
        const { result } = coerce(structuredClone(before))
        for (const [name, value] of Object.entries(before)) assert.deepEqual(result[name], value)
      }),
    )
  })

  it('identifiers and whole numbers keep every digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (whole) => {
        const digits = String(whole)
        const parsed = parseJson(`{"id":${digits},"whole":${digits},"text":${digits},"words":[${digits}]}`) as object
        const { result } = coerce(parsed)
        assert.equal(result.id, digits)
        assert.equal(result.text, digits)
        assert.deepEqual(result.words, [digits])
        assert.equal(String(result.whole), digits)
        for (const written of [digits, `+${digits}`, `${digits}.0`]) {
          assert.equal(BigInt(field('whole', written) as number | bigint), whole)
          assert.equal(BigInt(field('number', written) as number | bigint), whole)
        }
      }),
    )
  })

  it('text of more digits than a number may have is no number', () => {
    const [longest, longer] = ['9'.repeat(1000), '9'.repeat(1001)]
    for (const name of ['whole', 'number']) {
      assert.equal(field(name, longest), BigInt(longest))
      assert.equal(field(name, longer), null)
    }
  })

  it('zero, false and empty text are values', () => {
    assert.deepEqual(
      ['whole', 'number'].map((name) => [field(name, 0), field(name, '0')]),
      [
        [0, 0],
        [0, 0],
      ],
    )
    assert.equal(field('truth', false), false)
    assert.equal(field('text', ''), '')
    assert.deepEqual(field('list', []), [])
    assert.deepEqual(field('object', {}), {})
  })

  it('empty text for a number is null where null is allowed, and else no answer', () => {
    assert.equal(field('whole', ''), null)
    assert.deepEqual(coerce({ id: '1', number: ' ' }).warnings, [])
    const strict = compileCoercion(Type.Object({ count: integer() }))
    for (const count of ['', ' ', null, 'x', {}, 1.5])
      assert.throws(() => strict().record({ count }), { code: 'upstream_invalid_response' })
    assert.deepEqual(strict().record({ count: '5' }), { count: 5 })
  })

  it('an absent field becomes null only where it may, and was asked for', () => {
    const coercion = compileCoercion(Type.Object({ a: nullable(text()), b: text(), c: nullable(text()) }))
    assert.deepEqual(coercion().record({}), { a: null, c: null })
    assert.deepEqual(coercion(new Set(['c', 'b'])).record({}), { c: null })
  })

  it('a record that is none refuses the answer', () => {
    for (const value of [null, [], 'x', 5, undefined])
      assert.throws(() => start().record(value, 0), { code: 'upstream_invalid_response' })
  })
})

describe('what could not be handed out', () => {
  it('is told once per field with the first record and the number of others, never with the value', () => {
    const coercion = start()
    for (let index = 0; index < 5; index++)
      coercion.record({ id: `r${index}`, whole: 'secret', parts: [{ whole: 'secret' }, { whole: 'secret' }] }, index)
    const warnings = coercion.warnings()
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ['/result/0/whole', '/result/0/parts/0/whole'],
    )
    assert.match(warnings[0]!.message, /^is not a whole number .*\(record r0, and 4 more\)$/)
    assert.match(warnings[1]!.message, /\(record r0, and 9 more\)$/)
    assert.ok(!JSON.stringify(warnings).includes('secret'))
  })

  it('names a record by the beginning of its id where the id is endless', () => {
    const { result, warnings } = coerce({ id: 'x'.repeat(1_000_000), whole: 'none' })
    assert.equal((result.id as string).length, 1_000_000)
    assert.match(warnings[0]!.message, /\(record x{80}…\)$/)
  })
})

describe('a number with more digits than a double holds', () => {
  const warned = (json: string) => {
    const { result, warnings } = coerce(parseJson(`{"id":"1",${json}}`) as object)
    return [stringifyJson(Object.values(result)[1]), warnings.map(({ path, message }) => `${path} ${message}`)]
  }
  const rounded =
    "has more digits in the third-party system's answer than a number can have, so it is rounded (record 1)"

  it('is rounded with a warning where a number is declared', () => {
    assert.deepEqual(warned('"number":"123456789012345678.5"'), ['123456789012345680', [`/result/number ${rounded}`]])
    assert.deepEqual(warned('"number":123456789012345678.5'), ['123456789012345680', [`/result/number ${rounded}`]])
    assert.deepEqual(warned('"number":"1e-400"'), ['0', [`/result/number ${rounded}`]])
    assert.deepEqual(warned('"number":1e-400'), ['0', [`/result/number ${rounded}`]])
    assert.deepEqual(warned('"number":0.1234567890123456789')[0], '0.12345678901234568')
    assert.match(String(warned('"number":1e400')[1]), /is not a number/)
    assert.match(String(warned('"whole":123456789012345678.5')[1]), /is not a whole number/)
    const { warnings } = coerce(
      parseJson('{"id":"1","parts":[{"number":0.1234567890123456789},{"number":1e-400}]}') as object,
    )
    assert.deepEqual(
      warnings.map(({ path, message }) => `${path} ${message}`),
      [`/result/parts/0/number ${rounded.replace('record 1', 'record 1, and 1 more')}`],
    )
  })

  it('says nothing of one that is only written in another way', () => {
    for (const written of ['2.50', '"2.50"', '1.0', '1e3', '-0', '"0.30000000000000004"', '"1E-7"'])
      assert.deepEqual(warned(`"number":${written}`)[1], [], written)
    assert.deepEqual(warned('"whole":1.0'), ['1', []])
    assert.deepEqual(warned('"whole":1e3'), ['1000', []])
    assert.deepEqual(warned('"truth":1.0'), ['true', []])
  })

  it('keeps its digits where text is declared, or nothing', () => {
    assert.deepEqual(warned('"text":2.50'), ['"2.50"', []])
    assert.deepEqual(warned('"other":0.1234567890123456789'), ['0.1234567890123456789', []])
    assert.deepEqual(warned('"object":{"a":[2.50,1e400,-0,1.0]}'), ['{"a":[2.50,1e400,-0,1.0]}', []])
    assert.match(String(warned('"object":2.50')[1]), /is not an object/)
  })
})
