import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startHosted } from '../hosted.ts'

describe('the copy of Asana', () => {
  it('is filled', { timeout: 280_000 }, async () => {
    const hosted = await startHosted({ simulators: { scale: 300 } })
    try {
      const path = `/v1/integrations/connectors/${hosted.connector}/sync`
      const begun = await hosted.call('POST', path, { token: hosted.ann, body: {} })
      assert.equal(begun.status, 202, begun.text)
      const t = Date.now()
      await hosted.server.service.syncs.settled()
      console.log('ms', Date.now() - t, hosted.received().length)
      console.log((await hosted.call('GET', path, { token: hosted.ann })).text)
      console.log((await hosted.execute('tasks', 'search', { query: {}, limit: 1 })).text)
      console.log(
        hosted
          .log()
          .split('\n')
          .filter((l) => /sync/.test(l))
          .slice(0, 20)
          .join('\n'),
      )
    } finally {
      await hosted.close()
    }
  })
})
