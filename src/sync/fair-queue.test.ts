import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FairQueue, type Owner } from './fair-queue.ts'

interface Work extends Owner {
  readonly name: string
}

const work = (organizationId: string, externalUserId: string, name = ''): Work => ({
  organizationId,
  externalUserId,
  name,
})

function drained(queue: FairQueue<Work>): string[] {
  const order: string[] = []
  for (let next = queue.take([]); next !== undefined; next = queue.take([]))
    order.push(`${next.organizationId} ${next.externalUserId} ${next.name}`)
  return order
}

it('goes round between organizations, and there between end users', () => {
  const queue = new FairQueue<Work>()
  for (const name of ['1', '2', '3']) queue.add(work('a', 'ann', name))
  queue.add(work('a', 'bob', '4'))
  for (const name of ['5', '6']) queue.add(work('b', 'ann', name))
  assert.deepEqual(drained(queue), ['a ann 1', 'b ann 5', 'a bob 4', 'b ann 6', 'a ann 2', 'a ann 3'])
})

it('prefers those who have the least under way', () => {
  const queue = new FairQueue<Work>()
  for (const owner of ['a', 'b']) for (const user of ['ann', 'bob']) queue.add(work(owner, user))
  const running = [work('a', 'x'), work('b', 'ann'), work('b', 'x'), work('a', 'ann')]
  assert.deepEqual(queue.take([...running, work('b', 'x')]), work('a', 'bob'))
  assert.deepEqual(queue.take([...running, work('a', 'x')]), work('b', 'bob'))
})

it('forgets what is taken away', () => {
  const queue = new FairQueue<Work>()
  const [one, two] = [work('a', 'ann', '1'), work('a', 'ann', '2')]
  queue.add(one)
  queue.add(two)
  queue.remove(one)
  queue.remove(one)
  queue.remove(work('c', 'ann'))
  assert.deepEqual(drained(queue), ['a ann 2'])
  queue.remove(two)
  assert.deepEqual(drained(queue), [])
})
