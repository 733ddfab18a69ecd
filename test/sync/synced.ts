/** A hosted connector whose copy tests fill, look into and judge. */
import assert from 'node:assert/strict'
import { copyOf } from '../../src/conformance/copied.ts'
import { catalog } from '../../src/connectors/index.ts'
import { streamedEntities } from '../../src/sync/entity-order.ts'
import { type Answer, type Hosted, type HostedOptions, startHosted } from '../hosted.ts'
import { assertSame, truthOf } from './truth.ts'
import type { Truth } from './truths/ask.ts'

export type Kind = keyof typeof catalog

/** The kinds that have something to copy. */
export const copiedKinds = [
  'asana',
  'facebook-marketing',
  'gong',
  'hubspot',
  'slack',
] as const satisfies readonly Kind[]
export type CopiedKind = (typeof copiedKinds)[number]

export interface Synced {
  readonly hosted: Hosted
  readonly id: string
  /** Starts a sync and waits for its end; gives the state of the copy. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  sync(wanted?: { entities?: readonly string[]; full?: boolean }): Promise<any>
  start(wanted?: object): Promise<{ readonly id: string; readonly status: string }>
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  state(entity?: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  copy(entity: string): Promise<Map<string, any>>
  search(entity: string, params: object): Promise<Answer>
  /** The connector itself. */
  call(method: 'GET' | 'PATCH' | 'DELETE', body?: object): Promise<Answer>
  truth(): Promise<Truth>
  /** Copies what is dated from so many days ago on. */
  startDaysAgo(days: number): Promise<void>
  /** Judges every entity; what is dated, as far back as so many days. */
  isTrue(days?: number): Promise<void>
  isTrueOf(entities: readonly string[], days?: number): Promise<void>
  close(): Promise<void>
}

export async function startSynced(kind: Kind, options: HostedOptions = {}): Promise<Synced> {
  const hosted = await startHosted({ ...options, simulators: { scale: 100, ...options.simulators } })
  const credentials = hosted.systems.describe()[kind]!.credentials
  const id = kind === 'asana' ? hosted.connector : await hosted.connect(credentials[0]!, hosted.ann, kind)
  hosted.calm()
  return syncedOn(hosted, kind, id)
}

/** `credentials` are those of the connector, where they are not the first ones of the system. */
export function syncedOn(
  hosted: Hosted,
  kind: Kind,
  id: string,
  credentials?: Readonly<Record<string, string>>,
): Synced {
  const path = `/v1/integrations/connectors/${id}/sync`
  // The clock is put forward by more than a token lives for.
  const token = async (): Promise<string> => (await hosted.server.issueToken('ann')).token
  const self: Synced = {
    hosted,
    id,
    async start(wanted = {}) {
      const answer = await hosted.call('POST', path, { token: await token(), body: wanted })
      assert.equal(answer.status, 202, answer.text)
      return answer.body.run
    },
    async sync(wanted = {}) {
      await self.start(wanted)
      await hosted.server.service.syncs.settled()
      return self.state()
    },
    async state(entity) {
      const answer = await hosted.call('GET', path, { token: await token() })
      assert.equal(answer.status, 200, answer.text)
      if (entity === undefined) return answer.body
      return answer.body.entities.find((one: { entity: string }) => one.entity === entity)
    },
    copy: (entity) => copyOf(async (params) => self.search(entity, params)),
    search: async (entity, params) => hosted.execute(entity, 'search', params, { connector: id, token: await token() }),
    call: async (method, body) =>
      hosted.call(method, `/v1/integrations/connectors/${id}`, { token: await token(), ...(body && { body }) }),
    truth: () => truthOf(hosted, kind, credentials),
    async startDaysAgo(days) {
      const date = new Date(hosted.clock.now() - days * 86_400_000).toISOString().slice(0, 10)
      const answer = await self.call('PATCH', { sync: { start_date: `${date}T00:00:00Z` } })
      assert.equal(answer.status, 200, answer.text)
    },
    isTrue: (days) =>
      self.isTrueOf(
        streamedEntities(catalog[kind]).map(({ entity }) => entity),
        days,
      ),
    async isTrueOf(entities, days) {
      const truth = await self.truth()
      for (const entity of entities) {
        const settled = settledRecords(entity, hosted.clock.now(), days)
        const copy = new Map([...(await self.copy(entity))].filter(settled))
        assertSame(kind, entity, copy, new Map([...(truth[entity] ?? [])].filter(settled)))
      }
    },
    close: () => hosted.close(),
  }
  return self
}

/** What is dated these days goes on by itself while it is looked at; the judge looks back so many days, or 79 at figures of ads. */
export function settledRecords(entity: string, now: number, days = 360) {
  const dated: Record<string, string> = {
    calls: 'started',
    calls_extensive: 'startdatetime',
    stats_activity_scorecards: 'reviewTime',
    ads_insights: 'date_start',
  }
  const name = dated[entity]
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  return ([, record]: [string, any]): boolean => {
    if (name === undefined) return true
    const age = now - Date.parse(record[name])
    return age > 4 * 86_400_000 && age < Math.min(days, entity === 'ads_insights' ? 79 : days) * 86_400_000
  }
}
