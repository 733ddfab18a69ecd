/** What a simulated system holds, read from it by hand: the judge of every copy. It knows nothing of connectors. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { catalog } from '../../src/connectors/index.ts'
import { parseJson } from '../../src/json.ts'
import type { Hosted } from '../hosted.ts'
import { heldOf } from './held.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Any = any
export type Truth = Readonly<Record<string, ReadonlyMap<string, Any>>>

async function ask(url: string, authorization: string, body?: object): Promise<Any> {
  for (let repeat = 0; ; repeat++) {
    const response = await fetch(url, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 404) return null
    if (response.ok) return parseJson(text)
    // The judge is subject to the same limits.
    if (response.status !== 429 || repeat > 20) throw new Error(`${response.status} ${url} ${text}`)
    await pause(50)
  }
}

const field = (kind: keyof typeof catalog, entity: string): readonly string[] =>
  Object.keys((catalog[kind].entities as Any)[entity].searchable)

const byId = (records: readonly Any[], id: (record: Any) => string): Map<string, Any> =>
  new Map(records.map((record) => [id(record), record]))

const inside = (name: string, ...parts: readonly string[]): string[] => parts.map((part) => `${name}.${part}`)

/** What Asana shows of a field by its name alone is not all that a copy holds of it. */
const deeper: Readonly<Record<string, readonly string[]>> = {
  'projects current_status': inside(
    ...(['current_status', 'author', 'color', 'created_at', 'created_by', 'html_text'] as const),
    ...['modified_at', 'resource_type', 'text', 'title'],
  ),
  'projects custom_field_settings': inside('custom_field_settings', 'custom_field', 'is_important'),
  'tasks external': inside('external', 'gid', 'data'),
  'tasks hearts': inside('hearts', 'user'),
  'tasks likes': inside('likes', 'user'),
  'tasks memberships': inside('memberships', 'project', 'section'),
  'attachments parent': inside('parent', 'created_by', 'name', 'resource_subtype', 'resource_type'),
}

async function asanaTruth(base: string, token: string): Promise<Truth> {
  async function list(entity: string, path: string): Promise<Any[]> {
    const found: Any[] = []
    for (let offset = ''; ; ) {
      const separator = path.includes('?') ? '&' : '?'
      const fields = field('asana', entity).flatMap((name) => deeper[`${entity} ${name}`] ?? [name])
      const url = `${base}${path}${separator}limit=100&opt_fields=${fields}${offset}`
      const answer = await ask(url, `Bearer ${token}`)
      // What stands in a list can be gone by the time it is looked into.
      if (answer === null) return found
      found.push(...answer.data)
      if (answer.next_page == null) return found
      offset = `&offset=${encodeURIComponent(answer.next_page.offset)}`
    }
  }
  const gid = (record: Any): string => record.gid
  const all: Record<string, Map<string, Any>> = {}
  const add = (entity: string, records: readonly Any[]): void => {
    all[entity] = new Map([...(all[entity] ?? []), ...byId(records, gid)])
  }
  async function tasksBelow(records: readonly Any[]): Promise<void> {
    add('tasks', records)
    for (const task of records)
      if (task.num_subtasks > 0) await tasksBelow(await list('tasks', `/tasks/${task.gid}/subtasks`))
  }
  add('workspaces', await list('workspaces', '/workspaces'))
  for (const workspace of all.workspaces!.values()) {
    add('users', await list('users', `/users?workspace=${workspace.gid}`))
    add('tags', await list('tags', `/workspaces/${workspace.gid}/tags`))
    if (workspace.is_organization) add('teams', await list('teams', `/workspaces/${workspace.gid}/teams`))
    add('projects', await list('projects', `/projects?workspace=${workspace.gid}`))
  }
  for (const { gid } of all.projects!.values()) {
    add('sections', await list('sections', `/projects/${gid}/sections`))
    await tasksBelow(await list('tasks', `/tasks?project=${gid}`))
    add('attachments', await list('attachments', `/attachments?parent=${gid}`))
  }
  for (const user of all.users!.values())
    for (const workspace of user.workspaces)
      if (all.workspaces!.has(workspace.gid))
        await tasksBelow(await list('tasks', `/tasks?assignee=${user.gid}&workspace=${workspace.gid}`))
  for (const tag of all.tags!.keys()) await tasksBelow(await list('tasks', `/tasks?tag=${tag}`))
  for (const task of all.tasks!.keys()) add('attachments', await list('attachments', `/attachments?parent=${task}`))
  return all
}

async function facebookTruth(base: string, token: string, now: number): Promise<Truth> {
  async function list(path: string, fields: readonly string[], more: Record<string, string> = {}): Promise<Any[]> {
    const found: Any[] = []
    for (let after = ''; ; ) {
      const query = new URLSearchParams({ fields: fields.join(), limit: '80', ...more, ...(after && { after }) })
      const answer = await ask(`${base}${path}?${query}`, `Bearer ${token}`)
      found.push(...answer.data)
      if (answer.paging?.next === undefined) return found
      after = answer.paging.cursors.after
    }
  }
  const kind = 'facebook-marketing'
  const all: Record<string, Map<string, Any>> = {}
  const add = (entity: string, records: readonly Any[], id = (record: Any): string => record.id): void => {
    all[entity] = new Map([...(all[entity] ?? []), ...byId(records, id)])
  }
  add('ad_accounts', await list('/me/adaccounts', field(kind, 'ad_accounts')))
  all.ad_account = all.ad_accounts!
  const own = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES']
  const below = ['ADSET_PAUSED', 'DISAPPROVED', 'PENDING_BILLING_INFO', 'PENDING_REVIEW', 'PREAPPROVED']
  const status = (values: readonly string[]) => ({ effective_status: JSON.stringify(values) })
  const day = (back: number): string => new Date(now - back * 86_400_000).toISOString().slice(0, 10)
  for (const { id: account, account_id } of all.ad_accounts!.values()) {
    add('campaigns', await list(`/${account}/campaigns`, field(kind, 'campaigns'), status(own)))
    add('ad_sets', await list(`/${account}/adsets`, field(kind, 'ad_sets'), status([...own, 'CAMPAIGN_PAUSED'])))
    const ads = status([...own, 'CAMPAIGN_PAUSED', ...below])
    add('ads', await list(`/${account}/ads`, field(kind, 'ads'), ads))
    add('ad_creatives', await list(`/${account}/adcreatives`, field(kind, 'ad_creatives')))
    add('custom_conversions', await list(`/${account}/customconversions`, field(kind, 'custom_conversions')))
    add('images', await list(`/${account}/adimages`, field(kind, 'images')))
    const ofVideo = field(kind, 'videos').filter((name) => name !== 'account_id')
    const videos = await list(`/${account}/advideos`, ofVideo)
    add(
      'videos',
      videos.map((video) => ({ ...video, account_id })),
    )
    for (let back = 80; back > 0; back -= 10) {
      const rows = await list(`/${account}/insights`, field(kind, 'ads_insights'), {
        level: 'ad',
        time_increment: '1',
        time_range: JSON.stringify({ since: day(back), until: day(back - 9) }),
        filtering: JSON.stringify([
          {
            field: 'ad.effective_status',
            operator: 'IN',
            value: [...own, 'CAMPAIGN_PAUSED', ...below],
          },
        ]),
        action_attribution_windows: '["1d_click","7d_click","28d_click","1d_view"]',
      })
      add('ads_insights', rows, (row) => `${row.account_id}:ad:${row.ad_id}:${row.date_start}`)
    }
  }
  return all
}

/** All that Gong finds in a call, but for the addresses of its recording. */
const allContents = {
  context: 'Extended',
  exposedFields: {
    parties: true,
    collaboration: { publicComments: true },
    interaction: { personInteractionStats: true, speakers: true, video: true, questions: true },
    content: {
      structure: true,
      topics: true,
      trackers: true,
      trackerOccurrences: true,
      brief: true,
      outline: true,
      highlights: true,
      callOutcome: true,
      keyPoints: true,
    },
  },
}

async function gongTruth(base: string, authorization: string): Promise<Truth> {
  async function list(path: string, at: string, body?: object): Promise<Any[]> {
    const found: Any[] = []
    for (let cursor: string | undefined; ; ) {
      const query = body === undefined && cursor !== undefined ? `?cursor=${encodeURIComponent(cursor)}` : ''
      const answer = await ask(`${base}${path}${query}`, authorization, body && { ...body, cursor })
      if (answer === null) return found
      found.push(...answer[at])
      cursor = answer.records?.cursor
      if (cursor === undefined) return found
    }
  }
  const extensive = await list('/v2/calls/extensive', 'calls', { filter: {}, contentSelector: allContents })
  return {
    users: byId(await list('/v2/users', 'users'), ({ id }) => id),
    calls: byId(await list('/v2/calls', 'calls'), ({ id }) => id),
    calls_extensive: byId(
      extensive.map((call) => ({ ...call, id: call.metaData.id, startdatetime: call.metaData.started })),
      ({ id }) => id,
    ),
    settings_scorecards: byId(await list('/v2/settings/scorecards', 'scorecards'), ({ scorecardId }) => scorecardId),
    stats_activity_scorecards: byId(
      await list('/v2/stats/activity/scorecards', 'answeredScorecards', { filter: {} }),
      ({ answeredScorecardId }) => answeredScorecardId,
    ),
  }
}

/** Access tokens last for half an hour, and tests put the clock forward. */
async function hubspotToken(
  base: string,
  { client_id, client_secret, refresh_token }: Readonly<Record<string, string>>,
) {
  const form = { grant_type: 'refresh_token', client_id, client_secret, refresh_token } as Record<string, string>
  const response = await fetch(`${base}/oauth/v3/token`, { method: 'POST', body: new URLSearchParams(form) })
  return `Bearer ${((await response.json()) as Any).access_token}`
}

/** The types with a copy, and those whose ids their records have. */
const hubspotTypes: Readonly<Record<string, readonly string[]>> = {
  contacts: ['companies'],
  companies: ['contacts'],
  deals: ['companies', 'contacts', 'line_items'],
  tickets: ['companies', 'contacts'],
  ...Object.fromEntries(
    ['line_items', 'products', 'quotes', 'leads', 'calls', 'emails', 'meetings', 'notes', 'tasks'].map((type) => [
      type,
      ['companies', 'contacts', 'deals', 'tickets'],
    ]),
  ),
}

async function hubspotTruth(base: string, authorization: string): Promise<Truth> {
  async function list(path: string, query: Readonly<Record<string, string>> = {}): Promise<Any[]> {
    const found: Any[] = []
    for (let after: string | undefined; ; ) {
      const search = new URLSearchParams({ ...query, ...(after !== undefined && { after }) })
      const { results, paging } = await ask(`${base}${path}?${search}`, authorization)
      found.push(...results)
      after = paging?.next?.after
      if (after === undefined) return found
    }
  }

  /** With all properties, in as many requests as addresses allow, and the associated ids of each record. */
  async function records(type: string, targets: readonly string[]): Promise<Any[]> {
    const names = (await list(`/crm/v3/properties/${type}`)).map(({ name }) => name)
    const found = new Map<string, Any>()
    for (const archived of ['false', 'true'])
      for (let first = 0; first < names.length; first += 40) {
        const properties = names.slice(first, first + 40).join()
        for (const one of await list(`/crm/v3/objects/${type}`, { limit: '100', archived, properties }))
          found.set(one.id, { ...one, properties: { ...found.get(one.id)?.properties, ...one.properties } })
      }
    for (const target of targets) {
      const inputs = [...found.keys()].map((id) => ({ id }))
      const { results } = await ask(`${base}/crm/v4/associations/${type}/${target}/batch/read`, authorization, {
        inputs,
      })
      for (const record of found.values()) record[target] = []
      for (const { from, to, paging } of results) {
        const path = `/crm/v4/objects/${type}/${from.id}/associations/${target}`
        const all = paging === undefined ? to : await list(path)
        found.get(from.id)[target] = all.map(({ toObjectId }: Any) => String(toObjectId))
      }
    }
    return [...found.values()]
  }

  const types = await Promise.all(
    Object.entries(hubspotTypes).map(async ([type, targets]) => [
      type,
      byId(await records(type, targets), ({ id }) => id),
    ]),
  )
  const schemas = await list('/crm-object-schemas/v3/schemas')
  const custom = await Promise.all(
    schemas.map(async ({ objectTypeId: objectType }) =>
      (await records(objectType, hubspotTypes.notes!)).map((one) => ({ ...one, objectType })),
    ),
  )
  const pipelines = await Promise.all(
    ['deals', 'tickets'].map(async (objectType) =>
      (await list(`/crm/v3/pipelines/${objectType}`)).map((one) => ({ ...one, objectType })),
    ),
  )
  return {
    ...Object.fromEntries(types),
    schemas: byId(schemas, ({ objectTypeId }) => objectTypeId),
    objects: byId(custom.flat(), ({ objectType, id }) => `${objectType}:${id}`),
    owners: byId(
      [...(await list('/crm/v3/owners')), ...(await list('/crm/v3/owners', { archived: 'true' }))],
      ({ id }) => id,
    ),
    pipelines: byId(pipelines.flat(), ({ objectType, id }) => `${objectType}:${id}`),
  }
}

/** `as` says whose view of the system it is; the first credentials' otherwise. */
export async function truthOf(
  hosted: Pick<Hosted, 'systems' | 'clock'>,
  kind: string,
  as?: Readonly<Record<string, string>>,
): Promise<Truth> {
  const { base_url: base, credentials } = hosted.systems.describe()[kind]!
  const first = as ?? credentials[0]!
  if (kind === 'asana') return asanaTruth(base, first.token ?? first.access_token!)
  if (kind === 'gong') {
    const { access_key: key, access_key_secret: secret } = credentials.find((one) => one.access_key !== undefined)!
    return gongTruth(base, `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`)
  }
  if (kind === 'hubspot') return hubspotTruth(base, await hubspotToken(base, first))
  return facebookTruth(base, first.access_token!, hosted.clock.now())
}

/** Every hit of an entity, page by page. */
export async function copyOf(
  search: (params: object) => Promise<{ readonly text: string; readonly status: number }>,
): Promise<Map<string, Any>> {
  const found = new Map<string, Any>()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer = await search({ query: {}, limit: 5000, ...(cursor !== undefined && { cursor }) })
    assert.equal(answer.status, 200, answer.text)
    const { result } = parseJson(answer.text) as Any
    for (const { id, data } of result.hits) {
      assert.ok(!found.has(id), `${id} was found twice`)
      found.set(id, data)
    }
    cursor = result.next_cursor
  }
  return found
}

/** Judges that the copy of an entity is what the system holds: the same records, each of their fields the same. */
export function assertSame(
  kind: string,
  entity: string,
  copy: ReadonlyMap<string, Any>,
  truth: ReadonlyMap<string, Any>,
) {
  const where = `${kind} ${entity}`
  const missing = [...truth.keys()].filter((id) => !copy.has(id))
  const extra = [...copy.keys()].filter((id) => !truth.has(id))
  assert.deepEqual({ missing, extra }, { missing: [], extra: [] }, where)
  const searchable: Record<string, string> = (catalog as Any)[kind].entities[entity].searchable
  for (const [id, record] of truth)
    for (const [name, type] of Object.entries(searchable)) {
      // Signed addresses are not kept.
      if (name === 'download_url' || name === 'view_url') continue
      assert.deepEqual(
        unsigned(copy.get(id)[name]),
        unsigned(heldOf(kind, entity, name, type, record)),
        `${where} ${id} ${name}`,
      )
    }
}

/** Meta signs an address anew each day. */
const unsigned = (value: Any): Any =>
  typeof value === 'string' && value.includes('.fbcdn.example/') ? value.split('?')[0] : value
