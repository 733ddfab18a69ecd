/** Which tasks of Asana are in the copy: all that some list gives. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isFine } from '../hosted.ts'
import { startSynced } from './synced.ts'

it('a task in no project and of nobody is met by its tag, with what is below it; one without a tag by live search alone', async (t) => {
  const on = await startSynced('asana', { simulators: { scale: 60 } })
  t.after(() => on.close())
  const { hosted } = on
  const { workspace, tag } = hosted.at
  const make = (change: object): string =>
    (hosted.systems.change('asana', { change: 'create', what: 'task', workspace, ...change }) as { gid: string }).gid
  const tagged = make({ name: 'Tagged', tags: [tag] })
  const below = (
    hosted.systems.change('asana', { change: 'subtask', parent: tagged, name: 'Below' }) as { gid: string }
  ).gid
  const bare = make({ name: 'Bare as can be' })

  await on.sync()
  let copy = await on.copy('tasks')
  assert.equal(copy.get(tagged).name, 'Tagged')
  assert.equal(copy.get(below).parent.gid, tagged)
  assert.ok(!copy.has(bare))
  const live = isFine(
    await hosted.execute('workspace_task_search', 'list', { workspace_gid: workspace, text: 'bare as' }),
  )
  assert.deepEqual(
    live.result.map(({ gid }: { gid: string }) => gid),
    [bare],
  )

  hosted.clock.advance(60_000)
  hosted.systems.change('asana', { change: 'edit', gid: tagged, fields: { name: 'Tagged anew' } })
  hosted.systems.change('asana', { change: 'trash', gid: below })
  await on.sync()
  assert.equal((await on.copy('tasks')).get(tagged).name, 'Tagged anew')
  await on.sync({ entities: ['tasks'], full: true })
  copy = await on.copy('tasks')
  assert.deepEqual([copy.has(tagged), copy.has(below)], [true, false])
})

it('a file of a task whose change came late is found, as both are looked back for', async (t) => {
  const on = await startSynced('asana', { simulators: { scale: 60 } })
  t.after(() => on.close())
  const { hosted } = on
  const begun = hosted.clock.now()
  await on.sync()
  const [parent] = (await on.copy('tasks')).keys()
  hosted.systems.change('asana', { change: 'create', what: 'attachment', parent: parent!, name: 'late.pdf' })
  const modified_at = new Date(begun - 2 * 60_000).toISOString()
  hosted.systems.change('asana', { change: 'edit', gid: parent!, fields: { modified_at } })
  await on.sync({ entities: ['tasks', 'attachments'] })
  assert.equal((await on.copy('tasks')).get(parent!).modified_at, modified_at)
  const names = [...(await on.copy('attachments')).values()].map(({ name }) => name)
  assert.ok(names.includes('late.pdf'))
})
