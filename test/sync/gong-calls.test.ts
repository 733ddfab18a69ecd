/** How soon a change in a call of Gong, which tells no time of change, reaches the copy. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startSynced } from './synced.ts'

const hour = 3_600_000
const day = 24 * hour

it('an edited call is read anew within the hour, the day or the week, by how long ago it was held', async (t) => {
  const on = await startSynced('gong', { simulators: { scale: 10 } })
  t.after(() => on.close())
  const { hosted } = on
  const entities = ['calls', 'calls_extensive']
  await on.sync({ entities })
  const newestFirst = [...(await on.copy('calls'))].sort(
    ([, one], [, other]) => Date.parse(other.started) - Date.parse(one.started),
  )
  const heldAbout = (days: number): string =>
    newestFirst.find(([, { started }]) => Date.parse(started) < hosted.clock.now() - days * day)![0]
  const [recent, older, old] = [heldAbout(2), heldAbout(9), heldAbout(40)]
  for (const id of [recent, older, old])
    hosted.systems.change('gong', { change: 'edit', id, fields: { title: 'Renamed' } })

  const renamed = async (): Promise<readonly string[]> => {
    const query = { filter: { eq: { title: 'Renamed' } } }
    const short = (await on.search('calls', { query })).body.result.hits.map(({ id }: { id: string }) => id)
    const extensive = [...(await on.copy('calls_extensive'))].filter(([, { metaData }]) => metaData.title === 'Renamed')
    assert.deepEqual(extensive.map(([id]) => id).toSorted(), short.toSorted())
    return short.toSorted()
  }
  for (const [wait, expected] of [
    [hour, [recent]],
    [22 * hour, [recent]],
    [hour, [recent, older]],
    [6 * day, [recent, older, old]],
  ] as const) {
    hosted.clock.advance(wait)
    hosted.calm()
    await on.sync({ entities })
    assert.deepEqual(await renamed(), expected.toSorted(), `after ${wait / hour} hours`)
  }
})
