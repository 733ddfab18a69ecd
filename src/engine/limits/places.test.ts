import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Places } from './places.ts'

const { signal } = new AbortController()

it('lets so many in, then the first caller who waits, and syncs when no caller does', async () => {
  const places = new Places(2)
  const leave = [await places.enter(true, signal), await places.enter(false, signal)]
  const order: string[] = []
  const enter = async (name: string, background: boolean): Promise<void> => {
    const out = await places.enter(background, signal)
    order.push(name)
    await null
    out()
  }
  const all = [enter('sync', true), enter('first', false), enter('second', false)]
  await null
  assert.deepEqual(order, [])
  leave[0]!()
  await Promise.all(all)
  assert.deepEqual(order, ['first', 'second', 'sync'])
})

it('forgets those who have gone', async () => {
  const places = new Places(1)
  const leave = await places.enter(false, signal)
  const gone = new AbortController()
  const waits = places.enter(false, gone.signal)
  gone.abort(new Error('gone'))
  await assert.rejects(waits, /gone/)
  await assert.rejects(places.enter(false, gone.signal), /gone/)
  leave()
  await places.enter(false, signal)
})
