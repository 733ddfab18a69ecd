/** Copies of systems that do not hold still. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalog } from '../../src/connectors/index.ts'
import type { Change } from '../../src/simulator/system.ts'
import { streamedEntities } from '../../src/sync/entity-order.ts'
import type { Hosted } from '../hosted.ts'
import { type CopiedKind, startSynced } from './synced.ts'
import type { Truth } from './truths/ask.ts'

const day = 86_400_000

/** The same numbers from 0 up to 1 in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The sorts of change that people make in each system while it is read; together they touch every entity. */
const doings: Record<CopiedKind, (truth: Truth, roll: () => number) => readonly (() => Change)[]> = {
  asana(truth, roll) {
    const one = oneOf(truth, roll)
    const rename = (entity: string) => () => ({
      change: 'edit',
      gid: one(entity),
      fields: { name: `Renamed ${roll()}` },
    })
    return [
      () => ({ change: 'create', what: 'task', project: one('projects'), name: 'Born meanwhile', at: 'first' }),
      rename('tasks'),
      () => ({ change: 'create', what: 'project', name: 'Born meanwhile', at: 'first' }),
      rename('projects'),
      () => ({ change: 'move', gid: one('tasks'), to: one('projects') }),
      rename('teams'),
      () => ({ change: 'create', what: 'attachment', parent: one('tasks'), name: 'born.pdf' }),
      () => ({ change: 'trash', gid: one('tasks') }),
      rename('workspaces'),
      () => ({ change: 'create', what: 'user', name: 'Newcomer', email: 'newcomer@northpass.example' }),
      () => ({ change: 'subtask', parent: one('tasks'), name: 'Born below' }),
      rename('sections'),
      () => ({ change: 'trash', gid: one('attachments') }),
      rename('users'),
      () => ({ change: 'create', what: 'section', project: one('projects'), name: 'Born meanwhile' }),
      () => ({ change: 'create', what: 'tag', name: 'born' }),
      () => ({ change: 'reorder', gid: one('tasks'), to: 'first' }),
      () => ({ change: 'trash', gid: one('tags') }),
      rename('tags'),
    ]
  },
  'facebook-marketing'(truth, roll) {
    const one = oneOf(truth, roll)
    const rename = (entity: string) => () => ({
      change: 'update',
      id: one(entity),
      fields: { name: `Renamed ${roll()}` },
    })
    const create = (kind: string) => () => ({
      change: 'create',
      kind,
      account_id: one('ad_accounts'),
      fields: { name: 'Born meanwhile' },
    })
    return [
      ...['campaigns', 'ad_accounts', 'ad_sets', 'ads'].map(rename),
      ...['campaign', 'adset', 'ad', 'creative', 'video', 'conversion', 'image'].map(create),
      ...['campaigns', 'ad_sets', 'ads'].map((entity) => () => ({ change: 'delete', id: one(entity) })),
    ]
  },
  gong(truth, roll) {
    const one = oneOf(truth, roll)
    return [
      () => ({ change: 'edit', id: one('calls'), fields: { title: `Renamed ${roll()}` } }),
      () => ({ change: 'remove', id: one('calls') }),
      () => ({ change: 'edit', id: one('settings_scorecards'), fields: { scorecardName: `Renamed ${roll()}` } }),
      () => ({ change: 'remove', id: one('users') }),
      () => ({ change: 'remove', id: one('stats_activity_scorecards') }),
      () => ({ change: 'restore', id: one('calls') }),
    ]
  },
  hubspot(truth, roll) {
    const one = oneOf(truth, roll)
    const standard = Object.keys(truth).filter(
      (entity) => !['schemas', 'objects', 'owners', 'pipelines'].includes(entity),
    )
    const custom = (): { type: string; id: string } => {
      const [type = '', id = ''] = one('objects').split(':')
      return { type, id }
    }
    const setup = (name: string, id: () => string, fields: () => object) => () => ({
      change: 'setup',
      in: name,
      id: id(),
      fields: fields(),
    })
    return [
      ...standard.map((type) => () => ({
        ...{
          change: 'update',
          type,
          id: one(type),
          properties: { hubspot_owner_id: String(Math.floor(roll() * 1e9)) },
        },
      })),
      ...['contacts', 'deals', 'notes', '2-48214'].map((type) => () => ({ change: 'create', type, properties: {} })),
      () => ({ change: 'update', ...custom(), properties: { places: String(Math.floor(roll() * 1e9)) } }),
      ...['companies', 'tickets', 'calls'].map((type) => () => ({ change: 'archive', type, id: one(type) })),
      ...['companies', 'tickets', 'calls'].map((type) => () => ({ change: 'restore', type, id: one(type) })),
      () => ({ change: 'merge', type: 'contacts', id: one('contacts'), to_id: one('contacts') }),
      () => ({ change: 'delete', type: 'deals', id: one('deals') }),
      () => ({
        change: 'associate',
        type: 'deals',
        id: one('deals'),
        to_type: 'contacts',
        to_id: one('contacts'),
      }),
      setup(
        'owners',
        () => one('owners'),
        () => ({ firstName: `Renamed ${roll()}` }),
      ),
      setup(
        'pipelines',
        () => one('pipelines').replace(':', '/'),
        () => ({ label: `Renamed ${roll()}` }),
      ),
      setup(
        'schemas',
        () => one('schemas'),
        () => ({ description: `Changed ${roll()}` }),
      ),
    ]
  },
  slack(truth, roll) {
    const one = oneOf(truth, roll)
    const message = (entity: string) => {
      const [channel, ts] = one(entity).split(':')
      return { channel, ts }
    }
    const edit = (entity: string, fields: () => object) => () => ({
      ...{ change: 'edit', in: entity, id: one(entity), fields: fields() },
    })
    const below = (broadcast: boolean) => (): Change => {
      const { channel, ts } = message('channel_messages')
      return { change: 'write', channel, thread_ts: ts, broadcast, text: `Reply ${roll()}` }
    }
    const renamed = () => ({ name: `renamed-${Math.floor(roll() * 1e9)}` })
    return [
      () => ({ change: 'write', channel: one('channels'), text: `Born ${roll()}` }),
      () => ({ change: 'edit_message', ...message('channel_messages'), text: `Edited ${roll()}` }),
      below(false),
      edit('users', () => ({ real_name: `Renamed ${roll()}` })),
      () => ({ change: 'delete_message', ...message('channel_messages') }),
      edit('channels', renamed),
      below(true),
      () => ({ change: 'edit_message', ...message('threads'), text: `Edited ${roll()}` }),
      edit('channels', () => ({ members: [...new Set(['U0A1B2C3E', one('users'), one('users')])] })),
      () => ({ change: 'delete_message', ...message('threads') }),
      edit('files', renamed),
      () => ({ change: 'delete', in: 'users', id: one('users') }),
      edit('usergroups', renamed),
      () => ({ change: 'archive_channel', channel: one('channels') }),
      () => ({ change: 'delete', in: 'files', id: one('files') }),
    ]
  },
}

/** A record's id, drawn from those of an entity. */
const oneOf =
  (truth: Truth, roll: () => number) =>
  (entity: string): string => {
    const ids = [...truth[entity]!.keys()]
    return ids[Math.floor(roll() * ids.length)]!
  }

/** Makes a change with every few requests for as long as the sync runs, one sort after the other. */
function disturb(hosted: Hosted, kind: CopiedKind, sorts: readonly (() => Change)[], mostChanges: number) {
  let made = 0
  let on = true
  let seen = 0
  const step = (): void => {
    if (!on) return
    if (hosted.received().length > seen + 1 && made < mostChanges) {
      seen = hosted.received().length
      try {
        hosted.systems.change(kind, sorts[made++ % sorts.length]!())
      } catch {
        // The record had gone already.
      }
    }
    setTimeout(step, 1)
  }
  setTimeout(step, 1)
  return () => {
    on = false
    return made
  }
}

/** A fault on a tenth of the requests, of every sort that may pass. */
function makeFaulty(hosted: Hosted, kind: CopiedKind, requests: number, seed: number): void {
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

/** One trial of each kind for each choice: whether every tenth request fails. */
export function movingSuite(kinds: readonly CopiedKind[], withFaults: readonly boolean[]): void {
  for (const kind of kinds)
    describe(`a copy of ${kind}`, () => {
      for (const faulty of withFaults)
        it(`equals it in the end, though every entity moved while it was read${faulty ? ' and every tenth request failed' : ''}`, async (t) => {
          const synced = await startSynced(kind, { simulators: { scale: kind === 'asana' ? 60 : 10 } })
          t.after(() => synced.close())
          const { hosted } = synced
          // A week and a half of figures of ads is enough; they move by themselves.
          if (kind === 'facebook-marketing') await synced.startDaysAgo(10)
          const before = await synced.truth()
          hosted.calm()
          const entities = streamedEntities(catalog[kind]).map(({ entity }) => entity)
          const sorts = doings[kind](before, dice(11))
          let made = 0
          for (const [round, full] of [false, false, true].entries()) {
            if (faulty) makeFaulty(hosted, kind, 1500, 7 + round)
            const stop = disturb(hosted, kind, sorts, 60)
            await synced.sync({ entities, full })
            made += stop()
            hosted.clock.advance(60_000)
            hosted.calm()
          }
          assert.ok(made > 2 * sorts.length, `only ${made} changes`)
          hosted.clock.advance(day)
          // One full pass suffices where each missing record can be asked for; the others need a second one.
          for (let pass = 0; pass < 2; pass++) {
            if (faulty) makeFaulty(hosted, kind, 1500, 70 + pass)
            const state = await synced.sync({ entities, full: true })
            const incomplete = state.entities.filter(({ complete }: { complete: boolean }) => !complete)
            assert.deepEqual(incomplete, [])
            hosted.calm()
          }
          await synced.isTrue(9)
          const after = await synced.truth()
          for (const entity of entities) assert.notDeepEqual(after[entity], before[entity], `${entity} did not move`)
        })
    })
}
