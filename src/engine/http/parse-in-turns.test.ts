import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseJson, TooDeep } from '../../json.ts'
import { parseInTurns } from './parse-in-turns.ts'

/** What a parser makes of a text: the value, or that it is none. */
async function outcome(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() }
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error))
    return 'not JSON'
  }
}

/** Cut as small as it gets, in middling pieces, and not at all. */
async function agrees(text: string): Promise<void> {
  const expected = await outcome(() => parseJson(text))
  for (const piece of [1, 7, 40, 1_000_000])
    assert.deepEqual(
      await outcome(() => parseInTurns(text, undefined, piece)),
      expected,
      `${text} in pieces of ${piece}`,
    )
}

const spaced = fc.tuple(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t', '\r\n'))

describe('JSON that is parsed in turns', () => {
  it('is what it is when parsed at once, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(spaced, ([text, space]) => agrees(JSON.stringify(JSON.parse(text), null, space))),
      { numRuns: 500 },
    )
  })

  it('is refused where it is refused at once, whatever was done to it', async () => {
    const letters = fc.constantFrom(...'[]{},:"\\ 0a\n', '')
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.nat(), fc.nat(3), letters, async (text, place, length, letter) => {
        const from = place % (text.length + 1)
        await agrees(text.slice(0, from) + letter + text.slice(from + length))
      }),
      { numRuns: 2000 },
    )
    for (const text of ['', ' ', '[', ']', '[1,]', '[,1]', '[1,,2]', '{"a":1,}', '{,}', '{"a"}', '[1]2', '[1][2]'])
      await agrees(text)
    for (const text of [
      '{"a" [1,2]}',
      '{"a":[1] "b":2}',
      '[[1] 2]',
      '[1 [2,3]]',
      '{"a":[1,2}]',
      '1,2',
      '{"a":"b":[1]}',
    ])
      await agrees(text)
  })

  it('keeps every digit, lets the last of repeated keys count, and takes __proto__ for data', async () => {
    await agrees('{"id":9007199254740993,"more":[[9007199254740993,1e400,"\\ud800"],{"\\udfff":[1,2,3]}]}')
    await agrees('{"a":[1,2,3],"b":1,"a":{"c":[1,2]},"b":[2]}')
    await agrees('{"__proto__":{"a":[1,2,3]},"x":{"__proto__":[1,2,3],"constructor":1}}')
    const read = (await parseInTurns('{"__proto__":{"admin":[1,2]},"x":[1]}', undefined, 1)) as object
    assert.equal(Object.getPrototypeOf(read), Object.prototype)
    assert.ok(!('admin' in read))
  })

  it('is refused when it nests more deeply than could be written again, short or long', async () => {
    const nested = (levels: number, more = ''): string => '['.repeat(levels) + more + ']'.repeat(levels)
    for (const more of ['', '12345678901234567890', `"${'x'.repeat(300_000)}"`]) {
      assert.ok(await parseInTurns(nested(1000, more)))
      for (const levels of [1001, 8000, 100_000]) await assert.rejects(parseInTurns(nested(levels, more)), TooDeep)
    }
  })

  it('lets other work go on', async () => {
    const text = JSON.stringify(
      Array.from({ length: 100_000 }, (_, index) => ({ id: String(index), name: 'x'.repeat(80) })),
    )
    let turns = 0
    let parsing = true
    const other = (): void => {
      turns++
      if (parsing) setImmediate(other)
    }
    setImmediate(other)
    const records = (await parseInTurns(text)) as unknown[]
    parsing = false
    assert.equal(records.length, 100_000)
    assert.ok(turns > 3, `others had ${turns} turns`)
  })
})
