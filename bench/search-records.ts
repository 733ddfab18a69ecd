/** A copy of many tasks, made the way a sync makes it. */
import { asana } from '../src/connectors/asana/connector.ts'
import type { ReadRecord } from '../src/store/copy.ts'
import type { Lease } from '../src/store/leases.ts'
import { openStore } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'

export const tenant = { organizationId: '01900000-0000-7000-8000-000000000001', externalUserId: null }
export const copyKey = { connectorId: '01900000-0000-7000-8000-000000000002', kind: 'asana', entity: 'tasks' }
export const catalog = { asana }

const now = '2026-01-01T00:00:00.000Z'
const pageSize = 1000

/** Makes a connector with an empty copy; gives the lease to fill it. */
export async function beginCopy(store: Store): Promise<Lease> {
  const { organizationId } = tenant
  await store.organizations.createFirst(
    { id: organizationId, name: 'bench', createdAt: now },
    { id: 'c', organizationId, secretHash: 'h' },
  )
  await store.connectors.create(
    tenant,
    {
      id: copyKey.connectorId,
      organizationId,
      externalUserId: 'bench',
      connectorType: 'asana',
      name: 'bench',
      authMethod: 'token',
      status: 'active',
      replicationConfig: null,
      sync: { enabled: true, intervalSeconds: 3600 },
      createdAt: now,
      updatedAt: now,
    },
    'sealed',
  )
  const lease = await store.leases.take(tenant, copyKey.connectorId, 'bench', now, '2027-01-01T00:00:00.000Z')
  await store.copies.begin(tenant, copyKey, lease!, true, now)
  return lease!
}

/** Tasks from one number up to another, in pages as a sync reads them. */
export function* tasks(from: number, to: number): Generator<ReadRecord[]> {
  for (let at = from; at < to; at += pageSize)
    yield Array.from({ length: Math.min(pageSize, to - at) }, (_, index) => task(at + index))
}

/** Writes tasks from one number up to another. */
export async function writeTasks(store: Store, lease: Lease, from: number, to: number): Promise<void> {
  for (const records of tasks(from, to))
    await store.copies.commit(tenant, copyKey, lease, { records, checkpoint: from })
}

/** Fills a new database with so many tasks. */
export async function fillCopy(url: string, records: number): Promise<void> {
  const store = await openStore(url, catalog)
  try {
    const lease = await beginCopy(store)
    await writeTasks(store, lease, 0, records)
    await store.copies.finish(tenant, copyKey, lease, null, now)
  } finally {
    await store.close()
  }
}

const syllables = ['ba', 'ko', 'ri', 'mu', 'te', 'sa', 'lo', 'vi', 'ne', 'du', 'pa', 'zi', 'fo', 'ge', 'hu', 'wy']

/** The word of this rank: the lower, the more often it comes. */
export function word(rank: number): string {
  let text = ''
  for (let rest = rank + 17; rest > 0; rest = Math.floor(rest / 16)) text += syllables[rest % 16]
  return text
}

/** The same pseudo-random number for the same question, 0 to 1. */
function chance(record: number, what: number): number {
  let hash = Math.imul(record + 1, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

// Ranks as in real texts: few words make up most of them.
const someWord = (record: number, what: number): string => word(Math.floor(20_000 ** chance(record, what)) - 1)

const text = (record: number, what: number, length: number): string =>
  Array.from({ length }, (_, index) => someWord(record, what + index)).join(' ')

/** The times of all records lie between these, in milliseconds. */
export const span = { from: 1_600_000_000_000, to: 1_750_000_000_000 }

/** Somebody out of 2000, of whom the first have far more to do than the last. */
export function person(luck: number): { readonly gid: string; readonly name: string; readonly resource_type: string } {
  const id = Math.floor(luck ** 3 * 2000)
  return { gid: String(9_000_000 + id), name: `${word(id)} ${word(id * 7)}`, resource_type: 'user' }
}

export const tag = (id: number) => ({ gid: String(id), name: word(id), resource_type: 'tag' })

/** How a task's name begins, up to the number at its end. */
export function beginning(number: number): string {
  const title = text(number, 100, 3 + Math.floor(chance(number, 3) * 4))
  return `${title[0]!.toUpperCase()}${title.slice(1)}`
}

export function task(number: number): ReadRecord {
  const gid = String(1_200_000_000_000_000 + Math.imul(number, 7919) + number * 10_000)
  const time = (what: number) =>
    new Date(span.from + Math.floor(chance(number, what) * (span.to - span.from))).toISOString()
  const user = (what: number) => person(chance(number, what))
  const completed = chance(number, 1) < 0.6
  const project = Math.floor(chance(number, 2) * 5000)
  const subtype = chance(number, 4)
  return {
    id: gid,
    data: {
      gid,
      name: `${beginning(number)} ${number % 10_000}`,
      resource_type: 'task',
      resource_subtype: subtype < 0.9 ? 'default_task' : subtype < 0.98 ? 'milestone' : 'approval',
      completed,
      completed_at: completed ? time(5) : null,
      completed_by: completed ? user(6) : null,
      created_at: time(7),
      modified_at: time(8),
      due_on: chance(number, 9) < 0.5 ? time(10).slice(0, 10) : null,
      notes: chance(number, 11) < 0.3 ? text(number, 200, 20) : '',
      html_notes: '<body></body>',
      permalink_url: `https://app.asana.com/0/${project}/${gid}`,
      num_likes: Math.floor(chance(number, 12) ** 8 * 50),
      num_hearts: 0,
      num_subtasks: Math.floor(chance(number, 13) ** 4 * 10),
      liked: false,
      hearted: false,
      is_rendered_as_separator: false,
      assignee: chance(number, 14) < 0.8 ? user(15) : null,
      workspace: { gid: '1', name: 'Bench', resource_type: 'workspace' },
      projects: [{ gid: String(project), name: `Project ${word(project)}`, resource_type: 'project' }],
      tags: chance(number, 16) < 0.2 ? [tag(number % 300)] : [],
      followers: [user(17)],
      memberships: [{ project: { gid: String(project) }, section: { gid: String(project * 10) } }],
      custom_fields: [],
      dependencies: [],
      dependents: [],
      hearts: [],
      likes: [],
    },
  }
}
