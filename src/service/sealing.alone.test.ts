import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { getHeapSnapshot } from 'node:v8'
import { createSealer } from './sealing.ts'

const key = (id: string) => ({ id, secret: new Uint8Array(randomBytes(32)) })
const row = { organizationId: 'org', connectorId: 'connector' }

describe('sealing', () => {
  it('opens what it sealed, and never seals alike twice', () => {
    const sealer = createSealer([key('a')])
    const [one, other] = [sealer.seal('tökens \u{1f511}', row), sealer.seal('tökens \u{1f511}', row)]
    assert.notEqual(one, other)
    assert.equal(sealer.open(one, row), 'tökens \u{1f511}')
    assert.equal(sealer.open(other, row), 'tökens \u{1f511}')
  })

  it('shows nothing of the text', () => {
    const sealed = createSealer([key('a')]).seal('canary-canary', row)
    for (const seen of [sealed, Buffer.from(sealed.split('.')[2]!, 'base64url').toString('latin1')])
      assert.ok(!seen.includes('canary'))
  })

  it('does not open in another row', () => {
    const sealer = createSealer([key('a')])
    const sealed = sealer.seal('text', row)
    assert.throws(() => sealer.open(sealed, { ...row, connectorId: 'other' }), /row was changed/)
    assert.throws(() => sealer.open(sealed, { ...row, organizationId: 'other' }), /row was changed/)
  })

  it('does not open when a single bit was changed', () => {
    const sealer = createSealer([key('a')])
    const [form, id, body] = sealer.seal('text', row).split('.') as [string, string, string]
    const bytes = Buffer.from(body, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed[index]! ^= 1
      assert.throws(() => sealer.open([form, id, changed.toString('base64url')].join('.'), row), /row was changed/)
    }
    assert.throws(() => sealer.open([form, id, ''].join('.'), row), /row was changed/)
    assert.throws(() => sealer.open('garbage', row), /unknown form/)
  })

  it('seals with the first key and opens with all, so that keys rotate', () => {
    const [old, fresh] = [key('old'), key('new')]
    const sealed = createSealer([old]).seal('text', row)
    const both = createSealer([fresh, old])
    assert.equal(both.open(sealed, row), 'text')
    assert.equal(createSealer([fresh]).open(both.seal('text', row), row), 'text')
  })

  it('names the key that is missing', () => {
    const sealed = createSealer([key('old')]).seal('text', row)
    assert.throws(() => createSealer([key('new')]).open(sealed, row), /key "old", which is not among/)
    assert.throws(() => createSealer([key('old')]).open(sealed, row), /another value than before/)
    assert.throws(() => createSealer([]), /At least one/)
  })

  it('forgets what it opened: nothing of it is left in memory', async () => {
    const sealer = createSealer([key('a')])
    // Written backwards, so that this test itself does not hold what it looks for.
    const backwards = randomBytes(24).toString('hex')
    const sealed = sealer.seal(turned(backwards), row)
    assert.equal(turned(sealer.open(sealed, row)), backwards)
    assert.ok(await inMemory(backwards))
    sealer.forget(row)
    assert.ok(!(await inMemory(backwards)))
  })
})

const turned = (text: string): string => [...text].toReversed().join('')

/** Whether a text stands in the memory of this process, told by what is written there backwards. */
async function inMemory(backwards: string): Promise<boolean> {
  let found = false
  let rest = ''
  for await (const chunk of getHeapSnapshot()) {
    const turnedChunk = turned(rest + chunk)
    found ||= turnedChunk.includes(backwards)
    rest = String(chunk).slice(-100)
  }
  return found
}
