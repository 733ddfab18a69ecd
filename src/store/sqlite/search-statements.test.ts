import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import Database from 'better-sqlite3'
import { SearchStatements } from './search-statements.ts'

const database = new Database(':memory:')
const statements = new SearchStatements(database)
after(() => database.close())

it('binds values by their numbers, as often as they are asked for', () => {
  assert.deepEqual(statements.rows('select $2, +$1, $2', [true, "it's ?"]), [["it's ?", 1, "it's ?"]])
  assert.deepEqual(statements.rows('select 1 where $1 = 2', [1]), [])
})

it('answers more shapes of statements than it keeps', () => {
  for (let round = 0; round < 2; round++)
    for (let shape = 0; shape < 600; shape++)
      assert.deepEqual(statements.rows(`select ${shape} + $1`, [1]), [[shape + 1]])
})
