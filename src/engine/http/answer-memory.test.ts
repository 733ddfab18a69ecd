import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createAnswerMemory, weightOf } from './answer-memory.ts'

const patient = new AbortController().signal

describe('the memory for answers', () => {
  it('makes those that do not fit wait, in order, until others have gone', async () => {
    const memory = createAnswerMemory(100)
    const [first, second, third] = [memory(), memory(), memory()]
    await first.take(60, patient)
    const order: string[] = []
    const waiting = [
      second.take(80, patient).then(() => order.push('second')),
      third.take(10, patient).then(() => order.push('third')),
    ]
    await setImmediate()
    assert.deepEqual(order, [])
    first.shrink(20)
    await setImmediate()
    assert.deepEqual(order, ['second'])
    second.free()
    await Promise.all(waiting)
    assert.deepEqual(order, ['second', 'third'])
  })

  it('keeps no room for one who has gone', async () => {
    const memory = createAnswerMemory(100)
    const [first, second, third] = [memory(), memory(), memory()]
    await first.take(60, patient)
    const gone = new AbortController()
    const waiting = second.take(80, gone.signal)
    const next = third.take(40, patient)
    gone.abort(new Error('gone'))
    await assert.rejects(waiting, { message: 'gone' })
    await next
  })

  it('lets a call that holds something go on, as far as there is any room, so that no two wait for each other', async () => {
    const memory = createAnswerMemory(100)
    const [first, second] = [memory(), memory()]
    await first.take(50, patient)
    await second.take(50, patient)
    await first.take(50, patient)
    await assert.rejects(second.take(51, patient), { code: 'upstream_invalid_response' })
    await second.take(50, patient)
    const third = memory()
    const waiting = third.take(100, patient)
    await setImmediate()
    first.free()
    second.free()
    await waiting
  })

  it('refuses what never fits, and more bytes on their way than it has room for', async () => {
    const memory = createAnswerMemory(100)
    const share = memory()
    await assert.rejects(share.take(101, patient), { code: 'upstream_invalid_response' })
    const other = memory()
    other.receive(70)
    assert.throws(() => share.receive(31), { code: 'rate_limited' })
    other.unpacked()
    share.receive(31)
  })

  it('weighs a text by what it may become', async () => {
    const weigh = (text: string) => weightOf(Buffer.from(text))
    const length = 60_000
    assert.ok((await weigh(`[${Array(length / 3).fill('{}')}]`)) > length * 30)
    assert.ok((await weigh(`["${'x'.repeat(length)}"]`)) < length * 3)
  })
})
