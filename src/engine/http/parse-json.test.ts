import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber, parseJson, TooDeep } from '../../json.ts'
import { parseBytes } from './parse-json.ts'

/** What a parser makes of a text: the value, or why it is none. */
async function outcome(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() }
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error))
    return error instanceof TooDeep ? 'too deep' : 'not JSON'
  }
}

const heavy = Number.POSITIVE_INFINITY

/** Here and in the thread. */
async function agrees(text: string): Promise<void> {
  const expected = await outcome(() => parseJson(text))
  for (const weight of [0, heavy])
    assert.deepEqual(await outcome(() => parseBytes(Buffer.from(text), weight)), expected, text.slice(0, 500))
}

const many = (text: string, times: number): string => Array<string>(times).fill(text).join()

describe('JSON that is parsed in a thread', () => {
  it('is what it is when parsed here', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), (text) => agrees(text)),
      { numRuns: 200 },
    )
  })

  it('is the same when it comes in pieces, whatever container is too large for one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 3 }), fc.json(), async (some, other) => {
        const long = `[${many(some, 9_000)}]`
        const fields = Array.from({ length: 3_000 }, (_, at) => `"${at}":[${many('1.50', at % 7)}]`)
        await agrees(`[${other},${long},{"a":${other},"b":{"c":${long},"d":${other}},"e":{${fields}}},${long}]`)
      }),
      { numRuns: 10 },
    )
  })

  it('is refused where it is refused here, whatever was done to it', async () => {
    const letters = fc.constantFrom(...'[]{},:"\\ 0a\n', '')
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.nat(), fc.nat(3), letters, async (text, place, length, letter) => {
        const from = place % (text.length + 1)
        await agrees(text.slice(0, from) + letter + text.slice(from + length))
      }),
      { numRuns: 500 },
    )
    for (const text of ['', ' ', '[', ']', '[1,]', '{"a":1,}', '[1]2', '{"a":[1,2}]', '1,2']) await agrees(text)
  })

  it('keeps every digit, lets the last of repeated keys count, and takes __proto__ for data', async () => {
    await agrees('{"id":9007199254740993,"more":[[9007199254740993,1e400,"\\ud800"],{"\\udfff":[1,2,3]}]}')
    await agrees('{"a":[1,2,3],"b":1,"a":{"c":[1,2]},"b":[2]}')
    await agrees(`{"__proto__":{"a":[${many('-0', 9_000)}]},"x":{"__proto__":[1,2.50,3],"constructor":1}}`)
    const json = Buffer.from(`{"__proto__":{"admin":[${many('1.10', 9_000)}]},"x":[2.50]}`)
    const read = (await parseBytes(json, heavy)) as { x: ExactNumber[] }
    assert.equal(Object.getPrototypeOf(read), Object.prototype)
    assert.ok(!('admin' in read))
    assert.ok(read.x[0] instanceof ExactNumber)
    assert.equal(String(read.x[0]), '2.50')
  })

  it('is refused when it nests more deeply than could be written again, short or long', async () => {
    const nested = (levels: number, more: string) => Buffer.from('['.repeat(levels) + more + ']'.repeat(levels))
    for (const more of ['', '12345678901234567890', many('1', 9_000)]) {
      assert.ok(await parseBytes(nested(1000, more), heavy))
      for (const levels of [1001, 8000, 100_000]) await assert.rejects(parseBytes(nested(levels, more), heavy), TooDeep)
    }
  })

  it('lets other work go on, and is chosen by what the text weighs', async () => {
    const text = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ id: String(index), name: 'a name' })))
    let turns = 0
    let parsing = true
    const other = (): void => {
      turns++
      if (parsing) setImmediate(other)
    }
    setImmediate(other)
    const records = (await parseBytes(Buffer.from(text))) as unknown[]
    parsing = false
    assert.equal(records.length, 50_000)
    assert.ok(turns > 3, `others had ${turns} turns`)
  })

  it('ends with the call that wanted it, and leaves the thread to the next', async () => {
    const gone = new AbortController()
    const json = Buffer.from(`[${many('[]', 50_000)}]`)
    const [first, second, third] = [gone.signal, gone.signal, undefined].map((signal) =>
      parseBytes(json, heavy, signal),
    )
    gone.abort(new Error('gone'))
    await assert.rejects(first!, /gone/)
    await assert.rejects(second!, /gone/)
    assert.equal(((await third) as unknown[]).length, 50_000)
  })
})
