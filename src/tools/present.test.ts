import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Bounds } from './bounds.ts'
import { present } from './present.ts'
import type { Call, ToolResult } from './tool.ts'

/** A system whose pages hold these records; a cursor is the number of a page. */
function ask(pages: readonly (readonly unknown[])[], given: Call['arguments']): ToolResult {
  const { cursor = 0, ...bounds } = given as Bounds & { readonly cursor?: number }
  const next = cursor + 1 < pages.length ? { cursor: cursor + 1 } : null
  const answer = { result: pages[cursor]!, connector_metadata: {} }
  const call = { tool: 'execute', arguments: given }
  return present(answer, { call, bounds, nextPage: next, chooser: 'select_fields', about: [] })
}

const lengthOf = ({ content }: ToolResult): number =>
  content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)

/** All records, read as a model does that follows what it is told. */
function readAll(pages: readonly (readonly unknown[])[], max_characters: number): unknown[] {
  const records: unknown[] = []
  let given: Call['arguments'] = { max_characters, max_text: 1_000_000 }
  for (let calls = 0; ; calls++) {
    assert.ok(calls < 1000, 'It goes on for ever.')
    const result = ask(pages, given)
    assert.ok(lengthOf(result) <= (given.max_characters as number), `${lengthOf(result)} characters`)
    const { result: shown, next } = result.structuredContent as { result: unknown[]; next?: Call }
    assert.deepEqual(JSON.parse((result.content[0] as { text: string }).text), shown)
    records.push(...shown)
    if (next === undefined) return records
    given = next.arguments
  }
}

describe('a list that is longer than its budget', () => {
  const record = fc.record({ id: fc.nat(), numbers: fc.array(fc.nat(), { maxLength: 600 }) }, { noNullPrototype: true })
  const pages = fc.array(fc.array(record, { maxLength: 12 }), { minLength: 1, maxLength: 4 })

  it('is read whole by following the calls, with nothing lost or doubled', () => {
    fc.assert(
      fc.property(pages, fc.integer({ min: 2000, max: 6000 }), (given, budget) =>
        assert.deepEqual(readAll(given, budget), given.flat()),
      ),
      { numRuns: 60 },
    )
  })

  it('says how many records are left, and the call that goes on', () => {
    const records = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(90) }))
    const { content, structuredContent } = ask([records], { max_characters: 3000 })
    const shown = (structuredContent!.result as unknown[]).length
    const note = (content[1] as { text: string }).text
    assert.match(note, new RegExp(`^${shown} of 100 records of this page are shown, ${100 - shown} are left\\.`))
    assert.match(note, new RegExp(`Go on with execute \\{"max_characters":3000,"skip":${shown}\\}\\.`))
  })
})

describe('a record', () => {
  it('is one record, whatever its fields are called', () => {
    const result = { name: 'a target', hits: [{ at: 1 }, { at: 2 }] }
    const call = { tool: 'execute', arguments: {} }
    const presented = present(
      { result, connector_metadata: {} },
      { call, bounds: {}, nextPage: null, chooser: 'select_fields', about: [] },
    )
    assert.deepEqual(JSON.parse((presented.content[0] as { text: string }).text), result)
  })

  const one = (result: unknown, bounds: Bounds = {}): ToolResult =>
    present(
      { result, connector_metadata: {} },
      {
        call: { tool: 'execute', arguments: { ...bounds } },
        bounds,
        nextPage: null,
        chooser: 'select_fields',
        about: [],
      },
    )
  const textOf = ({ content }: ToolResult, at: number): string => (content[at] as { text: string }).text

  it('keeps every text that fits', () => {
    const record = { notes: 'n'.repeat(15_000) }
    assert.deepEqual(one(record).content, [{ type: 'text', text: JSON.stringify(record) }])
  })

  it('has long texts cut with their full length told, where they do not fit', () => {
    const cut = one({ id: '1', about: { notes: `${'n'.repeat(30_000)}` } })
    assert.match(textOf(cut, 0), /^\{"id":"1","about":\{"notes":"n{1000}… \[30000 characters in all\]"\}\}$/)
    assert.match(
      textOf(cut, 1),
      /about\.notes, has 30000 characters.*"max_text": 30000 and select_fields \["about\.notes"\]/,
    )
  })

  it('that fits no budget names its largest fields and the budget that it needs', () => {
    const record = { id: '1', sentences: Array.from({ length: 5000 }, () => 'word') }
    const { structuredContent, content } = one(record)
    assert.equal(structuredContent!.result, null)
    assert.match((content[1] as { text: string }).text, /its largest are sentences \(35001\), id \(3\)/)
    const { next } = structuredContent as unknown as { next: Call }
    const whole = one(record, next.arguments as Bounds)
    assert.deepEqual(JSON.parse(textOf(whole, 0)), record)
  })

  it('loses null and empty fields only where asked, at any depth, and never the items of a list', () => {
    const record = { a: null, b: '', c: [], d: {}, e: { f: null }, g: [null, { h: '' }], i: 0, j: false }
    assert.equal(textOf(one(record), 0), JSON.stringify(record))
    assert.equal(textOf(one(record, { omit_empty: true }), 0), '{"g":[null,{}],"i":0,"j":false}')
  })

  it('keeps every digit in its text', () => {
    assert.equal(textOf(one({ id: 12345678901234567890n }), 0), '{"id":12345678901234567890}')
  })
})
