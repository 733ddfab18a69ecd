import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOrigin, type OwnOrigins } from './own-origin.ts'

const local: OwnOrigins = { publicUrl: 'http://127.0.0.1:8080', allowed: [], host: '127.0.0.1' }
const everywhere: OwnOrigins = { publicUrl: 'https://conex.example', allowed: ['https://app.example'], host: '0.0.0.0' }
const refused = { code: 'forbidden' }

describe('a server on a loopback address', () => {
  it('answers to its own names, whatever the port', () => {
    for (const host of ['127.0.0.1:8080', 'localhost', 'localhost:3000', '[::1]:8080', '127.0.0.2'])
      checkOrigin({ host }, local)
    checkOrigin({ host: 'conex.example' }, { ...local, publicUrl: 'https://conex.example' })
  })

  it('does not answer to a name that points there', () => {
    for (const host of ['evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', '', 'a b'])
      assert.throws(() => checkOrigin({ host }, local), refused, host)
  })

  it('answers local pages alone', () => {
    const host = 'localhost:8080'
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080']) checkOrigin({ host, origin }, local)
    for (const origin of ['https://evil.example', 'null', '', 'http://localhost.evil.example'])
      assert.throws(() => checkOrigin({ host, origin }, local), refused, origin)
  })
})

describe('a server on all addresses', () => {
  it('answers programs, its own pages and those that its operator allows', () => {
    const host = 'conex.internal:8080'
    checkOrigin({ host }, everywhere)
    for (const origin of ['https://conex.example', 'https://app.example']) checkOrigin({ host, origin }, everywhere)
    for (const origin of ['http://localhost:5173', 'http://conex.example', 'https://app.example:444', 'null'])
      assert.throws(() => checkOrigin({ host, origin }, everywhere), refused, origin)
  })
})
