import assert from 'node:assert/strict'
import { it } from 'node:test'
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
