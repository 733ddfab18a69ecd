/** The fields that Meta documents, as its SDK names them: records declare all of them, and callers may ask for each. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import Schema from 'typebox/schema'
import { answerSchema } from '../../src/catalog/answer-schema.ts'
import { findEntity } from '../../src/catalog/catalog.ts'
import { facebookMarketing } from '../../src/connectors/facebook-marketing/connector.ts'
import { type Simulated, startSimulated } from './simulated.ts'

const sdk = createRequire(import.meta.url)('facebook-nodejs-business-sdk') as Readonly<
  Record<string, { readonly Fields: Readonly<Record<string, string>> }>
>

/** The records of each entity, by the SDK's name. */
const objects = {
  current_user: 'User',
  ad_accounts: 'AdAccount',
  ad_account: 'AdAccount',
  campaigns: 'Campaign',
  ad_sets: 'AdSet',
  ads: 'Ad',
  ad_creatives: 'AdCreative',
  ads_insights: 'AdsInsights',
  custom_conversions: 'CustomConversion',
  images: 'AdImage',
  videos: 'AdVideo',
} as const

/** What the SDK names beside them for its own uploads. */
const unreadable: Readonly<Record<string, readonly string[]>> = { AdVideo: ['filepath', 'slideshow_spec'] }

/** As many names as fit into the param. */
function* portions(names: readonly string[]): Generator<string> {
  for (let at = 0; at < names.length; at += 60) yield names.slice(at, at + 60).join(',')
}

describe('the fields that Meta documents', () => {
  let simulated: Simulated
  before(async () => {
    simulated = await startSimulated()
  })
  after(() => simulated.close())

  for (const [name, object] of Object.entries(objects)) {
    const entity = findEntity(facebookMarketing, name)
    const operation = (entity.list ?? entity.get)!
    const documented = Object.keys(sdk[object]!.Fields).filter((field) => !unreadable[object]?.includes(field))

    it(`are all declared, with their meaning, in the record of ${name}`, () => {
      const { properties, required } = operation.record as { properties: object; required: readonly string[] }
      assert.deepEqual(
        documented.filter((field) => !(field in properties)),
        [],
      )
      const further = Object.entries(properties).filter(([field]) => !required.includes(field))
      assert.deepEqual(
        further.filter(([, shape]) => !('description' in shape)).map(([field]) => field),
        [],
      )
    })

    it(`come as they are declared when a caller of ${name} asks for them`, async () => {
      const declared = Object.keys(operation.record.properties).filter(
        (field) => operation.select!.names?.[field] !== null,
      )
      const check = Schema.Compile(answerSchema(operation) as never)
      for (const fields of portions(declared)) {
        const answer = await simulated.facebook.execute(
          name as 'campaigns',
          operation.action as 'list',
          {
            ...('account_id' in operation.params.properties && { account_id: simulated.at.account! }),
            fields,
          } as { account_id: string },
        )
        const records = [answer.result].flat()
        assert.ok(records.length > 0)
        for (const record of records) assert.ok(check.Check(record), JSON.stringify([record, check.Errors(record)]))
      }
    })
  }
})
