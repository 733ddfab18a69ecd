/** What happened to records, by the task or project from which it is seen. */
import type { AnyRecord } from './records.ts'
import type { World } from './world.ts'

const eventsPerCall = 100

export type Action = 'added' | 'changed' | 'deleted' | 'undeleted'

interface Happening {
  readonly action: Action
  readonly record: AnyRecord
  /** The gids of everything that the event bubbles up to, including the record itself. */
  readonly seenFrom: readonly string[]
  readonly at: string
}

export type Events = ReturnType<typeof createEvents>

export function createEvents(world: World) {
  const log: Happening[] = []

  function seenFrom(record: AnyRecord): string[] {
    if (record.resource_type !== 'task') return [record.gid, ...('project' in record ? [String(record.project)] : [])]
    const above = record.parent === null ? undefined : world.find('task', record.parent)
    return [record.gid, ...record.projects, ...(above === undefined ? [] : seenFrom(above))]
  }

  return {
    get count() {
      return log.length
    },
    note(action: Action, record: AnyRecord, at: string): void {
      log.push({ action, record, seenFrom: seenFrom(record), at })
    },
    /** The events of one resource from a number on, and the number to go on from. */
    from(resource: string, first: number) {
      const found: Happening[] = []
      let next = first
      for (; next < log.length && found.length < eventsPerCall; next++) {
        const event = log[next] as Happening
        if (event.seenFrom.includes(resource)) found.push(event)
      }
      return { found, next, more: log.slice(next).some((event) => event.seenFrom.includes(resource)) }
    },
  }
}
