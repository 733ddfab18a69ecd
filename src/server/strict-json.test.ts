import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ConexError } from '../errors.ts'
import { parseJson } from '../json.ts'
import { deepestNesting, readStrictJson } from './strict-json.ts'

const read = (text: string): unknown => readStrictJson(Buffer.from(text))

/** The sentence with which a text is refused, or null when it is read. */
function refusal(text: string | Uint8Array): string | null {
  try {
    readStrictJson(typeof text === 'string' ? Buffer.from(text) : text)
    return null
  } catch (error) {
    assert.ok(error instanceof ConexError, String(error))
    assert.equal(error.code, 'invalid_json')
    return error.message
  }
}

describe('strict JSON', () => {
  it('reads what ordinary JSON says', () => {
    assert.deepEqual(read(' {"a": [1, -2.5e3, "x\\u00e9\\n", true, false, null, {}, []], "": {"a": 1}} '), {
      a: [1, -2500, 'x\u00e9\n', true, false, null, {}, []],
      '': { a: 1 },
    })
  })

  it('keeps the digits of large integers', () => {
    assert.deepEqual(read('{"id": 9007199254740993}'), { id: 9007199254740993n })
  })

  it('refuses a number of more than a thousand digits, which would take its time to read', () => {
    assert.equal(refusal(`{"size":${'9'.repeat(1000)}}`), null)
    assert.equal(refusal(`{"sizes":[1,-${'9'.repeat(1001)}]}`), '"/sizes/1" is a number of more than 1000 digits.')
    assert.equal(refusal(`{"size":0.${'9'.repeat(1001)}}`), '"/size" is a number of more than 1000 digits.')
  })

  it('refuses a key that is given twice, at any depth and however it is written', () => {
    assert.equal(refusal('{"entity":1,"entity":2}'), '"/entity" is given twice.')
    assert.equal(refusal('{"entity":1,"ent\\u0069ty":2}'), '"/entity" is given twice.')
    assert.equal(refusal('{"a":[{"x":1},{"b":{"eq":1,"eq":1}}]}'), '"/a/1/b/eq" is given twice.')
    assert.equal(refusal('{"\\ud800":1,"\\udbff":2}'), '"/\ufffd" is given twice.')
    assert.equal(refusal('{"":1,"":2}'), '"/" is given twice.')
  })

  it('lets the same key stand in different objects', () => {
    assert.equal(refusal('{"a":{"a":{"a":[{"a":1},{"a":2}]}}}'), null)
  })

  it('refuses __proto__ as a key, and lets it be a text', () => {
    assert.equal(refusal('{"__proto__":{}}'), '"/__proto__" is a key that is not allowed.')
    assert.equal(
      refusal('{"params":{"f":[{"\\u005f_proto__":1}]}}'),
      '"/params/f/0/__proto__" is a key that is not allowed.',
    )
    assert.equal(refusal('{"a":"__proto__","constructor":{"prototype":1}}'), null)
  })

  it('reads down to the deepest nesting and no further', () => {
    const nested = (depth: number, left = '[', right = ']') => left.repeat(depth) + right.repeat(depth)
    assert.equal(refusal(nested(deepestNesting)), null)
    assert.match(refusal(nested(deepestNesting + 1))!, /nested deeper than 200 levels/)
    assert.match(refusal('{"a":'.repeat(deepestNesting + 1))!, /nested deeper than 200 levels/)
    assert.match(refusal('['.repeat(1024 * 1024))!, /nested deeper than 200 levels/)
    assert.match(refusal('{"a":['.repeat(170_000))!, /nested deeper than 200 levels/)
  })

  it('says where a text stops being JSON, without repeating it', () => {
    assert.equal(refusal('{"a":1,\n "b": secret}'), 'The body is not valid JSON at line 2, column 7.')
    assert.equal(refusal('{"a":1'), 'The body ends too early, at line 1, column 7.')
    assert.equal(refusal('{"a":"x\ny"}'), 'The body contains a text that is not valid JSON, at line 1, column 6.')
  })

  it('refuses bytes that are not UTF-8', () => {
    assert.match(refusal(Buffer.from([0x22, 0xff, 0xfe, 0x22]))!, /not valid UTF-8/)
    assert.match(refusal(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))!, /not valid UTF-8/)
  })

  it('accepts exactly the texts that JSON.parse accepts, as long as no key is dangerous', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '"\\u0061c"',
      '"\\x"',
      '"',
      '1',
      '-0',
      '01',
      '1.',
      '1e5',
      '-',
      'true',
      'nul',
      'null',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\\',
      'é',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const told = refusal(text)
        if (told !== null && /given twice|not allowed|too large/.test(told)) return
        assert.equal(told === null, accepted(text), text)
      }),
      { numRuns: 5000 },
    )
  })

  it('accepts all that JSON.stringify writes, and reads it the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        if (text.includes('"__proto__"')) return
        assert.deepEqual(read(text), parseJson(text, 'as doubles'))
      }),
    )
  })

  it('reads a long text of as many values as are taken, and refuses one more', () => {
    const most = (more: number): string =>
      `[${Array(32_768 + more)
        .fill('"0123456789abcdef"')
        .join()}]`
    assert.deepEqual(read(most(0)), parseJson(most(0)))
    assert.throws(() => read(most(1)), { code: 'payload_too_large' })
  })

  it('finds a repeated key wherever it is put', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
        fc.nat(),
        fc.nat(8),
        (object, pick, depth) => {
          const members = Object.entries(object).map(([key, value]) => [
            escapedAtRandom(key, pick),
            JSON.stringify(value),
          ])
          const repeated = members[pick % members.length]!
          const inner = `{${[...members, [JSON.stringify(JSON.parse(repeated[0]!)), '0']].map((pair) => pair.join(':')).join()}}`
          const told = refusal('[{"k":'.repeat(depth) + inner + '}]'.repeat(depth))
          assert.match(told!, /given twice|not allowed/)
        },
      ),
    )
  })
})

function accepted(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The key as a JSON text in which some characters are escaped. */
function escapedAtRandom(key: string, seed: number): string {
  const written = [...key].map((char, index) =>
    char.length === 1 && (seed >> (index % 16)) & 1
      ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(char).slice(1, -1),
  )
  return `"${written.join('')}"`
}
