/**
 * The ids of the records that are associated with others, for the copy. HubSpot's search never returns them, and its
 * lists only the first of each record, so Conex asks for those of a whole page with one request for each type.
 */
import { ConexError, plainText, type Reader } from '../../kit/connector.ts'
import { isListed } from './chosen-properties.ts'

interface Answer {
  readonly results?: readonly ({
    readonly from?: { readonly id?: unknown }
    readonly to?: readonly ({ readonly toObjectId?: unknown } | null)[]
    readonly paging?: { readonly next?: { readonly after?: unknown } }
  } | null)[]
}

/** Adds a list of ids for each of the types; null if the credentials, or HubSpot's rules, do not allow to read them. */
export async function addAssociatedIds(
  type: string,
  targets: readonly string[],
  records: readonly unknown[],
  { read }: Pick<Reader, 'read'>,
): Promise<readonly unknown[]> {
  const listed = records.filter(isListed)
  if (listed.length === 0) return []
  const ids = listed.map(({ id }) => id)
  const found = await Promise.all(targets.map((target) => associatedIds(type, target, ids, read)))
  return listed.map((record) => ({
    ...record,
    ...Object.fromEntries(
      targets.map((target, index) => [target, found[index] && [...(found[index].get(record.id) ?? [])]]),
    ),
  }))
}

/** Records of types between which HubSpot has no associations, or which these credentials may not read. */
const unreadable: readonly string[] = ['upstream_forbidden', 'upstream_refused']

async function associatedIds(
  from: string,
  to: string,
  ids: readonly string[],
  read: Reader['read'],
): Promise<ReadonlyMap<string, ReadonlySet<string>> | null> {
  const path = `/crm/v4/associations/${encodeURIComponent(from)}/${to}/batch/read`
  // The same record may be associated more than once, under several labels.
  const found = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  try {
    for (let inputs: object[] = ids.map((id) => ({ id })); inputs.length > 0; ) {
      const { results = [] } = ((await read({ method: 'POST', path, body: { inputs } })) ?? {}) as Answer
      inputs = []
      for (const one of results) {
        const id = plainText(one?.from?.id)
        for (const target of one?.to ?? []) found.get(id)?.add(plainText(target?.toObjectId))
        const after = plainText(one?.paging?.next?.after)
        if (after !== '') inputs.push({ id, after })
      }
    }
  } catch (error) {
    if (error instanceof ConexError && unreadable.includes(error.code)) return null
    throw error
  }
  return found
}
