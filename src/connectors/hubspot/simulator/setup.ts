/** The setup of the simulated account: owners, pipelines, lists and files. */
import { addressOf, createCollection, personName } from '../../../kit/simulator.ts'
import type { CrmRecords } from './crm-records.ts'
import { typeOf } from './object-types.ts'
import { portal } from './portal.ts'

export interface Owner {
  readonly id: string
  readonly type: 'PERSON' | 'QUEUE'
  readonly email?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly userId: number | null
  readonly userIdIncludingInactive: number | null
  readonly teams?: readonly { readonly id: string; readonly name: string; readonly primary: boolean }[]
  readonly archived: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export type Pipeline = ReturnType<typeof pipeline>
export type Segment = ReturnType<typeof segment>
export type StoredFileFacts = ReturnType<typeof file>
export type Schema = ReturnType<typeof schema>
export type Setup = ReturnType<typeof makeSetup>

const since = '2025-01-15T08:30:00.000Z'
const day = 86_400_000
const dayAfter = (days: number): string => new Date(Date.parse(since) + days * day).toISOString()
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

export function makeSetup(records: CrmRecords) {
  return {
    owners: createCollection({
      name: 'owners',
      records: [...numbers(7).map(owner), queue],
      key: ({ id }) => id,
      order: (a, b) => Number(a.id) - Number(b.id),
    }),
    pipelines: createCollection({ name: 'pipelines', records: pipelines, key: ({ key }) => key }),
    lists: createCollection({
      name: 'lists',
      records: numbers(24).map((n) => segment(n, records)),
      key: ({ listId }) => listId,
    }),
    files: createCollection({
      name: 'files',
      records: numbers(15).map(file),
      key: ({ id }) => id,
      order: (a, b) => Number(a.id) - Number(b.id),
    }),
    schemas: createCollection({
      name: 'schemas',
      records: ['2-48213', '2-48214'].map(schema),
      key: ({ objectTypeId }) => objectTypeId,
    }),
  }
}

function schema(objectTypeId: string, n: number) {
  const { name } = typeOf(objectTypeId).custom!
  return { objectTypeId, name, description: `The ${name} that Northwind rents out`, updatedAt: dayAfter(n) }
}

/** Two of the seven have left. */
function owner(n: number): Owner {
  const [firstName = '', lastName = ''] = personName(n).split(' ')
  const archived = n >= 5
  return {
    id: String(71_000_001 + n),
    type: 'PERSON',
    email: n === 0 ? portal.user : addressOf(firstName, 'northwind.example'),
    firstName,
    lastName,
    userId: archived ? null : portal.userId + n,
    userIdIncludingInactive: portal.userId + n,
    ...(n < 3 && { teams: [{ id: '178588', name: 'Sales', primary: true }] }),
    archived,
    createdAt: since,
    updatedAt: dayAfter(n),
  }
}

const queue: Owner = {
  id: '71000101',
  type: 'QUEUE',
  userId: null,
  userIdIncludingInactive: null,
  archived: false,
  createdAt: since,
  updatedAt: since,
}

function pipeline(objectType: string, id: string, label: string, stages: readonly [string, string, object][]) {
  const times = { createdAt: since, updatedAt: since }
  return {
    key: `${objectType}/${id}`,
    objectType,
    id,
    label,
    displayOrder: id === 'default' || id === '0' ? 0 : 1,
    stages: stages.map(([stage, name, metadata], displayOrder) => ({
      id: stage,
      label: name,
      displayOrder,
      metadata,
      writePermissions: 'CRM_PERMISSIONS_ENFORCEMENT',
      archived: false,
      ...times,
    })),
    archived: false,
    ...times,
  }
}

const dealStage = (id: string, label: string, probability: string): [string, string, object] => [
  id,
  label,
  { probability, isClosed: String(probability === '1.0' || probability === '0.0') },
]

const pipelines: readonly Pipeline[] = [
  pipeline('deals', 'default', 'Sales', [
    dealStage('appointment', 'Appointment', '0.2'),
    dealStage('qualified', 'Qualified', '0.4'),
    dealStage('closedwon', 'Won', '1.0'),
    dealStage('closedlost', 'Lost', '0.0'),
  ]),
  pipeline('deals', '48213378', 'Renewals', [
    dealStage('48213379', 'Contacted', '0.5'),
    dealStage('48213380', 'Renewed', '1.0'),
  ]),
  pipeline('tickets', '0', 'Support', [
    ['1', 'New', { ticketState: 'OPEN' }],
    ['2', 'Waiting on contact', { ticketState: 'OPEN' }],
    ['3', 'Waiting on us', { ticketState: 'OPEN' }],
    ['4', 'Closed', { ticketState: 'CLOSED' }],
  ]),
]

const kinds = ['DYNAMIC', 'MANUAL', 'SNAPSHOT'] as const
const topics = ['Newsletter', 'Trade fair', 'Tent owners', 'Lapsed', 'Families', 'Press']

function segment(n: number, records: CrmRecords) {
  const type = typeOf(n % 4 === 3 ? 'companies' : 'contacts')
  return {
    listId: String(n + 1),
    name: `${topics[n % topics.length]} ${2020 + (n % 7)}`,
    objectTypeId: type.typeId,
    processingType: kinds[n % 3]!,
    createdAt: dayAfter(n),
    members: records
      .of(type)
      .filter(({ archivedAt }, place) => archivedAt === undefined && place % (n + 2) === 0)
      .map(({ id }) => id),
  }
}

const fileKinds = [
  ['pdf', 'DOCUMENT', 'application/pdf'],
  ['png', 'IMG', 'image/png'],
  ['txt', 'DOCUMENT', 'text/plain'],
] as const

function file(n: number) {
  const [extension, type, contentType] = fileKinds[n % 3]!
  return {
    id: String(91_000_000_001 + n * 13),
    name: `${topics[n % topics.length]!.toLowerCase().replace(' ', '-')}-${n + 1}`,
    extension,
    type,
    contentType,
    access: n % 2 === 0 ? 'PRIVATE' : 'PUBLIC_INDEXABLE',
    size: 3000 + n * 1777,
    parentFolderId: String(81_000_001 + (n % 2)),
    createdAt: dayAfter(n),
    updatedAt: dayAfter(n + 1),
  }
}
