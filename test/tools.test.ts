/** Operations as tools for language models, judged by the packages that take them. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { createGateway, generateText, jsonSchema, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import OpenAI from 'openai'
import {
  ConexError,
  callTool,
  conex,
  connect,
  type Tool,
  toAiSdk,
  toAnthropic,
  toLangChain,
  toOpenAiChat,
  toOpenAiResponses,
  tools,
} from '../src/index.ts'
import { type Hosted, startHosted } from './hosted.ts'

let hosted: Hosted
before(async () => {
  hosted = await startHosted()
})
after(() => hosted.close())

function service() {
  const { id, secret } = hosted.server.madeClient!
  return conex({ baseUrl: hosted.server.origin, clientId: id, clientSecret: secret })
}

const throughService = () => service().connect('asana', { connectorId: hosted.connector })

function fromHere() {
  const { base_url: baseUrl, credentials } = hosted.systems.describe().asana!
  return connect('asana', { credentials: { token: credentials[0]!.token! }, baseUrl, allowPrivateNetwork: true })
}

const named = (made: readonly Tool[], name: string): Tool => made.find((tool) => tool.name === name)!

describe('tools of a connected system', () => {
  it('are one for each operation, with names and descriptions that every model takes', async () => {
    const kinds = await service().connectorTypes.list()
    for (const { connector_type, entities } of kinds) {
      const made = await tools(service().connect(connector_type as 'asana', { externalUserId: 'ann' }))
      assert.equal(made.length, entities.flatMap(({ actions }) => actions).length)
      assert.equal(new Set(made.map(({ name }) => name)).size, made.length)
      for (const { name, description, inputSchema } of made) {
        assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
        assert.ok(description.length <= 1024, name)
        assert.doesNotMatch(JSON.stringify(inputSchema), /"x-/)
        for (const param of Object.keys(inputSchema.properties)) assert.match(param, /^[a-zA-Z0-9_.-]{1,64}$/)
      }
    }
    const list = named(await tools(throughService()), 'asana_tasks_list')
    assert.match(list.description, /Give exactly one scope.*offset from connector_metadata\.next_page\.offset/)
  })

  it('are the chosen ones, under another prefix, and without search where there is none', async () => {
    const asana = fromHere()
    const all = await tools(asana)
    assert.ok(all.length > 20 && all.every(({ name }) => !name.endsWith('_search')))
    const some = await tools(asana, { only: ['tasks.list', 'tasks.get'], prefix: 'work_' })
    assert.deepEqual(
      some.map(({ name }) => name),
      ['work_tasks_list', 'work_tasks_get'],
    )
    // @ts-expect-error there is no such operation
    await assert.rejects(tools(asana, { only: ['taks.list'] }), (error) => error instanceof ConexError)
    await asana.close()
  })

  it('give the same here and through a service', async () => {
    const params = { project: hosted.at.project }
    const asana = fromHere()
    const [here, there] = await Promise.all(
      [asana, throughService()].map(async (system) => named(await tools(system), 'asana_tasks_list').execute(params)),
    )
    assert.ok((here!.result as unknown[]).length > 0)
    assert.deepEqual(there, here)
    await asana.close()
  })

  it('give no more than agreed: whole records, how many are left, and how to get them', async () => {
    const asana = throughService()
    const params = { project: hosted.at.project }
    const all = await Array.fromAsync(asana.tasks.list.all(params as { project: string }), ({ gid }) => gid)
    const list = named(await tools(asana, { maxCharacters: 1000 }), 'asana_tasks_list')
    const first = await list.execute(params)
    assert.ok(JSON.stringify(first).length < 1600)
    const { shown, left, how } = first.cut!
    assert.equal(shown + left, all.length)
    assert.match(how, new RegExp(`limit ${shown},`))
    // A model that does as it is told meets every record once.
    const met: string[] = []
    for (let page = await list.execute({ ...params, limit: shown, fields: ['gid'] }); ; ) {
      assert.equal(page.cut, undefined)
      met.push(...(page.result as { gid: string }[]).map(({ gid }) => gid))
      const { next_page: next } = page.connector_metadata as { next_page: { offset: string } | null }
      if (next === null) break
      page = await list.execute({ ...params, limit: shown, fields: ['gid'], offset: next.offset })
    }
    assert.deepEqual(met, all)
  })

  it('check what they add to an operation as the operation checks its own', async () => {
    hosted.calm()
    const made = await tools(throughService())
    const list = named(made, 'asana_tasks_list')
    const project = hosted.at.project
    for (const [input, path, message] of [
      [{ project, fields: 'gid,name' }, '/params/fields', /^must be a list of names, as in \["gid","name"\]$/],
      [{ project, fields: '["gid"]' }, '/params/fields', /^must be a list of names, as in \["gid"\]$/],
      [{ project, fields: { gid: true } }, '/params/fields', /^must be a list of names, for example/],
      [{ project, fields: null }, '/params/fields', /leave it out for all fields$/],
      [{ project, fields: [] }, '/params/fields', /must name a field/],
      [{ project, fields: ['gid', 7] }, '/params/fields/1', /^must be the name of a field$/],
      [{ project, feilds: ['gid'] }, '/params/feilds', /^is not known here; did you mean "fields"\?$/],
      [{ project, limits: 3 }, '/params/limits', /^is not known here; did you mean "limit"\?$/],
      [{ project, unheard_of: 3 }, '/params/unheard_of', /it takes .*\bfields$/],
    ] as const) {
      const { error, result } = await list.execute(input)
      assert.deepEqual([error?.code, error?.errors?.[0]?.path, result], ['invalid_params', path, undefined])
      assert.match(error!.errors![0]!.message, message)
      assert.match(error!.detail, /^The params do not fit the tool: \/params\/.*[^.?][.?]$/)
    }
    assert.deepEqual(hosted.received(), [])
    const near = await list.execute({ project, fields: ['gid', 'nmae', 'created_by.gid'] })
    assert.deepEqual(near.error?.errors, [
      { path: '/params/fields/1', message: '"nmae" is no field of these records; did you mean "name"?' },
    ])
    const inner = (await list.execute({ project, fields: ['created_by.gid'] })).result as object[]
    assert.match(JSON.stringify(inner[0]), /^{"created_by":{"gid":"\d+"}}$/)
    // A list does not request it by itself.
    const due = (await list.execute({ project, fields: ['gid', 'due_on'] })).result as object[]
    assert.deepEqual(Object.keys(due[0]!), ['gid', 'due_on'])
    const get = named(made, 'asana_tasks_get')
    const task = { task_gid: hosted.at.task }
    const all = (await get.execute(task)).result as Record<string, unknown>
    // A field that the catalog does not list is as good as any other.
    const { result } = await get.execute({ ...task, fields: ['gid', 'permalink_url'] })
    assert.deepEqual(result, { gid: all.gid, permalink_url: all.permalink_url })
    const search = named(made, 'asana_tasks_search')
    assert.equal((await search.execute({ query: {}, fields: 'name' })).error?.errors?.[0]?.path, '/params/fields')
  })

  it('name the fields of a record that is too long by itself', async () => {
    const get = named(await tools(throughService(), { maxCharacters: 300 }), 'asana_projects_get')
    const long = await get.execute({ project_gid: hosted.at.project })
    assert.equal(long.result, null)
    assert.match(long.cut!.how, /longer than 300 characters; name the fields you need in "fields".*notes \(\d+\)/)
    const short = await get.execute({ project_gid: hosted.at.project, fields: ['gid', 'name'] })
    assert.deepEqual(Object.keys(short.result as object), ['gid', 'name'])
  })

  it('give the text of a file, piece by piece', async () => {
    const download = named(await tools(throughService(), { maxCharacters: 10 }), 'asana_attachments_download')
    const attachment_gid = hosted.at.attachment_text
    const whole = await (await throughService().attachments.download({ attachment_gid: attachment_gid! })).text()
    let text = ''
    for (let piece = await download.execute({ attachment_gid }); ; ) {
      text += piece.text
      const range_header = /"(bytes=\d+-)"/.exec(piece.cut?.how ?? '')?.[1]
      if (range_header === undefined) break
      piece = await download.execute({ attachment_gid, range_header })
    }
    assert.equal(text, whole)
  })

  it('give what went wrong as data, and throw only for the caller who has gone', async () => {
    const made = await tools(throughService())
    const list = named(made, 'asana_tasks_list')
    const wrong = await list.execute({ asignee: 'me' })
    assert.equal(wrong.error?.code, 'invalid_params')
    assert.match(wrong.error.errors![0]!.message, /did you mean "assignee"/)
    assert.equal((await list.execute('tasks')).error?.code, 'invalid_params')
    assert.equal((await named(made, 'asana_tasks_get').execute({ task_gid: '404' })).error?.code, 'record_not_found')
    await assert.rejects(list.execute({}, { signal: AbortSignal.abort(new Error('gone')) }), /gone/)
    assert.match(await callTool(made, 'asana_taks_list', {}), /"unknown_action"/)
    assert.match(await callTool(made, 'asana_workspaces_list', '{"limit":'), /"invalid_params"/)
    assert.match(await callTool(made, 'asana_workspaces_list', '{"limit": 1}'), /^\{"result":\[\{/)
  })
})

describe('tools in the shapes of others', () => {
  it('run in the loop of the Vercel AI SDK', async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    }
    const asked: string[] = []
    const model = new MockLanguageModelV3({
      doGenerate: async ({ tools = [], prompt }) => {
        const input = asked.length === 0 ? { asignee: 'me' } : { project: hosted.at.project, limit: 1 }
        asked.push(JSON.stringify([tools, prompt]))
        const call = {
          type: 'tool-call',
          toolCallId: `${asked.length}`,
          toolName: 'asana_tasks_list',
          input: JSON.stringify(input),
        } as const
        return asked.length < 3
          ? { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] }
          : {
              content: [{ type: 'text', text: 'done' }],
              finishReason: { unified: 'stop', raw: undefined },
              usage,
              warnings: [],
            }
      },
    })
    const made = toAiSdk(await tools(throughService()), jsonSchema)
    const { text } = await generateText({ model, tools: made, prompt: 'Which tasks?', stopWhen: stepCountIs(5) })
    assert.equal(text, 'done')
    assert.match(asked[0]!, /"project":\{"type":"string","description":"The project of the tasks\."/)
    assert.match(asked[1]!, /"code":"invalid_params".*did you mean/)
    assert.match(asked[2]!, /"gid":/)
  })

  it('are LangChain tools', async () => {
    const made = toLangChain(await tools(throughService()), DynamicStructuredTool)
    const list = made.find(({ name }) => name === 'asana_workspaces_list')!
    const answer = JSON.parse(await list.invoke({ limit: 1 }))
    assert.equal(answer.result.length, 1)
    const message = await list.invoke({ type: 'tool_call', id: '1', name: list.name, args: { limit: 1 } })
    assert.deepEqual(JSON.parse((message as unknown as { content: string }).content), answer)
  })

  it('are what OpenAI and Anthropic take', async () => {
    const made = await tools(throughService(), { only: ['tasks.get'] })
    const chat: OpenAI.Chat.ChatCompletionTool[] = toOpenAiChat(made)
    const responses: OpenAI.Responses.Tool[] = toOpenAiResponses(made)
    const messages: Anthropic.Tool[] = toAnthropic(made)
    const { description, inputSchema } = made[0]!
    const name = 'asana_tasks_get'
    assert.deepEqual(chat, [
      { type: 'function', function: { name, description, parameters: inputSchema, strict: false } },
    ])
    assert.deepEqual(responses, [{ type: 'function', name, description, parameters: inputSchema, strict: false }])
    assert.deepEqual(messages, [{ name, description, input_schema: inputSchema, strict: false }])
    assert.deepEqual(inputSchema.required, ['task_gid'])
  })

  it('tell models that params may be left out, in the requests that the packages send', async (t) => {
    // biome-ignore lint/suspicious/noExplicitAny: each package has a shape of its own
    const asked: { url: string; tool: any }[] = []
    const server = createServer(async (request, response) => {
      const { tools } = (await json(request)) as { tools: unknown[] }
      asked.push({ url: request.url!, tool: tools[0] })
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":{"type":"invalid_request_error","message":"no"}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const made = await tools(throughService(), { only: ['tasks.list'] })
    const { inputSchema } = made[0]!
    const [openai, anthropic, gateway] = [
      new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 }),
      new Anthropic({ baseURL, apiKey: 'k', maxRetries: 0 }),
      createGateway({ baseURL, apiKey: 'k' }),
    ]
    const messages = [{ role: 'user' as const, content: 'Which tasks?' }]
    await assert.rejects(openai.chat.completions.create({ model: 'm', messages, tools: toOpenAiChat(made) }))
    await assert.rejects(openai.responses.create({ model: 'm', input: 'Which tasks?', tools: toOpenAiResponses(made) }))
    await assert.rejects(anthropic.messages.create({ model: 'm', max_tokens: 9, messages, tools: toAnthropic(made) }))
    await assert.rejects(
      generateText({
        model: gateway('openai/m'),
        tools: toAiSdk(made, jsonSchema),
        prompt: 'Which tasks?',
        maxRetries: 0,
      }),
    )
    assert.deepEqual(
      asked.map(({ url, tool }) => [url, (tool.function ?? tool).strict]),
      [
        ['/chat/completions', false],
        ['/responses', false],
        ['/v1/messages', false],
        ['/language-model', false],
      ],
    )
    for (const { tool } of asked) {
      const schema = tool.function?.parameters ?? tool.parameters ?? tool.input_schema ?? tool.inputSchema
      assert.deepEqual(schema, inputSchema)
      assert.deepEqual(schema.required, [])
    }
    const [langChain] = toLangChain(made, DynamicStructuredTool)
    assert.deepEqual(langChain!.extras, { strict: false })
    const { parameters } = convertToOpenAITool(langChain!, { strict: false }).function
    assert.deepEqual(parameters, inputSchema)
  })
})
