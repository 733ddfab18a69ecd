import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { beforeEach, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Semaphore } from './semaphore.ts'

const { signal } = new AbortController()

it('lets so many in, then the first caller who waits, and syncs when no caller does', async () => {
  const places = new Semaphore(2)
  await Promise.all([places.take(1, signal, true), places.take(1, signal)])
  const order: string[] = []
  const enter = async (name: string, background: boolean): Promise<void> => {
    await places.take(1, signal, background)
    order.push(name)
    await null
    places.give(1)
  }
  const all = [enter('sync', true), enter('first', false), enter('second', false)]
  await null
  assert.deepEqual(order, [])
  places.give(1)
  await Promise.all(all)
  assert.deepEqual(order, ['first', 'second', 'sync'])
})

it('lets nobody who wants little pass one who wants much', async () => {
  const places = new Semaphore(3)
  await places.take(2, signal)
  const order: string[] = []
  const all = [3, 1].map((units) => places.take(units, signal).then(() => order.push(String(units))))
  await null
  assert.deepEqual(order, [])
  places.give(2)
  places.give(3)
  await Promise.all(all)
  assert.deepEqual(order, ['3', '1'])
})

it('forgets those who have gone, and lets those behind them in', async () => {
  const places = new Semaphore(2)
  await places.take(1, signal)
  const gone = new AbortController()
  const waits = places.take(2, gone.signal)
  const behind = places.take(1, signal)
  gone.abort(new Error('gone'))
  await assert.rejects(waits, /gone/)
  await behind
  await assert.rejects(places.take(1, gone.signal), /gone/)
  places.give(1)
  await places.take(1, signal)
  assert.equal(places.free, 0)
})

describe('work of several givers', () => {
  let begun: string[]
  let ends: (() => void)[]
  const run = (slots: Semaphore, item: string, signal?: AbortSignal) =>
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
    const slots = new Semaphore(1)
    const done = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((item) => run(slots, item))
    await turn()
    assert.deepEqual(begun, ['a1'])
    done.push(run(slots, 'd1'))
    await endAll()
    await Promise.all(done)
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'd1', 'a3', 'b2'])
  })

  it('runs as many as it has slots, and the next one also after one that fails', async () => {
    const slots = new Semaphore(2)
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
    const slots = new Semaphore(1)
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
})
