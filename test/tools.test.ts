/** The tools of the client library, judged by the packages that take them: each runs its own loop with a scripted model. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { createGateway, generateText, jsonSchema } from 'ai'
import { countTokens } from 'gpt-tokenizer'
import OpenAI from 'openai'
import {
  type Conex,
  ConexError,
  callTool,
  conex,
  connect,
  type Tool,
  type ToolOutput,
  toAiSdk,
  toAnthropic,
  toLangChain,
  toOpenAiChat,
  toOpenAiResponses,
  tools,
} from '../src/index.ts'
import { type Hosted, startHosted } from './hosted.ts'
import { loops, ofTexts, prompt, withProvider } from './scripted-models.ts'

let hosted: Hosted
before(async () => {
  hosted = await startHosted({ simulators: { scale: 200 } })
  await hosted.call('POST', `/v1/integrations/connectors/${hosted.connector}/sync`, { token: hosted.ann, body: {} })
  await hosted.server.service.syncs.settled()
})
after(() => hosted.close())
beforeEach(() => hosted.calm())

function service(): Conex {
  const { id, secret } = hosted.server.madeClient!
  return conex({ baseUrl: hosted.server.origin, clientId: id, clientSecret: secret })
}

const throughService = () => service().connect('asana', { connectorId: hosted.connector })

function fromHere() {
  const { base_url: baseUrl, credentials } = hosted.systems.describe().asana!
  return connect('asana', { credentials: { token: credentials[0]!.token! }, baseUrl, allowPrivateNetwork: true })
}

const named = (made: readonly Tool[], name: string): Tool => {
  const found = made.find((tool) => tool.name === name)
  assert.ok(found, `${name} is not among ${made.map((tool) => tool.name).join(', ')}`)
  return found
}

const namesOf = (made: readonly Tool[]): string[] => made.map(({ name }) => name)

/** What a program reads of an output. */
const structuredOf = ({ text, structured }: ToolOutput) => {
  assert.ok(structured, text)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return structured as any
}

describe('in the loop of each framework', () => {
  const image = async (): Promise<string> => {
    const { result } = await throughService().attachments.list({ parent: hosted.at.project_brief! })
    return result.find(({ name }) => name === 'Timeline.png')!.gid
  }

  /** A way to read Asana: the tools, and their names. */
  interface Way {
    readonly what: string
    open(): Promise<{ few: Tool[]; some: Tool[]; close(): Promise<void> }>
    readonly prefix: string
  }
  const closing = async (system: ReturnType<typeof fromHere>) => ({
    few: await tools(system),
    some: await tools(system, { only: ['tasks.list', 'attachments'] }),
    close: () => system.close(),
  })
  const ways: readonly Way[] = [
    {
      what: 'a service',
      prefix: '',
      async open() {
        const ann = service().forEndUser('ann')
        const some = await tools(ann, { only: ['asana.tasks.list', 'asana.attachments'] })
        return { few: await tools(ann), some, close: async () => {} }
      },
    },
    { what: 'a system behind a service', prefix: 'asana_', open: () => closing(throughService()) },
    { what: 'a system read from here', prefix: 'asana_', open: () => closing(fromHere()) },
  ]

  for (const { what, prefix, open } of ways)
    for (const [framework, loop] of Object.entries(loops)) {
      it(`the few tools read ${what}: ${framework}`, async () => {
        const { few, close } = await open()
        const params = { project: hosted.at.project, limit: 2 }
        const attachment_gid = await image()
        const calls = [
          ...(prefix === '' ? [{ name: 'list_connectors', input: {} }] : []),
          { name: `${prefix}describe`, input: { entity: 'tasks' } },
          { name: `${prefix}execute`, input: { entity: 'task', action: 'list', params } },
          { name: `${prefix}execute`, input: { entity: 'tasks', action: 'list', params } },
          { name: `${prefix}get_file`, input: { entity: 'attachments', params: { attachment_gid } } },
        ]
        const heard = await loop(few, calls)
        if (prefix === '') assert.match(heard.shift()!, new RegExp(`"id":"${hosted.connector}"`))
        const [described, wrong, listed, seen] = heard
        assert.match(described!, /^asana tasks: /)
        assert.match(wrong!, new RegExp(`^unknown_entity: .*did you mean "tasks"\\?\\nNext: ${prefix}describe \\{\\}$`))
        assert.equal(JSON.parse(listed!.split('\n').slice(0, 2).join('')).length, 2)
        assert.match(listed!, new RegExp(`Go on with ${prefix}execute \\{"entity":"tasks"`))
        assert.equal(seen, ofTexts.includes(loop) ? 'The file is an image (image/png).' : 'image/png')
        assert.equal(heard.length, 4)
        await close()
      })

      it(`tools for operations read ${what}: ${framework}`, async () => {
        const { some, close } = await open()
        const { project, attachment_text: attachment_gid } = hosted.at
        const [wrong, listed, read, ...others] = await loop(some, [
          { name: 'asana_tasks_list', input: { limit: 2 } },
          { name: 'asana_tasks_list', input: { project, limit: 2, select_fields: ['gid', 'name'] } },
          { name: 'asana_attachments_download', input: { attachment_gid } },
        ])
        assert.match(wrong!, /^invalid_params: .*[Gg]ive exactly one scope/)
        assert.match(
          listed!,
          /^\[\{"gid":"\d+","name":"[^"]+"\},\n\{.*\}\]\nThere are more pages\. Go on with asana_tasks/,
        )
        assert.match(read!, /^Agreed on the call/)
        assert.deepEqual(others, [])
        await close()
      })
    }
})

describe('the few tools', () => {
  it('are those of agents, and take few tokens', async () => {
    const asana = fromHere()
    for (const [made, expected] of [
      [await tools(service()), ['list_connectors', 'describe', 'execute', 'search', 'sql', 'get_file']],
      [
        await tools(throughService()),
        ['asana_describe', 'asana_execute', 'asana_search', 'asana_sql', 'asana_get_file'],
      ],
      [await tools(asana), ['asana_describe', 'asana_execute', 'asana_get_file']],
    ] as const) {
      assert.deepEqual(namesOf(made), expected)
      for (const { inputSchema } of made)
        assert.equal(
          'connector' in inputSchema.properties,
          made.length === 6 && inputSchema.properties.kind === undefined,
        )
      const tokens = countTokens(JSON.stringify(toAnthropic(made)))
      assert.ok(tokens <= 1200, `${expected.length} tools have ${tokens} tokens`)
    }
    await asana.close()
  })

  it('search the copy, and tell a model how', async () => {
    const made = await tools(throughService())
    const told = await named(made, 'asana_describe').execute({ entity: 'tasks', action: 'search' })
    assert.match(told.text, /\{"eq": \{"completed": false\}/)
    const found = await named(made, 'asana_search').execute({ entity: 'tasks', limit: 2, fields: ['name'] })
    assert.equal(structuredOf(found).result.hits.length, 2)
    assert.match(found.text, /The copy is \d+ s old\./)
    const wrong = await named(made, 'asana_search').execute({ entity: 'tasks', filter: { eq: { nmae: 'x' } } })
    assert.match(wrong.text, /^invalid_query: .*did you mean "name"\?\nNext: asana_describe \{"entity":"tasks"\}$/)
  })

  it('run SQL over the copies', async () => {
    const sql = named(await tools(throughService()), 'asana_sql')
    const { text } = await sql.execute({ sql: 'select count(*) as n from tasks' })
    assert.match(text, /^\[\{"n":\d+\}\]\n/)
    const elsewhere = { entity: 'tasks', action: 'sql', params: { sql: 'select 1' } }
    const execute = named(await tools(throughService()), 'asana_execute')
    assert.match((await execute.execute(elsewhere)).text, /\nNext: asana_sql \{"sql":"select 1"\}$/)
    const asana = fromHere()
    const local = named(await tools(asana), 'asana_execute')
    assert.doesNotMatch((await local.execute(elsewhere)).text, /Next/)
    await asana.close()
  })

  it('give the same here and through a service', async () => {
    const input = { entity: 'tasks', action: 'list', params: { project: hosted.at.project } }
    const asana = fromHere()
    const [here, there] = await Promise.all(
      [asana, throughService()].map(async (system) => named(await tools(system), 'asana_execute').execute(input)),
    )
    assert.ok(structuredOf(here!).result.length > 0)
    assert.deepEqual(there, here)
    await asana.close()
  })

  it('need no connector named where there is one, and ask for it where there are several', async () => {
    const bob = (await hosted.server.issueToken('bob')).token
    const execute = async (client: Conex) =>
      named(await tools(client), 'execute').execute({ entity: 'workspaces', action: 'list' })
    await hosted.connect(hosted.credentials('two'), bob)
    const own = await execute(service().forEndUser('bob'))
    assert.equal(own.error, undefined, own.text)
    const { error, text } = await execute(service())
    assert.equal(error?.code, 'invalid_request')
    assert.match(text, new RegExp(`There are several connectors.*${hosted.connector}`))
    const foreign = await named(await tools(service().forEndUser('bob')), 'execute').execute({
      connector: hosted.connector,
      entity: 'workspaces',
      action: 'list',
    })
    assert.equal(foreign.error?.code, 'not_found')
  })

  it('lead from one tool to the other where one cannot do it', async () => {
    const execute = named(await tools(throughService(), { prefix: 'work ' }), 'work_execute')
    const params = { attachment_gid: '1' }
    const file = await execute.execute({ entity: 'attachments', action: 'download', params })
    assert.match(file.text, /\nNext: work_get_file \{"entity":"attachments","params":\{"attachment_gid":"1"\}\}$/)
    const search = await execute.execute({ entity: 'tasks', action: 'search' })
    assert.match(search.text, /\nNext: work_search \{"entity":"tasks"\}$/)
  })
})

describe('tools for operations', () => {
  it('have names, descriptions and schemas that every model takes', async () => {
    const kinds = await service().connectorTypes.list()
    for (const { connector_type, entities } of kinds) {
      const only = entities.map(({ name }) => name)
      const made = await tools(service().connect(connector_type as 'asana', { externalUserId: 'ann' }), {
        only: only as 'tasks'[],
      })
      assert.equal(made.length, entities.flatMap(({ actions }) => actions).length)
      assert.equal(new Set(namesOf(made)).size, made.length)
      for (const { name, description, inputSchema } of made) {
        assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
        assert.ok(description.length <= 1024, name)
        assert.doesNotMatch(JSON.stringify(inputSchema), /"x-/)
        // Some models refuse a list that does not say of what.
        JSON.stringify(inputSchema, (_, part) => {
          if (part?.type === 'array') assert.ok('items' in part, name)
          return part
        })
        for (const param of Object.keys(inputSchema.properties)) assert.match(param, /^[a-zA-Z0-9_.-]{1,64}$/)
        assert.ok(!('connector' in inputSchema.properties))
      }
    }
  })

  it('are the chosen ones, under another prefix, and without search where there is none', async () => {
    const asana = fromHere()
    assert.deepEqual(namesOf(await tools(asana, { only: ['tasks'] })), ['asana_tasks_list', 'asana_tasks_get'])
    const some = await tools(asana, { only: ['tasks.list', 'tasks.get'], prefix: 'work_' })
    assert.deepEqual(namesOf(some), ['work_tasks_list', 'work_tasks_get'])
    // @ts-expect-error there is no such operation
    await assert.rejects(tools(asana, { only: ['taks.list'] }), { code: 'unknown_entity', message: /"tasks"\?/ })
    await assert.rejects(tools(asana, { only: ['tasks.search'] }), { code: 'unknown_action' })
    await asana.close()
    // @ts-expect-error the kind is missing
    await assert.rejects(tools(service(), { only: ['tasks'] }), { code: 'invalid_request' })
    await assert.rejects(tools(service(), { only: ['asna.tasks'] }), { code: 'not_found', message: /"asana"\?/ })
  })
})

describe('a result', () => {
  const limits = [2000, 5000]

  it('is no longer than agreed, and a program that follows it meets every record once', async () => {
    const project = hosted.at.project!
    const all = await Array.fromAsync(throughService().tasks.list.all({ project }), ({ gid }) => gid)
    for (const maxCharacters of limits)
      for (const [made, name, input] of [
        [
          await tools(throughService(), { maxCharacters }),
          'asana_execute',
          { entity: 'tasks', action: 'list', params: { project, limit: 20 } },
        ],
        [
          await tools(service().forEndUser('ann'), { only: ['asana.tasks.list'], maxCharacters }),
          'asana_tasks_list',
          { project, limit: 20 },
        ],
      ] as const) {
        const met: string[] = []
        let next: { readonly tool: string; readonly arguments: object } | undefined = { tool: name, arguments: input }
        while (next !== undefined) {
          const output = await named(made, next.tool).execute(next.arguments)
          assert.ok(output.text.length <= maxCharacters, `${output.text.length} characters`)
          const structured = structuredOf(output)
          met.push(...structured.result.map(({ gid }: { gid: string }) => gid))
          next = structured.next
          // The bounds hold by default, so that no call has to repeat them.
          assert.doesNotMatch(output.text, /max_characters/)
        }
        assert.deepEqual(met, all)
      }
  })

  it('is shortened as the program wishes, unless a call wishes otherwise', async () => {
    const made = await tools(throughService(), { maxText: 20, omitEmpty: true, maxCharacters: 12_000 })
    const execute = named(made, 'asana_execute')
    const { max_characters, max_text, omit_empty } = execute.inputSchema.properties
    assert.equal(max_characters!.description, 'Budget, 12000 by default')
    assert.equal(max_text!.description, 'Cuts longer texts, 20 by default')
    assert.equal(omit_empty!.description, 'Leaves out null and empty fields, true by default')
    const input = { entity: 'projects', action: 'get', params: { project_gid: hosted.at.project } }
    const short = structuredOf(await execute.execute(input)).result
    assert.match(short.permalink_url, /^.{20}… \[\d+ characters in all\]$/)
    assert.ok(!Object.values(short).includes(null))
    const whole = { ...input, max_text: 1_000_000, max_characters: 1_000_000, omit_empty: false }
    const { result } = await throughService().projects.get({ project_gid: hosted.at.project! })
    assert.deepEqual(structuredOf(await execute.execute(whole)).result, result)
    for (const options of [{ maxCharacters: 10 }, { maxText: 2.5 }, { omitEmpty: 'yes' as unknown as boolean }])
      await assert.rejects(
        tools(throughService(), options),
        (error) => error instanceof ConexError && error.message.includes(Object.keys(options)[0]!),
      )
  })

  it('is the text of a file, piece by piece', async () => {
    const attachment_gid = hosted.at.attachment_text!
    const whole = await (await throughService().attachments.download({ attachment_gid })).text()
    const [download] = await tools(throughService(), { only: ['attachments.download'] })
    assert.equal((await download!.execute({ attachment_gid })).text, whole)
    const rest = await download!.execute({ attachment_gid, range_header: 'bytes=7-' })
    assert.equal(rest.text, whole.slice(7))
  })

  it('is a link to other files, if the program keeps them', async () => {
    const given = { entity: 'attachments', params: { attachment_gid: hosted.at.attachment_12338_bytes } }
    const without = await named(await tools(throughService()), 'asana_get_file').execute(given)
    assert.match(without.text, /^The file .*12338 bytes\) is not text, so it cannot be shown\.$/)
    const kept: number[] = []
    const made = await tools(throughService(), {
      async saveFile(file) {
        kept.push((await file.bytes()).length)
        return { url: 'https://files.example/1' }
      },
    })
    const { text } = await named(made, 'asana_get_file').execute(given)
    assert.match(text, /is not text, so here is a link: https:\/\/files\.example\/1$/)
    assert.deepEqual(kept, [12338])
  })

  it('is what went wrong, and only a caller who has gone gets an error', async () => {
    const execute = named(await tools(throughService()), 'asana_execute')
    const wrong = await execute.execute({ entity: 'tasks', action: 'list', params: { asignee: 'me' } })
    assert.equal(wrong.error?.code, 'invalid_params')
    assert.match(wrong.error.errors![0]!.message, /did you mean "assignee"/)
    assert.match(wrong.text, /Next: asana_describe \{"entity":"tasks","action":"list"\}$/)
    for (const input of ['tasks', ['tasks'], { entity: 7 }, null])
      assert.equal((await execute.execute(input)).error?.code, 'invalid_request', JSON.stringify(input))
    const missing = { entity: 'tasks', action: 'get', params: { task_gid: '404' } }
    assert.equal((await execute.execute(missing)).error?.code, 'record_not_found')
    const signal = AbortSignal.abort(new Error('gone'))
    await assert.rejects(execute.execute({ entity: 'workspaces', action: 'list' }, { signal }), /gone/)
    const [list] = await tools(throughService(), { only: ['tasks.list'] })
    for (const input of ['tasks', ['tasks']])
      assert.equal((await list!.execute(input)).error?.code, 'invalid_request', JSON.stringify(input))
  })

  it('names a chosen field that no record has, and takes any other', async () => {
    const execute = named(await tools(throughService()), 'asana_execute')
    const list = { entity: 'tasks', action: 'list', params: { project: hosted.at.project } }
    const near = await execute.execute({ ...list, select_fields: ['gid', 'nmae', 'created_by.gid'] })
    assert.deepEqual(near.error?.errors, [
      { path: '/select_fields/1', message: '"nmae" is no field of these records; did you mean "name"?' },
    ])
    assert.match(near.text, /^invalid_params: .*did you mean "name"\?\nNext: asana_describe /)
    // What the system gives without being asked for more, or only when asked for it.
    for (const select_fields of [['created_by.gid'], ['gid', 'due_on']]) {
      const { result } = structuredOf(await execute.execute({ ...list, select_fields }))
      assert.deepEqual(Object.keys(result[0]), select_fields[0] === 'gid' ? select_fields : ['created_by'])
    }
    const [tasks] = await tools(throughService(), { only: ['tasks.list'] })
    const { error } = await tasks!.execute({ project: hosted.at.project, select_fields: ['nmae'] })
    assert.equal(error?.code, 'invalid_params')
  })

  it('of a call that no tool can run tells the model what to do', async () => {
    const made = await tools(throughService(), { only: ['workspaces.list'] })
    assert.match(await callTool(made, 'asana_workspace_list', {}), /^unknown_action: .*mean "asana_workspaces_list"\?$/)
    assert.match(await callTool(made, 'pay', {}), /^unknown_action: .*; there are asana_workspaces_list\.$/)
    assert.match(await callTool(made, 'asana_workspaces_list', '{"limit":'), /^invalid_params: .*one JSON object\.$/)
    assert.match(await callTool(made, 'asana_workspaces_list', ''), /^\[\{/)
    assert.match(await callTool(made, 'asana_workspaces_list', '{"limit": 1}'), /^\[\{/)
  })
})

describe('requests that the packages send', () => {
  it('say that arguments may be left out, and hold nothing but the definitions', async () => {
    for (const options of [{}, { only: ['tasks.list'] as const }]) {
      const made = await tools(throughService(), options)
      const [{ name, description, inputSchema }] = made as [Tool]
      // biome-ignore lint/suspicious/noExplicitAny: each package has a shape of its own
      const asked: any[] = []
      const keep = (request: object): object => {
        asked.push(request)
        return {}
      }
      await withProvider(keep, async (baseURL) => {
        const openai = new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 })
        const messages = [{ role: 'user' as const, content: prompt }]
        const chat: OpenAI.Chat.ChatCompletionTool[] = toOpenAiChat(made)
        const responses: OpenAI.Responses.Tool[] = toOpenAiResponses(made)
        const anthropic: Anthropic.Tool[] = toAnthropic(made)
        await openai.chat.completions.create({ model: 'm', messages, tools: chat })
        await openai.responses.create({ model: 'm', input: prompt, tools: responses }).catch(() => {})
        const client = new Anthropic({ baseURL, apiKey: 'k', maxRetries: 0 })
        await client.messages.create({ model: 'm', max_tokens: 9, messages, tools: anthropic })
        const model = createGateway({ baseURL, apiKey: 'k' })('openai/m')
        const sent = generateText({ model, tools: toAiSdk(made, jsonSchema), prompt, maxRetries: 0 })
        await assert.rejects(sent)
      })
      assert.deepEqual(
        asked.map(({ url, tools: [first] }) => [url, first]),
        [
          [
            '/chat/completions',
            { type: 'function', function: { name, description, parameters: inputSchema, strict: false } },
          ],
          ['/responses', { type: 'function', name, description, parameters: inputSchema, strict: false }],
          ['/v1/messages', { name, description, input_schema: inputSchema, strict: false }],
          ['/language-model', { type: 'function', name, description, inputSchema, strict: false }],
        ],
      )
      assert.deepEqual(inputSchema.required, [])
      const [langChain] = toLangChain(made, DynamicStructuredTool)
      assert.deepEqual(langChain!.extras, { strict: false })
      assert.deepEqual(convertToOpenAITool(langChain!, { strict: false }).function.parameters, inputSchema)
    }
  })
})
