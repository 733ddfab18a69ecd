/** `conex connector test`: runs the conformance suite on a connector from outside, and says what to mend. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { conex } from './conex.ts'

const outside = join(import.meta.dirname, 'outside/tracker')

describe('conex connector test', () => {
  const folders: string[] = []
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  /** A folder with the tracker in it, in which parts of its files are replaced. */
  function tracker(...changes: readonly (readonly [file: string, part: string, by: string])[]): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conex-tested-')))
    folders.push(folder)
    cpSync(outside, join(folder, 'connectors/tracker'), { recursive: true })
    for (const [file, part, by] of changes) {
      const path = join(folder, 'connectors/tracker', file)
      const source = readFileSync(path, 'utf8')
      assert.ok(source.includes(part), part)
      writeFileSync(path, source.replaceAll(part, by))
    }
    return folder
  }
  const test = (folder: string, ...args: string[]) => conex(['connector', 'test', ...args], { folder })

  it('passes a good connector in every check, one line for each', async () => {
    const folder = tracker()
    const { code, stdout, stderr } = await test(folder, './connectors/tracker')
    assert.equal(code, 0, String(stdout) + stderr)
    const lines = String(stdout).trimEnd().split('\n')
    assert.equal(lines.at(0), 'tracker: 16 checks against its simulated system')
    assert.match(lines.at(-1)!, /^16 of 16 checks passed in \d+\.\d s$/)
    assert.equal(lines.filter((line) => line.startsWith('✓ ')).length, 16)
    for (const words of ['credentials of token', 'issues list ends', 'issues get answers', 'chooses', 'keeps a copy'])
      assert.ok(
        lines.some((line) => line.includes(words)),
        words,
      )
  })

  it('says of a field that comes otherwise than declared where it is and what to do', async () => {
    const folder = tracker(['simulator/simulator.ts', 'points: index % 8', "points: index === 3 ? 'many' : index % 8"])
    const { code, stdout } = await test(folder, 'connectors/tracker', '--only', 'issues list answers')
    assert.equal(code, 1)
    const told = String(stdout)
    assert.match(told, /^✗ issues list answers as declared/m)
    assert.match(told, /points/)
    assert.match(told, /last request: GET \/tracker\/issues/)
    assert.match(told, /to mend: Compare the record of issues list/)
    assert.match(told, /^0 of 1 checks passed in \d+\.\d s; 1 failed$/m)
  })

  it('says of a refusal that is misread which code it must become', async () => {
    const folder = tracker(['connector.ts', "'reauthorization_required'", "'upstream_refused'"])
    const { code, stdout } = await test(folder, './connectors/tracker', '--only', 'issues get fails')
    assert.equal(code, 1)
    assert.match(String(stdout), /status 401 must become reauthorization_required, not upstream_refused/)
  })

  it('finds a list without an end', async () => {
    const folder = tracker(['simulator/simulator.ts', 'to < issues.length ? String(to) : null', "'0'"])
    const { code, stdout } = await test(folder, './connectors/tracker', '--only', 'issues list ends')
    assert.equal(code, 1)
    assert.match(String(stdout), /✗ issues list ends[\s\S]*to mend: Compare "paging" of issues list/)
  })

  it('shows where a function of the connector threw', async () => {
    const folder = tracker(['connector.ts', 'if (answer.status < 400) return null', "throw new Error('out of paper')"])
    const { code, stdout } = await test(folder, './connectors/tracker', '--only', 'issues get answers')
    assert.equal(code, 1)
    assert.match(String(stdout), /something threw: out of paper\n +at .*readRefusal .*connector\.ts:\d+/)
  })

  it('tests what conex.config.ts names if nothing is named, and prints JSON for programs', async () => {
    const folder = tracker()
    assert.match((await test(folder)).stderr, /no connector from outside of Conex here/)
    writeFileSync(join(folder, 'conex.config.ts'), "export default { connectors: ['./connectors/tracker'] }\n")
    const { code, records, stderr } = await test(folder, '--json', '--only', 'described as')
    assert.equal(code, 0, stderr)
    const told = (records() as { connector: string; ok: boolean }[]).map(({ connector, ok }) => [connector, ok])
    assert.deepEqual(told, [['tracker', true]])
    assert.match((await test(folder, 'tracker', '--only', 'nothing such')).stderr, /No check of tracker has "nothing/)
  })

  it('says what to add where there is no simulated system', async () => {
    const folder = tracker()
    rmSync(join(folder, 'connectors/tracker/simulator'), { recursive: true })
    const { code, stderr } = await test(folder, './connectors/tracker')
    assert.equal(code, 2)
    assert.match(stderr, /add \.\/connectors\/tracker\/simulator\/simulator\.ts, as "conex connector new" writes it/)
  })
})
