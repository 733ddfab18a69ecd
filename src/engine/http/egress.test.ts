import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { buildConnector } from 'undici'
import { ConexError } from '../../errors.ts'
import { checkAddress, ForbiddenAddress, guardedConnector, isPublicAddress } from './egress.ts'

const privateAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

describe('an address', () => {
  for (const address of privateAddresses)
    it(`${address} is not public`, () => assert.equal(isPublicAddress(address), false))

  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '99.255.255.255',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ])
    it(`${address} is public`, () => assert.equal(isPublicAddress(address), true))

  it('that is none is not public', () => {
    for (const address of [
      '',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '1.2.3.4.5',
      '::g',
      ' 8.8.8.8',
    ])
      assert.equal(isPublicAddress(address), false)
    fc.assert(fc.property(fc.string(), (text) => assert.equal(isPublicAddress(`${text}x`), false)))
  })

  it('is private however its IPv4 form is wrapped in IPv6', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), fc.nat(255), (b, c, d) => {
        for (const wrap of ['::ffff:', '::', '::ffff:0:', '64:ff9b::'])
          for (const inner of [`127.${b}.${c}.${d}`, `10.${b}.${c}.${d}`, `192.168.${c}.${d}`])
            assert.equal(isPublicAddress(wrap + inner), false)
      }),
    )
  })
})

describe('the text of an address is refused', () => {
  const refused = (address: string, allowPrivateNetwork = false): void =>
    assert.throws(
      () => checkAddress(new URL(address), allowPrivateNetwork),
      (error) => error instanceof ConexError && error.code === 'upstream_error' && /not allowed/.test(error.message),
    )

  it('when it is not https', () => {
    for (const address of [
      'http://public.example/',
      'file:///etc/passwd',
      'ftp://public.example/',
      'data:text/plain,x',
      'javascript:1',
      'blob:https://a/b',
    ])
      refused(address)
  })

  it('when it holds credentials, even in a private network', () => {
    for (const allowed of [true, false]) {
      refused('https://user@public.example/', allowed)
      refused('https://:secret@public.example/', allowed)
    }
  })

  it('when it is a private address in any spelling that the URL standard knows', () => {
    for (const host of [
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '017700000001',
      '127.1',
      '0',
      '①②⑦.0.0.1',
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '169.254.169.254',
    ])
      refused(`https://${host}/`)
  })

  it('and a private network allows plain http, but no other scheme', () => {
    checkAddress(new URL('http://127.0.0.1:1/'), true)
    checkAddress(new URL('https://10.0.0.1/'), true)
    for (const address of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x']) refused(address, true)
  })

  it('and a public https address is not', () => checkAddress(new URL('https://public.example:8443/a?b'), false))
})

describe('the connect step', () => {
  const dial = (hostname: string): Promise<Error | null> =>
    new Promise((resolve) =>
      guardedConnector(buildConnector, false)(
        { hostname, host: hostname, protocol: 'https:', port: '1' },
        (...[error]) => resolve(error),
      ),
    )

  it('dials no private address, written out or behind a name', async () => {
    for (const hostname of ['127.0.0.1', '[::1]', '169.254.169.254', 'localhost'])
      assert.ok((await dial(hostname)) instanceof ForbiddenAddress, hostname)
  })
})
