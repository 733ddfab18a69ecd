import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRefusal } from './errors.ts'

const read = (status: number, body?: unknown) =>
  readRefusal({ status, headers: {}, body } as Parameters<typeof readRefusal>[0])

it('a success is no refusal, also one in parts', () => {
  assert.equal(read(200, { status: 'error' }), null)
  assert.equal(read(207, { status: 'COMPLETE', errors: [{}] }), null)
})

for (const [status, code, transient] of [
  [400, 'upstream_refused'],
  [401, 'reauthorization_required'],
  [403, 'upstream_forbidden'],
  [404, 'record_not_found'],
  [414, 'upstream_refused'],
  [423, 'upstream_error', true],
  [429, 'upstream_rate_limited', true],
  [477, 'upstream_error'],
  [500, 'upstream_error', true],
  [504, 'upstream_error', true],
  [521, 'upstream_error', true],
  [530, 'reauthorization_required'],
] as const)
  it(`${status} is ${code}, with or without a body that says more`, () => {
    for (const body of [undefined, null, 'text', {}, { message: 7, category: null, errors: 'x' }]) {
      const refusal = read(status, body)!
      assert.deepEqual([refusal.code, refusal.transient ?? false], [code, transient ?? false])
    }
  })

it('the limit of a day is not waited for', () => {
  const refusal = read(429, { message: 'Daily limit', policyName: 'DAILY' })!
  assert.deepEqual([refusal.code, refusal.transient], ['upstream_rate_limited', false])
})

it('nor is it asked for again within the hour, where HubSpot does not say when', () => {
  const body = { message: 'Daily limit', policyName: 'DAILY' }
  assert.equal(read(429, body)!.retryAfter, 3600)
  assert.equal(read(429, { policyName: 'TEN_SECONDLY_ROLLING' })!.retryAfter, undefined)
})

it('missing scopes are named, in both spellings', () => {
  const body = {
    message: 'No.',
    category: 'MISSING_SCOPES',
    errors: [
      { context: { requiredGranularScopes: ['crm.objects.deals.read', 'tickets'] } },
      { context: { requiredScopes: ['contacts'] } },
      null,
    ],
  }
  const { message, upstreamCode } = read(403, body)!
  assert.equal(message, 'No. (needed: one of crm.objects.deals.read, tickets, contacts)')
  assert.equal(upstreamCode, 'MISSING_SCOPES')
})
