/** The log of events, from which each task and project has its own stream. */
import type { Task } from './records.ts'
import type { Recorded } from './state.ts'
import type { World } from './world.ts'

const eventsPerCall = 100
/** Older events are dropped, and their tokens become invalid. */
const kept = 10_000

export interface Happening {
  readonly action: 'added' | 'changed' | 'removed' | 'deleted' | 'undeleted'
  readonly gid: string
  readonly kind: Recorded['kind']
  readonly name: string | null
  readonly parent: string | null
  /** The gids of everything that the event bubbles up to, including the record itself. */
  readonly seenFrom: readonly string[]
  readonly at: number
}

export interface Events {
  note(action: Happening['action'], record: Recorded, at: number): void
  /** The events of one resource from a number on, and the next number; undefined if those are forgotten. */
  from(resource: string, number: number): { found: Happening[]; next: number; more: boolean } | undefined
  /** The number of the next event. */
  readonly next: number
}

export function createEvents(world: World): Events {
  const log: Happening[] = []
  let forgotten = 0

  function seenFrom(record: Recorded): string[] {
    if (record.kind !== 'task') return [record.gid, ...('project' in record ? [record.project] : [])]
    const above = record.parent === null ? undefined : world.find('task', record.parent)
    return [record.gid, ...record.places.map((place) => place.project), ...(above === undefined ? [] : seenFrom(above))]
  }

  return {
    get next() {
      return forgotten + log.length
    },
    note(action, record, at) {
      const parent = (record as Partial<Task>).parent ?? null
      log.push({
        action,
        gid: record.gid,
        kind: record.kind,
        name: record.name,
        parent,
        seenFrom: seenFrom(record),
        at,
      })
      if (log.length > kept) {
        log.splice(0, 1000)
        forgotten += 1000
      }
    },
    from(resource, number) {
      if (number < forgotten) return undefined
      const found: Happening[] = []
      let at = number - forgotten
      for (; at < log.length && found.length < eventsPerCall; at++) {
        const event = log[at] as Happening
        if (event.seenFrom.includes(resource)) found.push(event)
      }
      const more = log.slice(at).some((event) => event.seenFrom.includes(resource))
      return { found, next: forgotten + at, more }
    },
  }
}
