import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from './clock.ts'
import { createTokens } from './tokens.ts'

const tokens = createTokens<{ readonly of: string }>(createClock(), (kind, number) => `${kind} ${number}`)

test('a revoked refresh token ends the access tokens of its grant, and no others', () => {
  const first = tokens.issue({ of: 'one' }, 60)
  const renewed = tokens.refresh(first.refreshToken ?? '', 60, true)
  const other = tokens.issue({ of: 'one' }, 60)
  tokens.revoke(renewed?.refreshToken ?? '')
  assert.equal(tokens.find(first.accessToken), 'revoked')
  assert.equal(tokens.find(renewed?.accessToken ?? ''), 'revoked')
  assert.equal(tokens.refresh(renewed?.refreshToken ?? '', 60, false), undefined)
  assert.notEqual(tokens.find(other.accessToken), 'revoked')
})
