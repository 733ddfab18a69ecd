import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FairQueue } from './fair-queue.ts'

const taken = (queue: FairQueue<string>): string[] => {
  const items: string[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

it('takes one item of each giver in each round', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0]!, item)
  assert.equal(queue.take(), 'a1')
  queue.add('d', 'd1')
  assert.deepEqual(taken(queue), ['b1', 'c1', 'a2', 'd1', 'b2', 'a3'])
  assert.ok(queue.isEmpty)
})

it('removes what waits, and tells what does not', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'b1']) queue.add(item[0]!, item)
  assert.ok(queue.remove('a', 'a2'))
  assert.ok(queue.remove('b', 'b1'))
  assert.equal(queue.remove('b', 'b1'), false)
  assert.equal(queue.remove('c', 'a1'), false)
  assert.deepEqual(taken(queue), ['a1'])
})
