/** What may be asked of a sync: entities that have a copy, each told from the others. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Hosted, isProblem, startHosted } from './hosted.ts'

describe('a sync of some entities', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted()
  })
  after(() => hosted.close())

  const start = (entities: unknown) =>
    hosted.call('POST', `/v1/integrations/connectors/${hosted.connector}/sync`, {
      token: hosted.ann,
      body: { entities },
    })

  it('is refused when one of them is not known, with the nearest that is', async () => {
    const answer = await start(['projects', 'task', 'nothing'])
    isProblem(answer, 'invalid_request')
    const [near, far] = answer.body.errors
    assert.equal(near.path, '/entities/1')
    assert.match(near.message, /did you mean "tasks"/)
    assert.match((await start(['task'])).body.detail, /did you mean "tasks"\?$/)
    assert.equal(far.path, '/entities/2')
  })

  it('is refused when they are no names, or more than any kind has', async () => {
    isProblem(await start('tasks'), 'invalid_request', '/entities')
    isProblem(await start([7]), 'invalid_request', '/entities/0')
    isProblem(
      await start(Array.from({ length: 1_000 }, (_, index) => `entity${index}`)),
      'invalid_request',
      '/entities',
    )
    assert.deepEqual(hosted.received(), [])
  })

  it('is refused when the request is no object, but may be left out', async () => {
    const path = `/v1/integrations/connectors/${hosted.connector}/sync`
    for (const body of ['null', '[]', '7'])
      isProblem(await hosted.call('POST', path, { token: hosted.ann, body }), 'invalid_request', '')
    assert.equal((await hosted.call('POST', path, { token: hosted.ann })).status, 202)
  })
})
