/** All that a simulated HubSpot holds. */
import { type Any, ask, byId, type Truth } from './ask.ts'

/** Access tokens last for half an hour, and tests put the clock forward. */
export async function hubspotToken(
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

export async function hubspotTruth(base: string, authorization: string): Promise<Truth> {
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
