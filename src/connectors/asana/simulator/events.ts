/** What happened to records, told by the task or project from which it is seen, to callers with a token of the last time. */
import type { AnyRecord } from './records.ts'
import { readToken, writeToken } from './tokens.ts'

const eventsPerCall = 100
/** How long a token is good, in seconds. */
const life = 86_400

export type Action = 'added' | 'changed' | 'deleted' | 'undeleted'

/** What happened to a record, for those who ask for events. */
export interface Happening {
  readonly action: Action
  readonly record: AnyRecord
  readonly at: string
  /** The gids of everything that the event bubbles up to, including the record itself. */
  readonly seenFrom: readonly string[]
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
      const next = (told: number) => writeToken({ told }, resource, now, life)
      const claims = readToken(token, resource)
      if (claims === undefined || now / 1000 >= claims.exp) return { sync: next(log.length) }
      const all = log.slice(Number(claims.told)).filter((event) => event.seenFrom.includes(resource))
      const found = all.slice(0, eventsPerCall)
      const more = all.length > found.length
      return { found, more, sync: next(more ? log.indexOf(found.at(-1)!) + 1 : log.length) }
    },
  }
}
