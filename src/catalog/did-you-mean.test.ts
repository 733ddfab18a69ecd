import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { didYouMean, nearest } from './did-you-mean.ts'

const known = ['workspace-id', 'manager_id', 'assignee', 'assignee.any', 'limit']

it('the word that was meant is found in another spelling', () => {
  assert.equal(nearest('workspaceId', known), 'workspace-id')
  assert.equal(nearest('manager-id', known), 'manager_id')
  assert.equal(nearest('asignee', known), 'assignee')
  assert.equal(nearest('assigneeAny', known), 'assignee.any')
  assert.equal(nearest('limti', known), 'limit')
})

it('nothing is guessed when nothing is near', () => {
  for (const name of ['', '***', 'x', 'zzzzzzzz', '__proto__', 'constructor']) assert.equal(nearest(name, known), null)
  assert.equal(didYouMean('zzzzzzzz', known), '')
  assert.equal(didYouMean('LIMIT', known), '; did you mean "limit"?')
  assert.equal(nearest('limit', []), null)
})

it('a known name is its own nearest, and a guess is always a known name', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }),
      (name, names) => {
        const guess = nearest(name, names)
        assert.ok(guess === null || names.includes(guess))
      },
    ),
  )
  for (const name of known) assert.equal(nearest(name, known), name)
})

it('a name without end costs no more than a long one', () => {
  assert.equal(nearest('limit'.repeat(1_000_000), known), null)
})
