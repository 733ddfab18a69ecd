import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkKeys } from './check-keys.ts'

const isRefused = (source: string, field: string, line = 1) =>
  assert.throws(() => checkKeys(source, 'connector.ts'), {
    message: new RegExp(`^connector\\.ts:${line} declares "${field}" twice`),
  })

describe('the check of fields', () => {
  it('refuses a field that an object has twice, however it is written', () => {
    isRefused('const a = { tasks: 1, users: 2, tasks: 3 }', 'tasks')
    isRefused(`const a = {\n  tasks: entity({}),\n  'tasks': entity({}),\n}`, 'tasks', 3)
    isRefused('const a = { tasks, users, tasks }', 'tasks')
    isRefused('const a = { tasks: { list: 1 }, users: {}, tasks }', 'tasks')
    isRefused('const a = { b: { id: 1, name: 2, id: 3 } }', 'id')
  })

  it('counts each object for itself', () => {
    checkKeys('const a = { id: 1, b: { id: 2 }, c: [{ id: 3 }, { id: 4 }] }', 'connector.ts')
  })

  it('is not misled by texts, comments, templates, patterns and types', () => {
    const source = [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
      'const a = { one: "}, one: {", two: `${ { one: 1 }.one }, two: ${ 2 }`, three: /[{,]three:/ }',
      '// { four: 1, four: 2',
      'const b = { /* five: */ five: c ? five : five, six: c / 2, seven: d / 3 }',
      'interface E { all(x: F): G<void, H, void>; map: Map<string, () => string> }',
      'const f = ({ one, two }: { one: string; two: string }) => one < two && two > one',
      'function g() { const one: string = "", two: string = ""; if (one) { one } return { one, two } }',
    ]
    for (const line of [...source, source.join('\n')]) checkKeys(line, 'connector.ts')
  })

  it('finds a field behind such parts', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    isRefused('const a = { one: `}${ `${1}` }{`, two: /[/}]/, three: Map<A, B>, one: 2 }', 'one')
  })
})
