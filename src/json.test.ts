import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseJson, stringifyJson } from './json.ts'

describe('parsing JSON', () => {
  it('gives what plain parsing gives, where that loses nothing', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const plain: unknown = JSON.parse(text)
        const lossless = !/\d{16}/.test(text) && JSON.stringify(plain).isWellFormed() && !/\\u[dD]/.test(text)
        if (lossless) assert.deepEqual(parseJson(text), plain)
      }),
    )
  })

  it('keeps every digit of a whole number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (whole) => {
        const parsed = parseJson(`{"a":[${whole}]}`) as { a: unknown[] }
        assert.equal(String(parsed.a[0]), String(whole))
        assert.equal(typeof parsed.a[0], Number.isSafeInteger(Number(whole)) ? 'number' : 'bigint')
      }),
    )
    assert.deepEqual(parseJson('[9007199254740991,9007199254740992,9007199254740993]'), [
      9007199254740991,
      9007199254740992n,
      9007199254740993n,
    ])
  })

  it('keeps a number that no double can hold as its own text', () => {
    assert.deepEqual(parseJson('[1e400,-1E400,1e3,1.5e-3,0.1]'), ['1e400', '-1E400', 1000, 0.0015, 0.1])
  })

  it('keeps a whole number with more digits than anybody counts as its own text', () => {
    const [longest, longer] = ['9'.repeat(1000), '9'.repeat(1001)]
    assert.deepEqual(parseJson(`[-${longest},-${longer}]`), [-BigInt(longest), `-${longer}`])
  })

  it('replaces half surrogates in values and names, and leaves whole ones alone', () => {
    assert.deepEqual(parseJson('{"a\\ud800":"\\udc00b","c":"\\ud83c\\udf89","d":["\\uD83C"]}'), {
      'a\ufffd': '\ufffdb',
      c: '🎉',
      d: ['\ufffd'],
    })
    fc.assert(
      fc.property(fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText))), (value) => {
        const parsed = parseJson(JSON.stringify(value)) as Record<string, unknown>
        for (const [name, part] of Object.entries(parsed)) {
          assert.ok(name.isWellFormed())
          for (const text of [part].flat()) assert.ok((text as string).isWellFormed())
        }
      }),
    )
  })

  it('takes the last of repeated names, also when they become the same', () => {
    assert.deepEqual(parseJson('{"a":1,"a":2}'), { a: 2 })
    assert.deepEqual(parseJson('{"a":1,"a":9007199254740993}'), { a: 9007199254740993n })
    assert.deepEqual(parseJson('{"\\ud800":1,"\\udc00":2}'), { '\ufffd': 2 })
  })

  it('takes __proto__ as a plain name', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":9007199254740993},"\\ud800":1}']) {
      const parsed = parseJson(text) as object
      assert.equal(Object.getPrototypeOf(parsed), Object.prototype)
      assert.ok(Object.hasOwn(parsed, '__proto__'))
      assert.equal((parsed as { a?: unknown }).a, undefined)
    }
  })

  it('fails on what is no JSON', () => {
    for (const text of ['', '{', '[1,]', 'undefined', '{"a":1e}', '"\ud800', '1234567890123456789012,'])
      assert.throws(() => parseJson(text), SyntaxError)
  })
})

const anyText = fc
  .string({ unit: 'binary', maxLength: 6 })
  .map((text) => (text.length > 2 ? text.slice(1) : `${text}\ud800`))

describe('writing JSON', () => {
  it('gives back what was parsed, digit for digit', () => {
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt({ min: 2n ** 53n, max: 10n ** 30n }),
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(null, true, false),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    })).value
    fc.assert(
      fc.property(value, (given) => {
        const text = stringifyJson(given)
        assert.equal(stringifyJson(parseJson(text)), text)
      }),
    )
  })

  it('writes large whole numbers as numbers', () => {
    assert.equal(stringifyJson({ id: 7782342274025937895n, other: [1n] }), '{"id":7782342274025937895,"other":[1]}')
  })

  it('fails on what is no tree, with the reason', () => {
    const loop: { self?: unknown } = {}
    loop.self = loop
    assert.throws(() => stringifyJson(loop), /circular/i)
  })
})
