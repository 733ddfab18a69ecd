/** Syncs whose process is killed at random moments: the next process goes on where it was. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../hosted.ts'
import { connect, isTrue, requestsOf, startNodes, whole } from './nodes.ts'
import type { CopiedKind } from './synced.ts'

/** So many moments for each kind; the kinds take turns in waiting. */
export function syncCrashSuite(kinds: readonly CopiedKind[], moments: number): void {
  describe('a sync that is killed', { concurrency: true }, () => {
    for (const kind of kinds)
      it(`goes on where it was, and no page of ${kind} is read more than once too often, at ${moments} moments`, async (t) => {
        const nodes = await startNodes(40)
        t.after(() => nodes.close())
        const truth = await nodes.truth(kind)
        const seen = (): number => requestsOf(nodes.systems, kind).length
        let node = await nodes.start()

        nodes.systems.clearRequests()
        const undisturbed = await connect(node, nodes, kind)
        await whole(node, undisturbed)
        await isTrue(node, undisturbed, kind, truth)
        const usual = nodes.pages(kind)
        const requests = seen()
        assert.ok(requests > 10)

        for (let moment = 0; moment < moments; moment++) {
          nodes.systems.clearRequests()
          const id = await connect(node, nodes, kind)
          const at = 1 + Math.floor(((moment + Math.random()) / moments) * (requests - 2))
          await until(() => seen() >= at)
          await pause(Math.random() * 20)
          await node.kill()
          node = await nodes.start()
          await whole(node, id)
          await isTrue(node, id, kind, truth)
          for (const [page, times] of nodes.pages(kind))
            assert.ok(times <= (usual.get(page) ?? 0) + 1, `killed at ${at} of ${requests}: ${times} times ${page}`)
        }
      })
  })
}
