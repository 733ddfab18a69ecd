import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { beforeEach, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { FairSlots } from './fair-slots.ts'

let begun: string[]
let ends: (() => void)[]
const run = (slots: FairSlots, item: string, signal?: AbortSignal) =>
  slots.run(
    item[0]!,
    () => {
      begun.push(item)
      return new Promise<void>((end) => ends.push(end))
    },
    signal,
  )
async function endAll(): Promise<void> {
  for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
    end()
    await turn()
  }
}
beforeEach(() => {
  begun = []
  ends = []
})

it('begins one piece of work of each giver in each round', async () => {
  const slots = new FairSlots(1)
  const done = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((item) => run(slots, item))
  await turn()
  assert.deepEqual(begun, ['a1'])
  done.push(run(slots, 'd1'))
  await endAll()
  await Promise.all(done)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'd1', 'a3', 'b2'])
})

it('runs as many as it has slots, and the next one also after one that fails', async () => {
  const slots = new FairSlots(2)
  const failing = slots.run('a', async () => {
    begun.push('failing')
    throw new Error('no good')
  })
  const others = ['a1', 'a2', 'a3'].map((item) => run(slots, item))
  await assert.rejects(failing, /no good/)
  await turn()
  assert.deepEqual(begun, ['failing', 'a1', 'a2'])
  await endAll()
  await Promise.all(others)
})

it('gives up at the signal what waits, and nothing else', async () => {
  const slots = new FairSlots(1)
  const leaving = new AbortController()
  const running = run(slots, 'a1', leaving.signal)
  const waiting = ['a2', 'b1'].map((item) => run(slots, item, leaving.signal))
  const staying = ['a3', 'b2'].map((item) => run(slots, item))
  leaving.abort(new Error('hung up'))
  for (const one of waiting) await assert.rejects(one, /hung up/)
  await endAll()
  await Promise.all([running, ...staying])
  assert.deepEqual(begun, ['a1', 'a3', 'b2'])
  await assert.rejects(run(slots, 'c1', leaving.signal), /hung up/)
  assert.deepEqual(getEventListeners(leaving.signal, 'abort'), [])
})
