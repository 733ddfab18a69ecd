import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReading } from './reading.suite.ts'

const { at, get, change, simulators } = await startReading()
const path = `/events?resource=${at.project}`
const stale = /^Sync token invalid or too old\./

test('the first call is refused and brings the token to go on with', async () => {
  const { status, body } = await get(path)
  assert.equal(status, 412)
  assert.match(body.errors[0].message, stale)
  assert.deepEqual((await get(`${path}&sync=${body.sync}`)).body.data, [])
})

test('changes below a project are told once, a hundred a call', async () => {
  const { sync } = (await get(path)).body
  const { gids } = change('create', { what: 'task', project: at.project, name: 'Many', count: 130 }) as {
    gids: string[]
  }
  change('subtask', { parent: gids[0], name: 'Below' })
  change('create', { what: 'task', project: at.project_empty, name: 'Elsewhere' })
  const first = (await get(`${path}&sync=${sync}`)).body
  assert.equal(first.data.length, 100)
  assert.equal(first.has_more, true)
  const second = (await get(`${path}&sync=${first.sync}`)).body
  assert.equal(second.data.length, 31)
  assert.equal(second.has_more, false)
  assert.deepEqual((await get(`${path}&sync=${second.sync}`)).body.data, [])
})

test('an event says what happened to what', async () => {
  const { sync } = (await get(path)).body
  change('edit', { gid: at.task, fields: { name: 'Other' } })
  change('trash', { gid: at.task })
  change('restore', { gid: at.task })
  const { data } = (await get(`${path}&sync=${sync}`)).body
  assert.deepEqual(
    data.map((event: { action: string }) => event.action),
    ['changed', 'deleted', 'undeleted'],
  )
  assert.equal(data[0].resource.gid, at.task)
})

test('tokens of another resource and of yesterday are refused', async () => {
  const { sync } = (await get(path)).body
  assert.equal((await get(`/events?resource=${at.project_empty}&sync=${sync}`)).status, 412)
  simulators.advance(86_400_000)
  assert.equal((await get(`${path}&sync=${sync}`)).status, 412)
})
