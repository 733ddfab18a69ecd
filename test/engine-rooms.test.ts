/** The rooms of the engine: which may import which, and by which files. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'

const root = join(import.meta.dirname, '..')
const engine = 'src/engine'

/** From the ground up: each may import those above it in this list, by their doors alone. The files beside the rooms are open to all. */
const doors: Record<string, readonly string[]> = {
  http: [
    'transport',
    'messages',
    'transport-fault',
    'retry',
    'read-json',
    'read-document',
    'redact',
    'value-at',
    'answer-memory',
    'egress',
    'proxies',
    'parse-json',
    'post-message',
  ],
  request: ['request'],
  paging: ['paging', 'page', 'page-size', 'progress'],
  oauth: ['authorize', 'consent', 'renew', 'revoke'],
  limits: ['limiter', 'shares'],
  call: [
    'call',
    'call-context',
    'check-call',
    'get-record',
    'list-page',
    'prepare',
    'raw-request',
    'refuse',
    'send-with-retries',
    'send-following',
    'shape-answer',
  ],
  download: ['download'],
}
const rooms = Object.keys(doors)

/** The room that a file belongs to; undefined for other files. */
const roomOf = (path: string): string | undefined => new RegExp(`^${engine}/([^/]+)/`).exec(path)?.[1]

const imports = globSync('{src,test,bench}/**/*.ts', { cwd: root })
  .filter((path) => !/\.(test|suite)\.ts$/.test(path))
  .flatMap((from) =>
    [...readFileSync(join(root, from), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, written]) => ({
      from,
      to: join(dirname(from), written!),
    })),
  )
  .filter(({ from, to }) => roomOf(to) !== undefined && roomOf(to) !== roomOf(from))

it('each file of the engine that is in a room is in one that this test knows', () => {
  const files = globSync(`${engine}/*/*.ts`, { cwd: root })
  assert.ok(files.length > 50)
  assert.deepEqual(new Set(files.map(roomOf)), new Set(rooms))
})

it('a room imports only rooms below it', () => {
  for (const { from, to } of imports) {
    const [upper, lower] = [roomOf(from), roomOf(to)]
    assert.ok(upper === undefined || rooms.indexOf(lower!) < rooms.indexOf(upper), `${from} imports ${to}`)
  }
})

it('a room is entered by its doors, each of which is used', () => {
  const used = Object.fromEntries(
    rooms.map((room) => {
      const files = imports.filter(({ to }) => roomOf(to) === room).map(({ to }) => to.split('/').at(-1)!.slice(0, -3))
      return [room, [...new Set(files)].sort()]
    }),
  )
  assert.deepEqual(used, Object.fromEntries(rooms.map((room) => [room, [...doors[room]!].sort()])))
})
