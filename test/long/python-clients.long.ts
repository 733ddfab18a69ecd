/**
 * Part of `npm run test:long`: the Python clients that the reference service publishes, against Conex. It needs python3 (3.11 or
 * newer) with venv, and the package registry of Python. With RECORD=1 it writes their requests anew; without, they must be
 * those that `test/reference-clients` sends again.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { actionsOf } from '../../src/catalog/catalog.ts'
import type { Connector } from '../../src/catalog/connector.ts'
import { catalog } from '../../src/connectors/index.ts'
import { stringifyJson } from '../../src/json.ts'
import { askedOf } from '../reference-clients/asked.ts'
import { judge } from '../reference-clients/judge.ts'
import { hide, type Literals, learn, literalsOf } from '../reference-clients/placeholders.ts'
import { type Exchange, startRecorder } from '../reference-clients/recorder.ts'
import { fileOf, type Generation, generations, recorded, type WireAnswer } from '../reference-clients/requests.ts'
import { type Kind, kinds, startServed } from '../reference-clients/served.ts'

const programs = join(import.meta.dirname, 'python')
const noPython =
  spawnSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))']).status !== 0

/** What a program prints of a call. */
interface Told {
  readonly kind: Kind
  readonly entity: string
  readonly method: string
  readonly result?: unknown
  readonly error?: { readonly type: string; readonly message: string }
  /** The ids of the answers that it got. */
  readonly answers: readonly string[]
}

interface Difference {
  /** Operations of the client that Conex has not, other than those that write. */
  readonly beyond: readonly string[]
  /** Operations of Conex that the client has not. */
  readonly lacking: readonly string[]
}

const none: Difference = { beyond: [], lacking: [] }
const pixels = ['pixels.get', 'pixels.list', 'pixel_stats.list', 'ad_library.list']
const differences: Readonly<Record<Generation, Readonly<Record<Kind, Difference>>>> = {
  february: { asana: none, gong: none, 'facebook-marketing': none },
  april: { asana: none, gong: none, 'facebook-marketing': { beyond: pixels, lacking: [] } },
  current: {
    asana: { beyond: ['tag_tasks.list', 'section_tasks.list'], lacking: [] },
    gong: { beyond: ['call_transcripts.search'], lacking: [] },
    'facebook-marketing': {
      beyond: ['ad_accounts.get', ...pixels],
      lacking: ['ad_account.get', 'ad_account.search'],
    },
  },
}

describe('the Python clients of the reference service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conex-python-clients-'))
  const bin = join(folder, 'venv', 'bin')
  const february = join(folder, 'february')

  async function run(command: string, args: readonly string[], env: object = {}, input = ''): Promise<string> {
    const program = spawn(command, args, { cwd: programs, env: { ...process.env, HOME: folder, ...env } })
    program.stdin.end(input)
    const [out, err, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'close')])
    assert.equal(code, 0, `${command} ${args.join(' ')}\n${out.slice(-2000)}\n${err}`)
    return out
  }

  before(async () => {
    assert.ok(!noPython, 'The Python clients cannot run: there is no python3 from 3.11 on with venv.')
    await run('python3', ['-m', 'venv', join(folder, 'venv')])
    // They say that they need Python 3.13, and work with older ones.
    const install = ['install', '--quiet', '--disable-pip-version-check', '--ignore-requires-python']
    await run(join(bin, 'pip'), [...install, '-r', 'requirements.txt'])
    mkdirSync(february)
    await run(join(bin, 'pip'), [...install, '--no-deps', '--target', february, '-r', 'requirements-february.txt'])
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const generation of generations)
    it(`work by a change of the address alone (${generation})`, async (t) => {
      const served = await startServed()
      t.after(() => served.close())
      const exchanges: Exchange[] = []
      const wrong: string[] = []
      const { origin, close } = await startRecorder(served.hosted.server.origin, async (exchange) => {
        exchanges.push(exchange)
        const { request, answer } = exchange
        await judge(served, request, answer).catch((error: Error) =>
          wrong.push(`${JSON.stringify(request)}\n${answer.status} ${answer.text.slice(0, 500)}\n${error.message}`),
        )
      })
      t.after(close)
      const env = {
        SDK_DEV_ADP_API_HOST: origin,
        AIRBYTE_TELEMETRY_MODE: 'disabled',
        PYTHONDONTWRITEBYTECODE: '1',
        ...(generation === 'february' && { PYTHONPATH: february }),
      }
      const input = JSON.stringify({ origin, ...(await askedOf(served)) })
      const printed = await run(join(bin, 'python'), [`${generation}.py`], env, input)
      assert.deepEqual(wrong, [])

      const lines = linesOf(exchanges, literalsOf(served))
      if (process.env.RECORD === '1') writeFileSync(fileOf(generation), `${lines.join('\n')}\n`)
      assert.deepEqual(lines, recorded(generation))

      const told: Told[] = printed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Told)
      const byId = new Map(exchanges.map((one) => [one.answer.headers.get('x-request-id')!, one]))
      for (const one of told) {
        const heard = byId.get(one.answers.at(-1)!)
        assert.ok(heard, `${one.kind} ${one.entity} ${one.method} asked nothing: ${one.error?.message}`)
        isTold(generation, one, heard.answer)
      }
      for (const kind of kinds) {
        const called = told
          .filter((one) => one.kind === kind)
          .map((one) => ({ ...one, ...byId.get(one.answers.at(-1)!)! }))
        assert.deepEqual(differenceOf(kind, called), differences[generation][kind], kind)
      }
    })
})

/** The program was told what is in the answer: the records with all of their values, or what is wrong. */
function isTold(
  generation: Generation,
  { method, result, error, ...call }: Told,
  { status, body, text }: WireAnswer,
): void {
  const label = `${call.kind} ${call.entity} ${method}`
  if (error === undefined) {
    assert.ok(status < 300, `${label}: ${text}`)
    if (method.startsWith('documents'))
      for (const { text: paragraph } of body.content) assert.ok((result as string).includes(paragraph), label)
    // The current client checks with an operation of its own choice.
    else if (method.endsWith('check')) assert.equal((result as { status: string }).status, 'healthy', label)
    else assert.deepEqual(withoutNull(result), withoutNull(givenIn(method, body)), label)
  } else if (status === 200) {
    // These clients read every answer of the hosted service as JSON, the bytes of a file too.
    const expected = method.startsWith('download') ? /DecodeError/ : /unknown end user.*No connector found/
    assert.match(`${method} ${error.type} ${error.message}`, expected, label)
  } else {
    const shown =
      generation === 'current'
        ? (body.errors?.map((one: { userPresentableMessage: string }) => one.userPresentableMessage).join(', ') ?? text)
        : text
    // The February clients show the status alone.
    assert.ok(error.message.includes(generation === 'february' ? String(status) : shown), `${label}: ${error.message}`)
  }
}

/** What a method gives its caller of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function givenIn(method: string, body: any): unknown {
  const { result, connector_metadata: meta } = body ?? {}
  switch (method) {
    case 'consent':
      return body.consent_url
    case 'inspect':
      return body
    case 'workspace':
      return body.data[0].id
    case 'connectors of the workspace':
    case 'delete':
      return body.data.map(
        ({ summarized_source_template: { name }, ...one }: { summarized_source_template: { name: string } }) => ({
          ...one,
          connector_type: name,
        }),
      )
    case 'list with an intent':
      return { success: true, data: result, meta }
    default:
      return Array.isArray(result) ? { data: result, meta } : result
  }
}

/** Clients add the fields that they know, as null, leave out what is empty around records, and write numbers in their own way. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull)
  if (typeof value === 'bigint' || value instanceof Number) return Number(value)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]) => [name, withoutNull(part)] as const)
  return Object.fromEntries(parts.filter(([, part]) => part !== null && !isDeepStrictEqual(part, {})))
}

/** How the operations that a client called differ from those of the catalog. */
function differenceOf(kind: Kind, calls: readonly (Told & Exchange)[]): Difference {
  const beyond: string[] = []
  const called = new Set<string>()
  for (const { entity, method, answer } of calls) {
    if (!/^(list|get|download|search|context_store_search)$/.test(method) || entity === 'nothing') continue
    const name = `${entity}.${method.replace('context_store_', '')}`
    if (/^unknown_/.test(answer.body?.code)) beyond.push(name)
    else called.add(name)
  }
  const own = Object.entries((catalog[kind] as Connector).entities).flatMap(([entity, declared]) =>
    actionsOf(declared).map((action) => `${entity}.${action}`),
  )
  return { beyond, lacking: own.filter((name) => !called.has(name)) }
}

/** Each request once, with names for what differs from one server to the next. */
function linesOf(exchanges: readonly Exchange[], literals: Literals): string[] {
  const lines = new Set<string>()
  for (const { request, answer } of exchanges) {
    lines.add(hide(stringifyJson(request), literals))
    learn(literals, answer)
  }
  return [...lines]
}
