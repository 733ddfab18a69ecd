import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { loadKeys, parseKeys } from './keys.ts'

describe('the key file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conex-keys-'))
  after(() => rmSync(folder, { recursive: true }))
  const none = { encryption: null, token: null }

  it('is made once, for its owner alone, and read from then on', () => {
    const file = join(folder, 'made', 'keys.json')
    const keys = loadKeys(none, file)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(folder, 'made')), ['keys.json'])
    assert.deepEqual(loadKeys(none, file), keys)
    assert.notDeepEqual(keys.encryption, keys.token)
    assert.equal(keys.encryption[0]?.secret.length, 32)
    assert.notDeepEqual(loadKeys(none, join(folder, 'other', 'keys.json')), keys)
  })

  it('is not touched when all keys are given, and fills in for those that are not', () => {
    const file = join(folder, 'partly', 'keys.json')
    const given = parseKeys(`own:${Buffer.alloc(32, 1).toString('base64')}`)
    assert.deepEqual(loadKeys({ encryption: given, token: given }, file), { encryption: given, token: given })
    assert.throws(() => statSync(file))
    const mixed = loadKeys({ encryption: given, token: null }, file)
    assert.deepEqual(mixed.encryption, given)
    assert.equal(mixed.token[0]?.id, 'k1')
  })

  it('is refused when others can read it', () => {
    const file = join(folder, 'open', 'keys.json')
    loadKeys(none, file)
    for (const mode of [0o640, 0o604]) {
      chmodSync(file, mode)
      assert.throws(() => loadKeys(none, file), /chmod 600/)
    }
    chmodSync(file, 0o600)
    loadKeys(none, file)
  })

  it('is never replaced when it is damaged, and never shown', () => {
    const file = join(folder, 'damaged', 'keys.json')
    loadKeys(none, file)
    for (const text of ['', '{}', '{"encryption_keys": "a:canary", "token_keys": 7}']) {
      writeFileSync(file, text)
      assert.throws(
        () => loadKeys(none, file),
        (error: Error) => /is damaged/.test(error.message) && !error.message.includes('canary'),
      )
      assert.equal(readFileSync(file, 'utf8'), text)
    }
  })
})
