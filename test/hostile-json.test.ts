import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connectors, executePath, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('hostile bodies', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(() => hosted.calm())
  after(async () => {
    await hosted.close()
  })

  const send = (body: string | Uint8Array, path = executePath(hosted.connector)) =>
    hosted.call('POST', path, { token: hosted.ann, body })
  const get = (params: string) => `{"entity":"tasks","action":"get","params":${params}}`
  const search = (query: string) => `{"entity":"tasks","action":"search","params":{"query":${query}}}`

  it('broken JSON is 400, with nothing sent', async () => {
    for (const body of [
      '{',
      '{"entity":"tasks"',
      "{'entity':'tasks'}",
      '{"entity":tasks}',
      `${get('{"task_gid":"1"}')}}`,
      get('{"task_gid":"1",}'),
      'NaN',
      '\ufeff{',
      '{"a":01}',
      '{"a":"\u0001"}',
      '{"a":"\\x"}',
    ])
      isProblem(await send(body), 'invalid_json')
    isProblem(await send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 'invalid_json')
    assert.deepEqual(hosted.received(), [])
  })

  it('the same key twice is 400 at any depth, however it is spelled', async () => {
    for (const body of [
      '{"entity":"workspaces","entity":"users","action":"list"}',
      '{"entity":"workspaces","ent\\u0069ty":"users","action":"list"}',
      get('{"task_gid":"1","task_gid":"2"}'),
      get('{"task_gid":"1","task\\u005fgid":"2"}'),
      get('{"task_gid":"1","x":[{"y":{"z":1,"z":1}}]}'),
      get('{"task_gid":"1"},"params":{}'),
      search('{"filter":{"eq":{"name":"a"},"eq":{"name":"b"}}}'),
      '{"entity":"*","action":"sql","params":{"sql":"select 1 as a","sql":"select 2 as a"}}',
    ])
      isProblem(await send(body), 'invalid_json')
    isProblem(
      await send(
        '{"external_user_id":"ann","external_user_id":"bob","connector_type":"asana","name":"x","credentials":{"token":"t"}}',
        connectors,
      ),
      'invalid_json',
    )
    assert.deepEqual(hosted.received(), [])
  })

  it('__proto__ is 400 at any depth and in every route; constructor is an unknown name', async () => {
    for (const key of ['__proto__', '\\u005f_proto__', '\\u005F\\u005Fproto__'])
      for (const [path, body] of [
        [undefined, `{"${key}":{"polluted":1},"entity":"workspaces","action":"list"}`],
        [undefined, get(`{"${key}":{"polluted":1},"task_gid":"1"}`)],
        [undefined, get(`{"task_gid":"1","filter":{"a":[{"${key}":null}]}}`)],
        [connectors, `{"connector_type":"asana","name":"x","credentials":{"${key}":{},"token":"t"}}`],
        [
          connectors,
          `{"connector_type":"asana","name":"x","credentials":{"token":"t"},"replication_config":{"${key}":1}}`,
        ],
        ['/api/v1/account/applications/token', `{"${key}":1}`],
        [
          '/mcp',
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"${key}":{}}}}`,
        ],
        [undefined, search(`{"filter":{"eq":{"${key}":{"name":"x"}}}}`)],
        [undefined, `{"entity":"*","action":"sql","params":{"sql":"select 1 as a","${key}":1}}`],
        [undefined, search(`{"sort":[{"${key}":"asc"}]}`)],
        [undefined, search(`{"filter":{"any":{"projects":{"eq":{"${key}":1}}}}}`)],
      ] as const)
        isProblem(await send(body, path), 'invalid_json')
    isProblem(
      await send(get('{"task_gid":"1","constructor":{"prototype":{}}}')),
      'invalid_params',
      '/params/constructor',
    )
    isProblem(await send(search('{"filter":{"eq":{"constructor":{"prototype":{}}}}}')), 'invalid_query')
    isProblem(await send('{"constructor":{},"entity":"workspaces","action":"list"}'), 'invalid_request', '/constructor')
    assert.equal(({} as { polluted?: number }).polluted, undefined)
    assert.deepEqual(hosted.received(), [])
    isFine(await hosted.execute('workspaces', 'list'))
  })

  it('great depth is refused without harm, where it is well-formed and where not', async () => {
    const deep = (levels: number, end = '1') => `${'{"not":'.repeat(levels)}${end}${'}'.repeat(levels)}`
    for (const body of [
      get(`{"task_gid":${deep(1000)}}`),
      get(`{"task_gid":${deep(50_000)}}`),
      get(`{"x":${deep(17, '"bad')}}`),
      `{"entity":"tasks","action":"search","params":{"query":{"filter":${deep(50_000)}}}}`,
      `{"entity":"tasks","action":"search","params":{"query":{},"fields":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
      `{"connector_type":"asana","name":"x","credentials":${deep(50_000)}}`,
      '['.repeat(1024 * 1024 - 1),
      `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
    ]) {
      for (const path of [executePath(hosted.connector), connectors, '/mcp']) {
        const answer = await send(body, path)
        assert.ok([400, 406, 413, 422].includes(answer.status), `${answer.status} ${answer.text}`)
        if (answer.body.jsonrpc !== '2.0') isProblem(answer, answer.body.code)
      }
    }
    assert.deepEqual(hosted.received(), [])
    isFine(await hosted.call('GET', '/healthz'))
  })

  it('two MiB are too large, in one piece or in chunks', async () => {
    const large = get(`{"task_gid":"${'1'.repeat(2 * 1024 * 1024)}"}`)
    isProblem(await send(large), 'payload_too_large')
    const response = await fetch(hosted.server.origin + executePath(hosted.connector), {
      method: 'POST',
      headers: { authorization: `Bearer ${hosted.ann}`, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    assert.equal(response.status, 413)
    const fits = get(`{"task_gid":"${'1'.repeat(1_000_000)}"}`)
    isProblem(await send(fits), 'invalid_params', '/params/task_gid')
  })

  it('a body that is no JSON document by its type is not read', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
    ])
      isProblem(
        await hosted.call('POST', executePath(hosted.connector), {
          token: hosted.ann,
          body: get('{"task_gid":"1"}'),
          headers: { 'content-type': type },
        }),
        'unsupported_media_type',
      )
  })

  it('none of it was a defect', () => assert.doesNotMatch(hosted.log(), /"code":"internal"/))
})
