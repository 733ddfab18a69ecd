import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { type Caller, createTokens } from './tokens.ts'

const key = (id: string) => ({ id, secret: new Uint8Array(randomBytes(32)) })
const wide: Caller = { clientId: 'client', organizationId: 'org', externalUserId: null, rawRequests: false }
const start = Date.parse('2026-01-01T00:00:00Z')
const unauthenticated = { code: 'unauthenticated' }

describe('tokens', () => {
  it('say who is calling', async () => {
    const tokens = createTokens([key('a')], () => start)
    for (const caller of [wide, { ...wide, externalUserId: 'Zoë' }, { ...wide, rawRequests: true }]) {
      const { token } = await tokens.issue(caller)
      assert.deepEqual(await tokens.verify(token), caller)
      assert.deepEqual(await tokens.verify(token), caller)
    }
  })

  it('last 15 minutes for an organization and 20 for an end user, seen before or not', async () => {
    const own = key('a')
    let now = start
    const tokens = createTokens([own], () => now)
    for (const [caller, minutes] of [
      [wide, 15],
      [{ ...wide, externalUserId: 'ann' }, 20],
    ] as const) {
      now = start
      const { token, expiresIn } = await tokens.issue(caller)
      assert.equal(expiresIn, minutes * 60)
      now = start + minutes * 60_000 - 1000
      await tokens.verify(token)
      now = start + minutes * 60_000
      await assert.rejects(() => tokens.verify(token), unauthenticated)
      await assert.rejects(() => createTokens([own], () => now).verify(token), unauthenticated)
    }
  })

  it('are refused when a clock that was ahead has made them, and would be good for too long', async () => {
    const own = key('a')
    const { token } = await createTokens([own], () => start + 3_600_000).issue(wide)
    await assert.rejects(() => createTokens([own], () => start).verify(token), unauthenticated)
    await createTokens([own], () => start + 3_598_000).verify(token)
  })

  it('are verified by every listed key and signed by the first', async () => {
    const [old, fresh] = [key('old'), key('new')]
    const { token: before } = await createTokens([old], () => start).issue(wide)
    const both = createTokens([fresh, old], () => start)
    assert.deepEqual(await both.verify(before), wide)
    const { token: now } = await both.issue(wide)
    assert.deepEqual(await createTokens([fresh], () => start).verify(now), wide)
    await assert.rejects(() => createTokens([fresh], () => start).verify(before), unauthenticated)
  })

  it('are refused with another key under the same name', async () => {
    const { token } = await createTokens([key('a')], () => start).issue(wide)
    await assert.rejects(() => createTokens([key('a')], () => start).verify(token), unauthenticated)
  })

  it('are refused when any part was changed', async () => {
    const tokens = createTokens([key('a')], () => start)
    const { token } = await tokens.issue({ ...wide, externalUserId: 'ann' })
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = (change: object) => Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')
    for (const broken of [
      `${header}.${forged({ user: 'bob' })}.${signature}`,
      `${header}.${forged({ user: undefined })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      '',
      'x',
      '..',
      token.repeat(2),
    ])
      await assert.rejects(() => tokens.verify(broken), unauthenticated, broken)
  })

  it('are refused without a signature, under another algorithm, and for another issuer or audience', async () => {
    const own = key('a')
    const tokens = createTokens([own], () => start)
    const sign = (algorithm: string, changes: { issuer?: string; audience?: string; user?: unknown; org?: unknown }) =>
      new SignJWT({ org: 'org' in changes ? changes.org : 'org', ...('user' in changes && { user: changes.user }) })
        .setProtectedHeader({ alg: algorithm, kid: own.id })
        .setIssuer(changes.issuer ?? 'conex')
        .setAudience(changes.audience ?? 'conex')
        .setSubject('client')
        .setExpirationTime(start / 1000 + 60)
        .sign(own.secret)
    assert.deepEqual(await tokens.verify(await sign('HS256', {})), wide)
    await assert.rejects(async () => tokens.verify(await sign('HS256', { issuer: 'other' })), unauthenticated)
    await assert.rejects(async () => tokens.verify(await sign('HS256', { audience: 'other' })), unauthenticated)
    // A claim of the wrong type must never widen what a token sees.
    for (const user of ['', 7, null, {}, ['ann']])
      await assert.rejects(async () => tokens.verify(await sign('HS256', { user })), unauthenticated)
    for (const org of [undefined, 7, null])
      await assert.rejects(async () => tokens.verify(await sign('HS256', { org })), unauthenticated)

    const unsigned = new UnsecuredJWT({ org: 'org', sub: 'client' })
      .setIssuer('conex')
      .setAudience('conex')
      .setExpirationTime(start / 1000 + 60)
      .encode()
    await assert.rejects(() => tokens.verify(unsigned), unauthenticated)

    const head = Buffer.from(JSON.stringify({ alg: 'HS384', kid: own.id })).toString('base64url')
    const body = (await sign('HS256', {})).split('.')[1]
    const mac = createHmac('sha384', own.secret).update(`${head}.${body}`).digest('base64url')
    await assert.rejects(() => tokens.verify(`${head}.${body}.${mac}`), unauthenticated)
  })
})
