import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

interface Task {
  readonly gid: string
  readonly created_at: string
}

describe('the task search, which the system does not page', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const search = (params: object) =>
    hosted.execute('workspace_task_search', 'list', { workspace_gid: hosted.at.workspace, ...params })

  async function walk(params: object, between: (page: readonly Task[]) => void = () => {}): Promise<Task[]> {
    const tasks: Task[] = []
    for (let offset: string | undefined; ; ) {
      const page = isFine(await search({ ...params, offset }))
      assert.equal(page.connector_metadata.warnings, undefined)
      tasks.push(...page.result)
      offset = page.connector_metadata.next_page?.offset
      if (offset === undefined) return tasks
      between(page.result)
    }
  }

  async function gidsOf(project: string): Promise<string[]> {
    const gids: string[] = []
    for (let offset: string | undefined; ; ) {
      const page = isFine(await hosted.execute('project_tasks', 'list', { project_gid: project, offset }))
      gids.push(...page.result.map(({ gid }: Task) => gid))
      offset = page.connector_metadata.next_page?.offset
      if (offset === undefined) return gids
    }
  }

  for (const sort_ascending of [true, false, undefined])
    for (const limit of [undefined, 37])
      it(`reaches every task of a large project once (ascending: ${sort_ascending}, limit: ${limit})`, async () => {
        const project = hosted.at.project_bulk!
        const tasks = await walk({ 'projects.any': project, sort_ascending, limit })
        assert.deepEqual(tasks.map(({ gid }) => gid).sort(), (await gidsOf(project)).sort())
        const times = tasks.map(({ created_at }) => Date.parse(created_at))
        const ordered = times.toSorted((a, b) => (sort_ascending ? a - b : b - a))
        assert.deepEqual(times, ordered)
      })

  it('narrows to bounds of the caller’s own on every page', async () => {
    const all = await walk({ 'projects.any': hosted.at.project_bulk, sort_ascending: true })
    const [after, before] = [all[200]!.created_at, all[700]!.created_at]
    for (const sort_ascending of [true, false]) {
      const some = await walk({
        'projects.any': hosted.at.project_bulk,
        'created_at.after': after,
        'created_at.before': before,
        sort_ascending,
      })
      const wanted = all.filter(({ created_at }) => created_at > after && created_at < before)
      assert.deepEqual(some.map(({ gid }) => gid).sort(), wanted.map(({ gid }) => gid).sort())
    }
  })

  it('loses nothing when a task is made or taken away between two pages', async () => {
    const project = hosted.at.project_bulk!
    const before = await gidsOf(project)
    let taken = ''
    const tasks = await walk({ 'projects.any': project, sort_ascending: true, limit: 90 }, (page) => {
      if (taken !== '') return
      taken = page.at(-1)!.gid
      hosted.systems.change('asana', { change: 'trash', gid: taken })
      hosted.systems.change('asana', { change: 'create', what: 'task', name: 'New', project })
    })
    const seen = new Set(tasks.map(({ gid }) => gid))
    assert.equal(seen.size, tasks.length)
    assert.ok(before.every((gid) => seen.has(gid)))
    hosted.systems.change('asana', { change: 'restore', gid: taken })
  })

  it('says so where one millisecond holds more tasks than an answer', async () => {
    const first = isFine(await search({ 'projects.any': hosted.at.project_one_millisecond }))
    assert.equal(first.result.length, 100)
    const { offset } = first.connector_metadata.next_page
    const second = isFine(await search({ 'projects.any': hosted.at.project_one_millisecond, offset }))
    assert.equal(second.connector_metadata.next_page, null)
    assert.match(second.connector_metadata.warnings[0].message, /at most 100/)
    const seen = new Set(first.result.map(({ gid }: Task) => gid))
    assert.ok(second.result.every(({ gid }: Task) => !seen.has(gid)))
  })

  it('gives one answer in any other order, with a warning when it was cut', async () => {
    for (const sort_by of ['due_date', 'completed_at', 'likes', 'modified_at', 'relevance']) {
      const cut = isFine(await search({ 'projects.any': hosted.at.project_bulk, sort_by }))
      assert.equal(cut.result.length, 100)
      assert.equal(cut.connector_metadata.next_page, null)
      assert.deepEqual(
        cut.connector_metadata.warnings.map(({ path }: { path: string }) => path),
        ['/result'],
      )
      const whole = isFine(await search({ 'projects.any': hosted.at.project, sort_by }))
      assert.deepEqual(whole.connector_metadata, { next_page: null })
      assert.equal(whole.result.length, (await gidsOf(hosted.at.project!)).length)
      const few = isFine(await search({ 'projects.any': hosted.at.project, sort_by, limit: 3 }))
      assert.equal(few.result.length, 3)
      assert.equal(few.connector_metadata.warnings.length, 1)
    }
  })

  it('refuses a page token that is none, or belongs to another search or order', async () => {
    const query = { 'projects.any': hosted.at.project_bulk }
    const { offset } = isFine(await search(query)).connector_metadata.next_page
    hosted.calm()
    const other = Buffer.from(offset, 'base64url')
      .toString()
      .replace(/\d{13}/, '1')
    for (const params of [
      { ...query, offset: 'nonsense' },
      { ...query, offset: `${offset}AA` },
      { ...query, offset: Buffer.from(other).toString('base64url') },
      { ...query, offset, completed: false },
      { ...query, offset, sort_ascending: true },
      { 'projects.any': hosted.at.project, offset },
      { ...query, offset, sort_by: 'modified_at' },
    ])
      isProblem(await search(params), 'invalid_cursor')
    const { detail } = (await search({ ...query, offset: 'abc' })).body
    assert.match(detail, /send the offset that the previous page gave, unchanged, or none for the first page/)
    assert.deepEqual(hosted.received(), [])
    isFine(await search({ ...query, offset, limit: 5 }))
  })
})
