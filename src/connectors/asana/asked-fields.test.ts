import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Connector, Operation } from '../../kit/connector.ts'
import { asana } from './connector.ts'

it('no request asks for resource_type, which Asana’s reference has nowhere among the fields that can be asked for', () => {
  const operations = Object.values(asana.entities as Connector['entities']).flatMap(({ list, get, download, sync }) => [
    ...[list, get, download],
    ...(sync?.listings.flatMap((listing) => [listing.list, listing.below?.list]) ?? []),
    sync?.confirm?.get,
  ])
  const asking = operations.filter((operation): operation is Operation => operation?.select !== undefined)
  assert.ok(asking.length > 20)
  for (const { path, select } of asking)
    for (const field of select!.default ?? []) assert.doesNotMatch(field, /(^|\.)resource_type$/, path)
})
