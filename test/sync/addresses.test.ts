/** Addresses that run out, in the copy. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startSynced } from './synced.ts'

const day = 86_400_000

it('Meta’s signed addresses of images, videos and creatives are renewed by every sync', async (t) => {
  const on = await startSynced('facebook-marketing', { simulators: { scale: 10 } })
  t.after(() => on.close())
  const { hosted } = on
  const fields = { ad_creatives: ['image_url', 'thumbnail_url'], images: ['url'], videos: ['source'] }
  for (let pass = 0; pass < 2; pass++) {
    await on.sync({ entities: Object.keys(fields) })
    for (const [entity, names] of Object.entries(fields)) {
      const addresses = [...(await on.copy(entity)).values()].flatMap((record) => names.map((name) => record[name]))
      const ends = addresses
        .filter((address) => address !== null)
        .map((address) => Number.parseInt(new URL(address).searchParams.get('oe')!, 16) * 1000)
      assert.ok(ends.length > 5)
      assert.ok(Math.min(...ends) > hosted.clock.now() + 2 * day, entity)
    }
    hosted.clock.advance(7 * day)
  }
})

it('what Asana signs is not in the copy, though it is live', async (t) => {
  const on = await startSynced('asana', { simulators: { scale: 60 } })
  t.after(() => on.close())
  const { hosted } = on
  await on.sync()
  const kept = [...(await on.copy('attachments')).entries()]
  const asanas = kept.filter(([, { host }]) => host === 'asana')
  assert.ok(asanas.length > 5)
  for (const [, { download_url, view_url, permanent_url }] of asanas) {
    assert.deepEqual([download_url, view_url], [null, null])
    assert.match(permanent_url, /^https:/)
  }
  assert.ok(kept.some(([, { host, download_url }]) => host !== 'asana' && download_url !== null))
  const live = await hosted.execute('attachments', 'get', { attachment_gid: asanas[0]![0] })
  assert.match(live.body.result.download_url, /^http/)
})
