/** Numbers whose digits the language would not give back, on their way from a system to whoever asked. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { conex, connect, ExactNumber, tools } from '../src/index.ts'
import { type Hosted, startHosted } from './hosted.ts'

let hosted: Hosted
before(async () => {
  hosted = await startHosted()
})
after(() => hosted.close())

const written = ['2.50', '0.1234567890123456789', '1e400', '-0', '1.0', '9007199254740993', '-1.5E-7']
const fields = written.map((number, place) => `"new_${place}":${number},"inside_${place}":[{"n":${number}}]`).join()

/** What the system answers next. */
const answering = (body: string): void => hosted.fault({ type: 'body', body })

const systems = () => {
  const { id, secret } = hosted.server.madeClient!
  const service = conex({ baseUrl: hosted.server.origin, clientId: id, clientSecret: secret })
  const { base_url: baseUrl, credentials } = hosted.systems.describe().asana!
  return [
    service.connect('asana', { connectorId: hosted.connector }),
    connect('asana', { credentials: { token: credentials[0]!.token! }, baseUrl, allowPrivateNetwork: true }),
  ]
}

describe('a number in a field that is not declared', () => {
  it('leaves the service digit for digit, from a list and a get', async () => {
    const record = `{"gid":"7",${fields}}`
    for (const [action, params, body] of [
      ['list', { project: '1' }, `{"data":[${record}],"next_page":null}`],
      ['get', { task_gid: '7' }, `{"data":${record}}`],
    ] as const) {
      answering(body)
      const { text } = await hosted.execute('tasks', action, params)
      hosted.calm()
      assert.ok(text.includes(fields), text)
    }
  })

  it('is a value that has its digits as text and in JSON, and calculates, through the service and from here', async () => {
    for (const system of systems()) {
      answering(`{"data":{"gid":"7",${fields}}}`)
      const { result } = await system.tasks.get({ task_gid: '7' })
      hosted.calm()
      const record = result as unknown as Record<string, unknown>
      for (const [place, number] of written.entries()) {
        const value = record[`new_${place}`]
        assert.equal(String(value), number, system.mode)
        if (typeof value === 'bigint') continue
        assert.ok(value instanceof ExactNumber)
        assert.equal(JSON.stringify({ value }), `{"value":${number}}`)
        assert.equal(value.valueOf(), Number(number))
      }
      await system.close()
    }
  })

  it('is a plain number for a language model, or text where no number can hold it', async () => {
    const [system, other] = systems()
    const [get] = await tools(system!, { only: ['tasks.get'] })
    answering(`{"data":{"gid":"7",${fields}}}`)
    const { structured } = await get!.execute({ task_gid: '7' })
    hosted.calm()
    const record = structured!.result as Record<string, unknown>
    assert.deepEqual(
      written.map((_, place) => record[`new_${place}`]),
      [2.5, '0.1234567890123456789', '1e400', 0, 1, '9007199254740993', -1.5e-7],
    )
    assert.deepEqual(record.inside_1, [{ n: '0.1234567890123456789' }])
    await other!.close()
  })

  it('of a caller must be one that calculating can hold', async () => {
    const { status, body } = await hosted.call('POST', `/api/v1/connectors/sources/${hosted.connector}/execute`, {
      token: hosted.ann,
      body: '{"entity":"tasks","action":"list","params":{"limit":1e400}}',
    })
    const [{ path, message }] = body.errors
    assert.deepEqual(
      [status, body.code, path, message],
      [400, 'invalid_json', '/params/limit', 'is a number that is too large'],
    )
    const answer = await hosted.call('POST', `/api/v1/connectors/sources/${hosted.connector}/execute`, {
      token: hosted.ann,
      body: '{"entity":"workspaces","action":"list","params":{"limit":1.0}}',
    })
    assert.equal(answer.status, 200)
  })
})
