import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseJson, stringifyJson } from '../json.ts'
import { writeAnswer } from './write-answer.ts'

const record = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.bigInt()))

describe('an answer', () => {
  it('is written as it would be at once', async () => {
    const result = fc.oneof(fc.array(record), record, fc.array(record, { minLength: 200, maxLength: 300 }))
    await fc.assert(
      fc.asyncProperty(result, record, async (result, connector_metadata) => {
        const answer = { result, connector_metadata }
        assert.equal(String(await writeAnswer(answer)), stringifyJson(answer))
      }),
    )
  })

  it('of any length is whole, and others have their turn while it is written', async () => {
    const result = Array.from({ length: 100_000 }, (_, index) => ({ id: BigInt(index), name: 'é'.repeat(100) }))
    let turns = 0
    let writing = true
    const other = (): void => {
      turns++
      if (writing) setImmediate(other)
    }
    setImmediate(other)
    const written = await writeAnswer({ result, connector_metadata: {} })
    writing = false
    const read = parseJson(String(written)) as { result: { id: number }[] }
    assert.equal(read.result.length, 100_000)
    assert.equal(read.result.at(-1)!.id, 99_999)
    assert.ok(turns > 3, `others had ${turns} turns`)
  })
})
