import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { arrayOf, id, nullable, objectOf, optional, text } from '../../catalog/fields.ts'
import { get } from '../../catalog/operation.ts'
import { selectedIn, selectionText } from './selection.ts'

const select = {
  send: 'fields',
  default: ['id', 'name', 'owner', 'place'],
  names: { owner: 'proprietor', place: null },
}

const person = objectOf({ id: id(), name: text(), city: optional(nullable(objectOf({ name: text(), place: text() }))) })

const operation = (inner?: 'dots' | 'braces') =>
  get({
    description: 'Get.',
    path: '/things',
    params: { fields: optional(text()) },
    recordsAt: [],
    record: { id: id(), name: text(), owner: optional(person), members: optional(arrayOf(person)), place: text() },
    select: { ...select, param: 'fields', ...(inner && { inner }) },
  })

const selected = (fields?: string) => selectedIn(operation(), { fields }, {})
const sent = (fields?: string) => selectionText(select, selected(fields))
const asked = (fields?: string): string[] | null => {
  const found = selected(fields)
  return found === undefined ? null : [...found.fields]
}
/** What a system is asked for when a caller chooses these paths. */
const chosen = (paths: string[], inner?: 'dots' | 'braces', fields?: string) =>
  selectionText(select, selectedIn(operation(inner), { fields }, { select_fields: paths }))

describe('the selection of fields', () => {
  it('is the default when nothing or a blank is given', () => {
    for (const fields of [undefined, '', ' ']) {
      assert.equal(sent(fields), 'id,name,proprietor')
      assert.equal(asked(fields), null)
    }
  })

  it('is the caller’s, without blanks, empty parts and repeats', () => {
    assert.equal(sent(' name,, id ,name'), 'name,id')
    assert.deepEqual(asked(' name,, id ,name'), ['name', 'id'])
  })

  it('keeps sub-selections and modifiers whole, and knows the field they belong to', () => {
    assert.equal(
      sent('owner{id, name},parts.limit(2){a{b,c}},name'),
      'proprietor{id, name},parts.limit(2){a{b,c}},name',
    )
    assert.deepEqual(asked('owner{id, name},parts.limit(2){a{b,c}},name'), ['owner', 'parts', 'name'])
  })

  it('is said in the system’s words, and leaves out what the system has not', () => {
    assert.equal(sent('place,owner'), 'proprietor')
    assert.deepEqual(asked('place,owner'), ['place', 'owner'])
  })

  it('is the first default field when nothing is left to ask for', () => {
    assert.equal(sent('place'), 'id')
    assert.equal(sent(','), 'id')
    assert.deepEqual(asked(','), [])
  })

  it('survives brackets that do not match', () => {
    assert.equal(sent('a},b'), 'a},b')
    assert.equal(sent('a{b,c'), 'a{b,c')
  })

  it('leaves fields of the default out on request', () => {
    assert.equal(selectionText(select, undefined, new Set(['owner', 'id'])), 'name')
  })

  it('takes the paths that a caller chose, as the system writes inner fields', () => {
    const paths = ['name', 'owner.name', 'owner.city.name', 'members.id']
    assert.equal(chosen(paths), 'name,proprietor,members')
    assert.equal(chosen(paths, 'dots'), 'name,proprietor.name,proprietor.city.name,members.id')
    assert.equal(chosen(paths, 'braces'), 'name,proprietor{name,city{name}},members{id}')
    assert.equal(chosen(['owner.name', 'owner'], 'dots'), 'proprietor')
  })

  it('asks for no field that the record does not declare, or the system does not have', () => {
    assert.equal(chosen(['nope', 'name', 'name.first', '__proto__'], 'dots'), 'name')
    assert.equal(chosen(['owner.nope', 'owner.city.place'], 'dots'), 'proprietor')
    assert.equal(chosen(['nope']), 'id,name,proprietor')
    assert.equal(chosen([]), 'id,name,proprietor')
  })

  it('is the operation’s own param if both are given', () => {
    assert.equal(chosen(['owner'], 'dots', 'name'), 'name')
  })
})
