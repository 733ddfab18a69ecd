/**
 * The properties of records: those that the caller names, or all of them. Many names do not fit into an address
 * (HubSpot answers 414 from about 8,000 characters), nor into a search (about 3,000). Conex then reads the records
 * without them, and their properties by a batch read, which takes the names in its body.
 */
import type { Params, Reader, ReshapeContext } from '../../kit/connector.ts'

const longestInRequest = 2_500

/** Under this name, which no caller can give, params keep the names for the batch read. */
const apart = 'apart'

interface Apart {
  readonly properties: readonly string[]
  readonly propertiesWithHistory: readonly string[]
}

/** A batch read takes 100 ids, and half as many with earlier values. */
const batch = 100
const batchWithHistory = 50

export const namesIn = (list: unknown): string[] => [
  ...new Set(
    (Array.isArray(list) ? list.map(String) : String(list ?? '').split(','))
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

/** Replaces * by the names of all properties of the type, and sets lists apart that are too long for a request. */
export async function chooseProperties(type: string, params: Params, reader: Reader): Promise<Params> {
  const { properties, propertiesWithHistory, ...others } = params
  const given: Apart = { properties: namesIn(properties), propertiesWithHistory: namesIn(propertiesWithHistory) }
  const wantsAll = [...given.properties, ...given.propertiesWithHistory].includes('*')
  const all = wantsAll ? await allProperties(type, reader) : []
  const named = (names: readonly string[]) => (names.includes('*') ? all : names)
  const chosen: Apart = {
    properties: named(given.properties),
    propertiesWithHistory: named(given.propertiesWithHistory),
  }
  if (Object.values(chosen).join().length > longestInRequest) return { ...others, [apart]: chosen }
  if (!wantsAll) return params
  const written = (names: readonly string[]) => (Array.isArray(properties) ? names : names.join())
  return {
    ...others,
    properties: written(chosen.properties),
    ...(propertiesWithHistory !== undefined && { propertiesWithHistory: written(chosen.propertiesWithHistory) }),
  }
}

async function allProperties(type: string, reader: Reader): Promise<string[]> {
  const answer = (await reader.read({ path: `/crm/v3/properties/${encodeURIComponent(type)}` })) as Found | null
  return (answer?.results ?? []).flatMap((found) => (typeof found?.name === 'string' ? found.name : []))
}

/** The params that ask for fields which the caller chose by their paths, such as `properties.email`. */
export const chooseParts =
  (...parts: readonly string[]) =>
  (params: Params, paths: readonly string[]): Params => ({
    ...Object.fromEntries(
      parts.flatMap((part) => {
        const names = paths.filter((path) => path.startsWith(`${part}.`)).map((path) => path.slice(part.length + 1))
        return names.length === 0 ? [] : [[part, names]]
      }),
    ),
    ...params,
  })

interface Found {
  readonly results?: readonly ({ readonly id?: unknown; readonly name?: unknown } | null)[]
}

interface Listed {
  readonly id: string
}

export const isListed = (record: unknown): record is Listed & Record<string, unknown> =>
  typeof record === 'object' && record !== null && typeof (record as Record<string, unknown>).id === 'string'

/** Adds the properties that were set apart. A record that was archived or deleted meanwhile is left out. */
export async function addProperties(
  type: string,
  records: readonly unknown[],
  { params, read }: Pick<ReshapeContext, 'params' | 'read'>,
): Promise<readonly unknown[]> {
  const chosen = params[apart] as Apart | undefined
  if (chosen === undefined) return records
  const { properties, propertiesWithHistory } = chosen
  const size = propertiesWithHistory.length > 0 ? batchWithHistory : batch
  const listed = records.filter(isListed)
  const found = new Map<string, Record<string, unknown>>()
  for (let first = 0; first < listed.length; first += size) {
    const answer = (await read({
      method: 'POST',
      path: `/crm/v3/objects/${encodeURIComponent(type)}/batch/read`,
      query: { archived: String(params.archived === true) },
      body: {
        inputs: listed.slice(first, first + size).map(({ id }) => ({ id })),
        properties,
        propertiesWithHistory,
      },
    })) as Found | null
    for (const record of answer?.results ?? []) if (isListed(record)) found.set(record.id, record)
  }
  return listed.flatMap((record) => {
    const complete = found.get(record.id)
    if (complete === undefined) return []
    const { properties: values, propertiesWithHistory: history } = complete
    return { ...record, properties: values, ...(history !== undefined && { propertiesWithHistory: history }) }
  })
}
