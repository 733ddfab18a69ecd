/** What people see: tables that fit, progress, and nothing that commands their terminal. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { createProgress } from '../src/cli/terminal/progress.ts'
import { createTable, printRecord } from '../src/cli/terminal/table.ts'
import { cut, fit, width } from '../src/cli/terminal/width.ts'
import { endAll, startConex } from './command.ts'
import { conex } from './conex.ts'
import { inTerminal } from './terminal.ts'

/** A screen that remembers. */
function paper(columns: number) {
  let text = ''
  const stream = new Writable({
    write(piece, _encoding, done) {
      text += piece
      done()
    },
  })
  return Object.assign(stream, {
    isTTY: true,
    columns,
    lines: () => text.replaceAll(colours, '').split('\n').slice(0, -1),
    text: () => text,
  })
}

const colours = /\u001b\[\d*m/g

describe('the width of a text', () => {
  it('counts columns of the terminal, not letters', () => {
    for (const [text, columns] of [
      ['', 0],
      ['plan', 4],
      ['Größe', 5],
      ['Gro\u0308ße', 5],
      ['計画', 4],
      ['👩‍👩‍👧', 2],
      ['🇩🇪!', 3],
    ] as const)
      assert.equal(width(text), columns, text)
  })

  it('is never passed by what is cut or filled up', () => {
    for (const text of ['plan', '計画を立てる', '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 'e\u0301'.repeat(20)])
      for (const columns of [1, 2, 3, 7]) {
        assert.ok(width(cut(text, columns)) <= columns, `${text} in ${columns}`)
        assert.equal(width(fit(text, columns)), columns, `${text} in ${columns}`)
      }
    assert.equal(cut('a long sentence', 7), 'a long…')
  })
})

describe('a table', () => {
  const rows = [
    { notes: 'n'.repeat(90), gid: '1', empty: null, name: 'Plan', assignee: { gid: '7', name: 'Ann' } },
    { notes: '', gid: '22', empty: null, name: 'Build', assignee: null },
  ]

  it('fits the terminal: who it is comes first, what has no value or no room is left out', () => {
    const screen = paper(44)
    const table = createTable(screen)
    table.print(rows)
    assert.deepEqual(screen.lines(), [
      'GID  NAME   NOTES',
      '1    Plan   nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…',
      '22   Build  -',
    ])
    assert.deepEqual(table.left, ['assignee'])
    for (const columns of [1, 5, 12, 80]) {
      const other = paper(columns)
      createTable(other).print(rows)
      for (const line of other.lines()) assert.ok(width(line) <= columns, `"${line}" in ${columns}`)
    }
  })

  it('shows the columns that are asked for, also fields of fields', () => {
    const screen = paper(80)
    createTable(screen, ['name', 'assignee.name', 'assignee', 'nothing']).print(rows)
    assert.deepEqual(screen.lines(), [
      'NAME   ASSIGNEE.NAME  ASSIGNEE  NOTHING',
      'Plan   Ann            Ann       not in the answer',
      'Build  -              -         not in the answer',
    ])
  })

  it('cuts identifiers last', () => {
    const screen = paper(50)
    const row = { id: '01a2206c-4ea6-7000-9d43-948c48ead24e', name: 'A connector with a name', status: 'active' }
    createTable(screen, ['id', 'name', 'status']).print([row])
    assert.equal(screen.lines()[1], '01a2206c-4ea6-7000-9d43-948c48ead24e  A co…  acti…')
    for (const line of screen.lines()) assert.ok(width(line) <= 50)
  })

  it('goes on below its first page', () => {
    const screen = paper(30)
    const table = createTable(screen)
    table.print([{ id: '1', name: 'Plan' }])
    table.print([{ id: '4711', name: 'A name that is longer' }])
    assert.deepEqual(screen.lines(), ['ID  NAME', '1   Plan', '4…  A n…'])
  })

  it('of one record has a line for each field', () => {
    const screen = paper(20)
    printRecord(screen, { name: 'Plan\nB', tags: [{ name: 'red' }, 'blue'], rest: { a: 1 } })
    assert.deepEqual(screen.lines(), ['name  Plan B', 'tags  red, blue', 'rest  {"a":1}'])
  })
})

describe('progress', () => {
  it('draws over itself no more often than the eye follows, fits, and goes away', () => {
    const screen = paper(40)
    let now = 0
    const progress = createProgress({ stderr: screen, env: {} }, () => now)
    for (let done = 0; done < 100; done++) {
      progress.show(done, 100, 'tasks \u001b[2J')
      now += 20
    }
    progress.show(100, 100, 'tasks')
    progress.end()
    const drawn = screen.text().split('\r').slice(1)
    assert.ok(drawn.length > 15 && drawn.length < 25, `${drawn.length}`)
    assert.match(drawn[10]!, /█+░+.* 50% tasks/)
    assert.match(drawn.at(-2)!, /█{24}.* 100% tasks/)
    assert.equal(drawn.at(-1), '\u001b[K')
    for (const one of drawn) assert.ok(width(one.replaceAll(/\u001b\[[\dmK]+/g, '')) < 40)
    assert.ok(!screen.text().includes('\u001b[2J'))
  })

  it('is silent where nobody looks', () => {
    const screen = Object.assign(paper(40), { isTTY: false })
    const progress = createProgress({ stderr: screen, env: {} })
    progress.show(1, 2, 'tasks')
    progress.end()
    assert.equal(screen.text(), '')
  })
})

describe('in a terminal', () => {
  /** What a record of a third-party system could try: move the cursor, set the title, turn the writing round. */
  const hostile = 'A\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnirts\u0000\r\nB'
  let system: Server
  let door: string[]
  let folder: string
  let slow = false

  before(async () => {
    system = createServer((request, response) => {
      if (request.url!.includes('/file')) return void response.end(Buffer.alloc(200_000, '\u001b[31mx'))
      response.setHeader('content-type', 'application/json')
      if (request.url!.includes('/attachments/')) {
        const download_url = `http://127.0.0.1:${(system.address() as AddressInfo).port}/file`
        return void response.end(JSON.stringify({ data: { gid: '1', name: 'f', download_url } }))
      }
      if (request.url!.includes('/users/')) {
        response.statusCode = 403
        return void response.end(JSON.stringify({ errors: [{ message: hostile }] }))
      }
      const offset = Number(new URL(request.url!, 'http://system').searchParams.get('offset') ?? 0)
      const data = Array.from({ length: 3 }, (_, index) => ({
        gid: String(offset + index),
        name: `${hostile} ${'n'.repeat(99)}`,
      }))
      const answer = () =>
        response.end(JSON.stringify({ data, next_page: { offset: String(offset + 3), path: '/', uri: 'https://u' } }))
      if (slow && offset > 0) setTimeout(answer, 30).unref()
      else answer()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => system.once('listening', resolve))
    folder = mkdtempSync(join(tmpdir(), 'conex-cli-'))
    const base = `http://127.0.0.1:${(system.address() as AddressInfo).port}/api/1.0`
    door = ['--base-url', base, '--allow-private-network', '--credential', 'token=t']
  })
  after(() => {
    endAll()
    system.closeAllConnections()
    system.close()
    rmSync(folder, { recursive: true })
  })

  const list = ['execute', 'asana', 'workspaces', 'list']
  const codes = (text: string): string[] => [
    ...new Set(text.match(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e](\[\d*[a-zA-Z])?/g)),
  ]

  it('a list is a table that fits, and no escape code in it is from elsewhere', async () => {
    const { text, code } = await inTerminal([...list, ...door], {}, { columns: 50 })
    assert.equal(code, 0, text)
    assert.match(text, /GID +NAME/)
    assert.match(text, /0 +A�\[2J�\]0;owned/)
    for (const line of text.replaceAll(colours, '').split('\r\n').slice(0, 4)) assert.ok(width(line) <= 50, line)
    for (const one of codes(text)) assert.match(one, /^\u001b\[\d+m$/)
  })

  it('NO_COLOR leaves no escape code at all', async () => {
    const { text } = await inTerminal([...list, ...door], { env: { NO_COLOR: '1' } })
    assert.match(text, /GID +NAME/)
    assert.deepEqual(codes(text), [])
  })

  it('JSON and errors command the terminal no more than tables do', async () => {
    const json = await inTerminal([...list, '--json', ...door])
    assert.deepEqual(
      codes(
        json.text
          .split('\r\n')
          .filter((line) => line.startsWith('{'))
          .join(''),
      ),
      [],
    )
    assert.ok(JSON.parse(json.text.split('\r\n')[0]!).name.startsWith(hostile))
    const error = await inTerminal(['execute', 'asana', 'users', 'get', '--param', 'user_gid=1', ...door], {
      env: { NO_COLOR: '1' },
    })
    assert.equal(error.code, 3)
    assert.match(error.text, /upstream_forbidden/)
    assert.deepEqual(codes(error.text), [])
  })

  it('a file is not poured out, but saved with a bar that goes away', async () => {
    const download = ['execute', 'asana', 'attachments', 'download', '--param', 'attachment_gid=1', ...door]
    const refused = await inTerminal(download)
    assert.equal(refused.code, 2)
    assert.match(refused.text, /--output/)
    const file = join(folder, 'file')
    const saved = await inTerminal([...download, '--output', file])
    assert.equal(saved.code, 0, saved.text)
    assert.equal(readFileSync(file).length, 200_000)
    assert.match(saved.text, /█{24}[^\r]* 100% 195 KiB[^\r]*\r\u001b\[K$/)
  })

  it('a list that goes elsewhere is counted on the way, unless the terminal cannot draw', async () => {
    const into = join(folder, 'list')
    slow = true
    const typing = [{ after: / \d\d records/, keys: '\u0003' }]
    const counted = await inTerminal([...list, '--all', ...door], {}, { into, typing })
    assert.equal(counted.code, 130, counted.text)
    assert.match(counted.text, /\r\u001b\[36m[█░]{24}\u001b\[39m \d+ records\u001b\[K/)
    const lines = readFileSync(into, 'utf8').split('\n')
    assert.equal(lines.pop(), '')
    for (const line of lines) assert.ok(JSON.parse(line).gid)
    slow = false
    const dumb = await inTerminal([...list, ...door], { env: { TERM: 'dumb', NO_COLOR: '1' } }, { into })
    assert.deepEqual(codes(dumb.text), [])
  })

  it('Ctrl-C ends a long list with 130 and nothing more than whole lines', async () => {
    slow = true
    const typing = [{ after: /30 +A/, keys: '\u0003' }]
    const { text, code } = await inTerminal([...list, '--all', ...door], { env: { NO_COLOR: '1' } }, { typing })
    assert.equal(code, 130, text)
    assert.doesNotMatch(text, /error|interrupted|\n\s+at /)
    assert.match(text, /\n(\^C)?$/)
    slow = false
  })

  it('a signal ends a program that nobody looks at in the same way', async () => {
    slow = true
    const running = startConex([...list, '--all', ...door])
    await running.printed(/"gid":"30"/)
    const { code, stderr, records } = await running.stop('SIGTERM')
    assert.deepEqual([code, stderr], [143, ''])
    assert.ok(records().length >= 30)
    slow = false
  })

  it('--table gives people their table through a pipe as well, uncut', async () => {
    const { stdout } = await conex([...list, '--table', '--columns', 'gid,name', ...door])
    assert.match(stdout.toString(), /^GID +NAME\n0 +A�.*n{99}\n/)
    const both = await conex([...list, '--table', '--json', ...door])
    assert.equal(both.code, 2)
  })
})
