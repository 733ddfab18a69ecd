import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startHosted } from '../hosted.ts'

describe('the copies', () => {
  for (const kind of ['facebook-marketing', 'gong'])
  it('is filled ' + kind, { timeout: 280_000 }, async () => {
    const hosted = await startHosted({ simulators: { scale: 300 } })
    try {
      const id = await hosted.connect(hosted.systems.describe()[kind]!.credentials[0]!, hosted.ann, kind)
      const path = `/v1/integrations/connectors/${id}/sync`
      const begun = await hosted.call('POST', path, { token: hosted.ann, body: {} })
      assert.equal(begun.status, 202, begun.text)
      const t = Date.now()
      await hosted.server.service.syncs.settled()
      console.log('ms', Date.now() - t, hosted.received().length)
      const {entities, ...rest} = (await hosted.call('GET', path, { token: hosted.ann })).body
      console.log(rest)
      for (const e of entities) {
        console.log(e.entity, e.status, e.records, e.complete, JSON.stringify(e.last_error), JSON.stringify(e.skipped).slice(0,300), JSON.stringify(e.warnings))
        console.log((await hosted.execute(e.entity, 'search', { query: {}, limit: 1 }, {connector: id})).text.slice(0, 1500))
      }
      console.log(hosted.log().split('\n').filter((l) => /a sync/.test(l)).slice(0, 20).join('\n'))
    } finally {
      await hosted.close()
    }
  })
})
