import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSelection, selectionText } from './selection.ts'

const select = {
  send: 'fields',
  default: ['id', 'name', 'owner', 'place'],
  names: { owner: 'proprietor', place: null },
}

const sent = (fields?: string): string => selectionText(select, readSelection(fields))
const asked = (fields?: string): string[] | null => {
  const found = readSelection(fields)
  return found === undefined ? null : [...found.fields]
}

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
})
