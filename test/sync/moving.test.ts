/** Copies of systems that do not hold still. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalog } from '../../src/connectors/index.ts'
import type { Change } from '../../src/simulator/system.ts'
import { streamedEntities } from '../../src/sync/entity-order.ts'
import type { Hosted } from '../hosted.ts'
import { type Kind, startSynced } from './synced.ts'
import type { Truth } from './truth.ts'

/** The same numbers from 0 up to 1 in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** What people do in each system while it is read. */
const doings: Record<'asana' | 'facebook-marketing' | 'gong', (truth: Truth, roll: () => number) => Change> = {
  asana(truth, roll) {
    const one = (entity: string): string => {
      const ids = [...truth[entity]!.keys()]
      return ids[Math.floor(roll() * ids.length)]!
    }
    const changes: (() => Change)[] = [
      () => ({ change: 'create', what: 'task', project: one('projects'), name: 'Born meanwhile', at: 'first' }),
      () => ({ change: 'create', what: 'project', name: 'Born meanwhile', at: 'first' }),
      () => ({ change: 'create', what: 'section', project: one('projects'), name: 'Born meanwhile' }),
      () => ({ change: 'create', what: 'attachment', parent: one('tasks'), name: 'born.pdf' }),
      () => ({ change: 'create', what: 'user', name: 'Newcomer', email: 'newcomer@northpass.example' }),
      () => ({ change: 'create', what: 'tag', name: 'born' }),
      () => ({ change: 'edit', gid: one('tasks'), fields: { name: `Renamed ${roll()}` } }),
      () => ({ change: 'edit', gid: one('projects'), fields: { name: `Renamed ${roll()}` } }),
      () => ({ change: 'move', gid: one('tasks'), to: one('projects') }),
      () => ({ change: 'subtask', parent: one('tasks'), name: 'Born below' }),
      () => ({ change: 'trash', gid: one('tasks') }),
      () => ({ change: 'trash', gid: one('attachments') }),
      () => ({ change: 'trash', gid: one('tags') }),
      () => ({ change: 'reorder', gid: one('tasks'), to: 'first' }),
    ]
    return changes[Math.floor(roll() * changes.length)]!()
  },
  'facebook-marketing'(truth, roll) {
    const one = (entity: string): string => {
      const ids = [...truth[entity]!.keys()]
      return ids[Math.floor(roll() * ids.length)]!
    }
    const account_id = one('ad_accounts').slice('act_'.length)
    const level = ['campaigns', 'ad_sets', 'ads'][Math.floor(roll() * 3)]!
    const kinds = ['campaign', 'adset', 'ad', 'creative', 'video', 'conversion']
    const changes: (() => Change)[] = [
      () => ({ change: 'update', id: one(level), fields: { name: `Renamed ${roll()}` } }),
      () => ({ change: 'delete', id: one(level) }),
      () => ({
        change: 'create',
        kind: kinds[Math.floor(roll() * 6)]!,
        account_id,
        fields: { name: 'Born meanwhile' },
      }),
    ]
    return changes[Math.floor(roll() * changes.length)]!()
  },
  gong(truth, roll) {
    const one = (entity: string): string => {
      const ids = [...truth[entity]!.keys()]
      return ids[Math.floor(roll() * ids.length)]!
    }
    const changes: (() => Change)[] = [
      () => ({ change: 'edit', id: one('calls'), fields: { title: `Renamed ${roll()}` } }),
      () => ({ change: 'remove', id: one('calls') }),
      () => ({ change: 'remove', id: one('users') }),
      () => ({ change: 'restore', id: one('calls') }),
    ]
    return changes[Math.floor(roll() * changes.length)]!()
  },
}

/** Makes a change with every few requests for as long as the sync runs. */
function disturb(hosted: Hosted, kind: keyof typeof doings, truth: Truth, seed: number, mostChanges: number) {
  const roll = dice(seed)
  let made = 0
  let on = true
  let seen = 0
  const step = (): void => {
    if (!on) return
    if (hosted.received().length > seen + 3 && made < mostChanges) {
      seen = hosted.received().length
      try {
        hosted.systems.change(kind, doings[kind](truth, roll))
        made++
      } catch {
        // The record had gone already.
      }
    }
    setImmediate(step)
  }
  setImmediate(step)
  return () => {
    on = false
    return made
  }
}

/** A fault on a tenth of the requests, of every sort that may pass. */
function makeFaulty(hosted: Hosted, kind: Kind, requests: number, seed: number): void {
  const roll = dice(seed)
  const effects = [
    { type: 'status', status: 500 },
    { type: 'status', status: 503 },
    { type: 'status', status: 429, headers: { 'retry-after': '1' } },
    { type: 'reset' },
    { type: 'html', status: 502 },
  ] as const
  for (let first = 0; first < requests; first += 10)
    hosted.systems.faults.add({
      kind,
      skip: first + Math.floor(roll() * 10),
      effect: effects[Math.floor(roll() * effects.length)]!,
    })
}

for (const kind of ['asana', 'facebook-marketing', 'gong'] as const)
  describe(`a copy of ${kind}`, () => {
    for (const faulty of [false, true])
      it(`equals it in the end, though it moved while it was read${faulty ? ' and failed at every tenth request' : ''}`, async (t) => {
        const synced = await startSynced(kind, { simulators: { scale: kind === 'asana' ? 150 : 40 } })
        t.after(() => synced.close())
        const { hosted } = synced
        const truth = await synced.truth()
        hosted.calm()
        // Figures do not move on demand, and there are many.
        const all = streamedEntities(catalog[kind]).map(({ entity }) => entity)
        const entities = all.filter((entity) => entity !== 'ads_insights')
        for (const [round, full] of [false, false, true].entries()) {
          if (faulty) makeFaulty(hosted, kind, 1500, 7 + round)
          const stop = disturb(hosted, kind, truth, 11 * (round + 1), 60)
          await synced.sync({ entities, full })
          assert.ok(stop() > (kind === 'gong' ? 2 : 10), 'it has to move')
          hosted.clock.advance(60_000)
        }
        // One full pass suffices where each missing record can be asked for; the others need a second one.
        for (let pass = 0; pass < 2; pass++) {
          hosted.calm()
          if (faulty) makeFaulty(hosted, kind, 1500, 70 + pass)
          const state = await synced.sync({ entities: pass === 0 ? all : entities, full: true })
          const incomplete = state.entities.filter(({ complete }: { complete: boolean }) => !complete)
          assert.deepEqual(incomplete, [])
        }
        hosted.calm()
        await synced.isTrue()
      })
  })
