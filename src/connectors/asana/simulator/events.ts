/** What happened to records, told by the task or project from which it is seen, to callers with a token of the last time. */
import { createHmac } from 'node:crypto'
import { type AnyRecord, day } from './records.ts'

const eventsPerCall = 100

export type Action = 'added' | 'changed' | 'deleted' | 'undeleted'

interface Happening {
  readonly action: Action
  readonly record: AnyRecord
  readonly at: string
  /** The gids of everything that the event bubbles up to, including the record itself. */
  readonly seenFrom: readonly string[]
}

/** A token says how many events of all were told, and when; it is good for a day and for one resource. */
function writeToken(count: number, issued: number, resource: string): string {
  const hash = createHmac('sha256', 'simulated sync tokens').update(`${resource} ${count} ${issued}`).digest('hex')
  return `${hash.slice(0, 32)}:${count}.${issued}`
}

function readToken(token: string, resource: string, now: number): number | undefined {
  const [count = 0, issued = 0] = (token.split(':')[1] ?? '').split('.').map(Number)
  return token === writeToken(count, issued, resource) && now - issued < day ? count : undefined
}

export function createEvents(find: (gid: string) => AnyRecord | undefined) {
  const log: Happening[] = []

  function seenFrom(record: AnyRecord): string[] {
    if (record.resource_type !== 'task') return [record.gid, ...('project' in record ? [String(record.project)] : [])]
    const above = record.parent === null ? undefined : find(record.parent)
    return [record.gid, ...record.projects, ...(above === undefined ? [] : seenFrom(above))]
  }

  return {
    note(action: Action, record: AnyRecord, at: string): void {
      log.push({ action, record, at, seenFrom: seenFrom(record) })
    },
    /** The events of a resource since a token, and the next one; no events without a valid token. */
    since(token: string, resource: string, now: number) {
      const told = readToken(token, resource, now)
      if (told === undefined) return { found: undefined, sync: writeToken(log.length, now, resource), more: false }
      const all = log.slice(told).filter((event) => event.seenFrom.includes(resource))
      const found = all.slice(0, eventsPerCall)
      const more = all.length > found.length
      const count = more ? log.indexOf(found.at(-1)!) + 1 : log.length
      return { found, sync: writeToken(count, now, resource), more }
    },
  }
}
