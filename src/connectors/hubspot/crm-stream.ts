/** How Conex fills the copies of CRM records. */
import {
  array,
  cursorPaging,
  type FieldType,
  type GetOperation,
  get,
  hours,
  id,
  identifiedBy,
  integer,
  type Listing,
  type ListOperation,
  list,
  minutes,
  nowhere,
  type Params,
  type ReshapeContext,
  type Stream,
  text,
} from '../../kit/connector.ts'
import { addAssociatedIds } from './associated-ids.ts'
import { addProperties, chooseProperties, isListed } from './chosen-properties.ts'
import type { TypeIn } from './crm-object.ts'

/** The searchable fields of a type whose copy has the ids of associated records of the target types. */
export const searchableWith = <const T extends string>(targets: readonly T[]) =>
  ({
    archived: 'boolean',
    createdAt: 'string',
    id: 'string',
    properties: 'object',
    updatedAt: 'string',
    ...(Object.fromEntries(targets.map((target) => [target, 'array'])) as { readonly [P in T]: 'array' }),
  }) as const satisfies Readonly<Record<string, FieldType>>

interface Reading {
  /** The list for callers. */
  readonly live: ListOperation
  readonly typeIn: TypeIn
  readonly targets: readonly string[]
  /** HubSpot finds nothing, and does not say so, by the time property of other types ("Search the CRM"). */
  readonly changed: 'lastmodifieddate' | 'hs_lastmodifieddate'
}

const record = { id: id() } as const

/** Records as the copy has them: all properties, associated ids, and for records of any type their type. */
const asSearched =
  ({ typeIn, targets, live }: Reading) =>
  async (found: readonly unknown[], context: ReshapeContext): Promise<readonly unknown[]> => {
    const type = typeIn(context.params)
    const complete = await addProperties(type, found, context)
    const records = await addAssociatedIds(type, targets, complete, context)
    return 'objectType' in live.params.properties
      ? records.map((one) => ({ ...(one as object), objectType: type }))
      : records
  }

/** Chooses all properties on the first page; later pages come with the chosen ones. */
const wholeRecords: Params = { properties: '*' }

/**
 * The records that changed, in the order of their ids and beyond the last one that came: unlike an offset, that has no
 * end at 10,000 results, and no record moves from one page to another because it changes again meanwhile.
 */
function changedRecords(reading: Reading): ListOperation {
  const { typeIn, live, changed } = reading
  return list({
    description: 'For the copy.',
    method: 'POST',
    path: `${live.path}/search`,
    params: {
      objectType: text(),
      changedSince: text(),
      filterGroups: array(),
      sorts: array(),
      properties: array(),
      limit: integer(),
    },
    send: { changedSince: nowhere, beyond: nowhere },
    prepare: async (params, reader) => ({
      ...(await chooseProperties(typeIn(params), params, reader)),
      filterGroups: [
        {
          filters: [
            { propertyName: changed, operator: 'GTE', value: params.changedSince },
            { propertyName: 'hs_object_id', operator: 'GT', value: params.beyond ?? '0' },
          ],
        },
      ],
      sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    }),
    recordsAt: ['results'],
    record,
    reshape: asSearched(reading),
    paging: cursorPaging({
      params: { beyond: text() },
      cursor: 'beyond',
      next: ['paging', 'next', 'after'],
      lastOf: 'id',
      limit: { param: 'limit', default: 200, smallest: 1 },
      block: { name: 'next_cursor', holds: 'token' },
    }),
  })
}

/** The listings of a type: its records, of which later passes read only changes, and the archived ones. */
function listingsOf(reading: Reading, over?: NonNullable<Listing['over']>): Listing[] {
  const { live } = reading
  const all = list({
    ...live,
    params: live.params.properties as Record<string, never>,
    record,
    reshape: asSearched(reading),
    paging: live.paging,
  })
  const parents = over === undefined ? {} : { over }
  return [
    {
      list: all,
      params: { ...wholeRecords, limit: 100 },
      ...parents,
      since: {
        list: changedRecords(reading),
        // The index of the search lags behind the records.
        lookBack: 5 * minutes,
        params: (moment) => ({ changedSince: String(moment), properties: ['*'], limit: 200 }),
      },
    },
    // Archiving changes no time that a filter could use, and the search has no archived records.
    { list: all, params: { ...wholeRecords, limit: 100, archived: true }, ...parents },
  ]
}

/** Asks for one record. HubSpot answers the id of a merged record with the one into which it was merged. */
const confirming = (reading: Reading, path: string, read: (identity: string) => Params): GetOperation => {
  const shaped = asSearched(reading)
  return get({
    description: 'For the copy.',
    path,
    params: { identity: text(), objectType: text(), objectId: text() },
    send: { identity: nowhere, objectType: nowhere, objectId: nowhere },
    prepare: async ({ identity }, reader) => {
      const params = { ...wholeRecords, ...read(String(identity)) }
      return chooseProperties(reading.typeIn(params), params, reader)
    },
    recordsAt: [],
    record,
    reshape: (found, context) =>
      shaped(
        found.filter((one) => isListed(one) && one.id === context.params.objectId),
        context,
      ),
  })
}

const differences =
  'properties has all properties of a record that are not marked as sensitive. Lists of associated ids are null if the credentials may not read that type. An association that was added or removed, or a record that was restored or deleted for good, shows in the copy within a day.'

/** Associations change no time of change, and deletions leave no trace. */
const fullEvery = 24 * hours

/** The stream of a type with its own entity. */
export function crmStream(
  live: ListOperation,
  { type, defaults }: { readonly type: string; readonly defaults: object },
  targets: readonly string[],
): Stream {
  const changed = 'lastmodifieddate' in defaults ? 'lastmodifieddate' : 'hs_lastmodifieddate'
  const reading: Reading = { live, typeIn: () => type, targets, changed }
  return {
    listings: listingsOf(reading),
    identity: identifiedBy('id'),
    note: differences,
    confirm: {
      get: confirming(reading, `/crm/v3/objects/${type}/{objectId}`, (objectId) => ({ objectId })),
      param: 'identity',
      field: 'id',
    },
    fullEvery,
  }
}

/** The stream of the records of all custom objects, whose schemas have a copy of their own. */
export function customObjectStream(live: ListOperation, targets: readonly string[]): Stream {
  const reading: Reading = {
    live,
    typeIn: ({ objectType }) => String(objectType),
    targets,
    changed: 'hs_lastmodifieddate',
  }
  return {
    listings: listingsOf(reading, {
      entity: 'schemas',
      params: ({ id: objectType }) => [{ objectType }],
      children: ({ id: objectType }) => ({ eq: { objectType } }),
    }),
    // Ids are unique within a type.
    identity: identifiedBy('objectType', 'id'),
    note: `The copy contains the records of custom objects. ${differences}`,
    confirm: {
      get: confirming(reading, '/crm/v3/objects/{objectType}/{objectId}', (identity) => {
        const [objectType = '', objectId = ''] = identity.split(':')
        return { objectType, objectId }
      }),
      param: 'identity',
      field: 'id',
    },
    fullEvery,
  }
}
