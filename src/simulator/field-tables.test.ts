import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FieldSelection, fieldTables } from './field-tables.ts'

interface View {
  readonly people: Readonly<Record<string, object>>
}

const write = fieldTables<'book' | 'person' | 'shelf', View>({
  tables: {
    book: 'title | author:person readers:person shelf*:shelf notes?',
    person: 'name | born',
    shelf: '| room row',
  },
  id: { name: 'id', without: ['shelf'] },
  derived: { book: { title: ({ title }: { title: string }) => title.toUpperCase() } },
  resolve: (_, id, { people }) => people[id],
})

const view: View = { people: { ana: { id: 'ana', name: 'Ana', born: 1980 } } }
const book = {
  ...{ id: '1', title: 'Emma', author: 'ana', readers: ['ana', 'gone'], shelf: { room: 2, row: 7 } },
  ...{ notes: 'worn', secret: 'hidden' },
}
const select = (fields: Record<string, string[]>): FieldSelection =>
  new Map(Object.entries(fields).map(([name, inner]) => [name, new Map(inner.map((one) => [one, new Map()]))]))

describe('records with declared fields', () => {
  it('are compact, or whole without those that must be selected', () => {
    assert.deepEqual(write('book', 'compact')(book, view), { id: '1', title: 'EMMA' })
    assert.deepEqual(write('book', 'whole')(book, view), {
      ...{ id: '1', title: 'EMMA', author: { id: 'ana', name: 'Ana' } },
      ...{ readers: [{ id: 'ana', name: 'Ana' }], shelf: { room: 2, row: 7 } },
    })
  })

  it('show what is selected, inside of others too, and nothing that is not declared', () => {
    const selected = write('book', select({ notes: [], author: ['born'], shelf: [], secret: [] }))(book, view)
    assert.deepEqual(selected, { id: '1', notes: 'worn', author: { id: 'ana', born: 1980 }, shelf: {} })
  })
})
