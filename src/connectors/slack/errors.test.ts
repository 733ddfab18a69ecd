import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRefusal } from './errors.ts'

const read = (body: unknown, status = 200) =>
  readRefusal({ status, headers: {}, body } as Parameters<typeof readRefusal>[0])

it('an answer that is ok is no refusal, whatever it warns of', () => {
  assert.equal(read({ ok: true, warning: 'already_in_channel', error: 'ignored' }), null)
})

for (const [error, code, transient] of [
  ['invalid_auth', 'reauthorization_required'],
  ['not_authed', 'reauthorization_required'],
  ['token_revoked', 'reauthorization_required'],
  ['token_expired', 'reauthorization_required'],
  ['account_inactive', 'reauthorization_required'],
  ['missing_scope', 'upstream_forbidden'],
  ['not_allowed_token_type', 'upstream_forbidden'],
  ['plan_upgrade_required', 'upstream_plan_required'],
  ['channel_not_found', 'record_not_found'],
  ['invalid_cursor', 'invalid_cursor'],
  ['invalid_arguments', 'upstream_refused'],
  ['something_new', 'upstream_refused'],
  ['fatal_error', 'upstream_error', true],
  // A workspace on its way into an organization answers like this for hours.
  ['team_added_to_org', 'upstream_error'],
  ['org_login_required', 'upstream_error'],
  ['ratelimited', 'upstream_rate_limited', true],
] as const)
  it(`${error} under status 200 is ${code}`, () => {
    const refusal = read({ ok: false, error })!
    assert.deepEqual([refusal.code, refusal.upstreamCode, refusal.transient], [code, error, transient])
  })

it('a missing scope is named', () => {
  const body = { ok: false, error: 'missing_scope', needed: 'channels:history', provided: 'users:read' }
  assert.equal(read(body)!.message, 'missing_scope (needed: channels:history)')
})

it('an answer that is not ok without a word why is an error', () => {
  assert.equal(read({ ok: false })!.code, 'upstream_error')
})

it('limits and failures go by their status, whatever the body is', () => {
  for (const body of [undefined, null, 'x', { ok: false, error: 'ratelimited' }, { ok: true }]) {
    assert.deepEqual(read(body, 429), { code: 'upstream_rate_limited', transient: true })
    assert.deepEqual(read(body, 503), { code: 'upstream_error', transient: true })
  }
})
