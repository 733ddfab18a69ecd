import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import Database from 'better-sqlite3'
import { SearchStatements } from './search-statements.ts'

const database = new Database(':memory:')
const statements = new SearchStatements(database)
after(() => database.close())

it('binds values, and leaves question marks in names and texts alone', () => {
  database.exec(`create table "what?" ("why?" text); insert into "what?" values ('who?'), ('it''s ?')`)
  const sql = `select "why?", 'a ''?' from "what?" where "why?" = ? or "why?" = 'who?' order by 1 limit ?`
  assert.deepEqual(statements.all(sql, ["it's ?", 5]), [
    ["it's ?", "a '?"],
    ['who?', "a '?"],
  ])
  assert.deepEqual(statements.all(sql, ['other', 5]), [['who?', "a '?"]])
})

it('reads the integers of a first row as they are', () => {
  assert.deepEqual(statements.first('select ?, ?, ?, ?', [2n ** 53n + 1n, 7, 0.5, null]), [
    2n ** 53n + 1n,
    7,
    0.5,
    null,
  ])
  assert.equal(statements.first('select 1 where ? = 2', [1]), undefined)
})

it('answers more shapes of statements than it keeps', () => {
  for (let round = 0; round < 2; round++)
    for (let shape = 0; shape < 600; shape++)
      assert.deepEqual(statements.all(`select ${shape} + ?`, [1]), [[shape + 1]])
})
