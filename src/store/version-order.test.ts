import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isOlder } from './version-order.ts'

it('orders versions as semantic versioning does, and not as texts', () => {
  const inOrder = [
    '0.0.0',
    '0.1.0',
    '0.9.3',
    '0.10.0',
    '1.0.0-rc.2',
    '1.0.0-rc.10',
    '1.0.0',
    '1.0.1',
    '2.0.0-beta',
    '10.0.0',
  ]
  for (const [place, version] of inOrder.entries())
    for (const [otherPlace, other] of inOrder.entries())
      assert.equal(isOlder(version, other), place < otherPlace, `${version} and ${other}`)
  assert.equal(isOlder('1.0.0+a', '1.0.0+b'), false)
})
