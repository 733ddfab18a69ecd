import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { ExactNumber, fitsDouble, parseJson, stringifyJson } from './json.ts'

describe('parsing JSON', () => {
  it('gives what plain parsing gives, where that loses nothing', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const plain: unknown = JSON.parse(text)
        const lossless = JSON.stringify(plain) === text && !/\d{16}/.test(text) && !/\\u[dD]/.test(text)
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

  it('keeps every digit of any other number, which counts as the nearest that the language has', () => {
    const digits = fc.stringMatching(/^\d{1,25}$/)
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.bigInt({ min: 0n }),
        fc.option(digits),
        fc.constantFrom('', 'e3', 'E-400', 'e+400'),
      )
      .map(([sign, whole, fraction, power]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power}`)
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), fc.constantFrom(',', ' , ', ',\n'), (numbers, between) => {
        const parsed = parseJson(`{"1.0":[${numbers.join(between)}],"0.10 ":"2.50"}`) as { '1.0': unknown[] }
        assert.deepEqual(parsed['1.0'].map(String), numbers)
        for (const [place, read] of parsed['1.0'].entries())
          if (typeof read !== 'bigint') assert.equal(Number(read), Number(numbers[place]))
        assert.equal(stringifyJson(parsed), `{"1.0":[${numbers.join()}],"0.10 ":"2.50"}`)
      }),
    )
    for (const text of ['2.50', '0.1234567890123456789', '1e400', '-0', '1.0', '-0.0', '1E5', '1e21']) {
      const read = parseJson(text)
      assert.ok(read instanceof ExactNumber, text)
      assert.deepEqual(
        [String(read), stringifyJson(read), JSON.stringify([read]), inspect(read)],
        [text, text, `[${text}]`, text],
      )
      assert.equal((read as unknown as number) + 0, Number(text) + 0)
    }
    for (const text of ['0', '-1', '2.5', '-0.1', '0.30000000000000004', '1e+21', '1e-7', '9007199254740991'])
      assert.equal(typeof parseJson(text), 'number', text)
  })

  it('gives doubles where those are wanted, and refuses what none can be', () => {
    assert.deepEqual(parseJson('[2.50,1e3,-0,0.1234567890123456789,9007199254740993]', 'as doubles'), [
      2.5,
      1000,
      -0,
      0.12345678901234568,
      9007199254740993n,
    ])
    assert.throws(() => parseJson('[1e400]', 'as doubles'), /too large/)
  })

  it('keeps a whole number with more digits than anybody counts', () => {
    const [longest, longer] = ['9'.repeat(1000), '9'.repeat(1001)]
    const [counted, kept] = parseJson(`[-${longest},-${longer}]`) as unknown[]
    assert.equal(counted, -BigInt(longest))
    assert.equal(String(kept), `-${longer}`)
  })

  it('finds numbers beside texts that look like numbers or end in backslashes', () => {
    const text = String.raw`{"a\\":1.0,"b\\\"":"2.0,","c":"\\\\","d":[3.0],"__proto__":4.0,"e":"[5.0]"}`
    assert.equal(stringifyJson(parseJson(text)), text)
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

describe('a number as it was written', () => {
  it('fits a double where that says the same number, however it is written', () => {
    for (const text of [
      '0',
      '-0',
      '0.0',
      '2.50',
      '1e3',
      '0.1',
      '0.30000000000000004',
      '1E-7',
      '+7',
      '100000000000000000000',
    ])
      assert.ok(fitsDouble(text), text)
    for (const text of [
      '0.1234567890123456789',
      '123456789012345678.5',
      '1e400',
      '1e-400',
      '9007199254740993',
      '0.10000000000000001',
    ])
      assert.ok(!fitsDouble(text), text)
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => fitsDouble(String(number))))
  })
})
