/** What happened, told to whoever asked before: the changes on demand as a stream per task or project. */
import { createHmac } from 'node:crypto'
import { Refusal } from '../../../simulator/refusal.ts'
import { jsonReply } from '../../../simulator/send.ts'
import { type Ask, gidForm, visible } from './ask.ts'
import type { Task } from './records.ts'
import { errorReply, messages, refuse } from './refusals.ts'
import type { Recorded } from './state.ts'
import type { World } from './world.ts'

const eventsPerCall = 100
const tokenLife = 86_400_000
/** Older events are forgotten, and tokens from before them with them. */
const kept = 10_000

export interface Happening {
  readonly action: 'added' | 'changed' | 'removed' | 'deleted' | 'undeleted'
  readonly gid: string
  readonly kind: Recorded['kind']
  readonly name: string | null
  readonly parent: string | null
  /** Gids of everything the event bubbles up to, the record itself included. */
  readonly seenFrom: readonly string[]
  readonly at: number
}

export interface Events {
  note(action: Happening['action'], record: Recorded, at: number): void
  /** Events of one resource from a number on, and the number to go on from; undefined when those are forgotten. */
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

/** The answer of `/events`: without a good token 412 and a fresh one. */
export function showEvents(ask: Ask, events: Events): unknown {
  const resource = gidForm('resource', ask.params.required('resource'))
  const record = ask.system.world.find('task', resource) ?? ask.system.world.find('project', resource)
  if (record === undefined) refuse(404, `resource: Unknown object: ${resource}`)
  visible(ask, record)
  const number = readToken(ask.params.get('sync'), resource, ask.now)
  const answer = number === undefined ? undefined : events.from(resource, number)
  if (answer === undefined) {
    const reply = errorReply(412, messages.staleSync)
    const body = JSON.parse(reply.body as string) as object
    const sync = writeToken(events.next, resource, ask.now)
    throw new Refusal(jsonReply(412, { ...body, sync }), messages.staleSync)
  }
  return {
    data: answer.found.map((event) => ({
      user: { gid: ask.person.gid, resource_type: 'user', name: ask.person.name },
      created_at: new Date(event.at).toISOString(),
      type: event.kind,
      action: event.action,
      resource: { gid: event.gid, resource_type: event.kind, name: event.name },
      parent: event.parent === null ? null : { gid: event.parent, resource_type: 'task' },
    })),
    sync: writeToken(answer.next, resource, ask.now),
    has_more: answer.more,
  }
}

function writeToken(number: number, resource: string, now: number): string {
  const body = `${number}.${now}`
  return `${sign(body, resource)}:${body}`
}

function readToken(token: string | undefined, resource: string, now: number): number | undefined {
  const [signature, body = ''] = (token ?? '').split(':')
  if (signature !== sign(body, resource)) return undefined
  const [number, issued] = body.split('.').map(Number)
  return now - (issued ?? 0) < tokenLife ? number : undefined
}

function sign(body: string, resource: string): string {
  return createHmac('sha256', `simulated sync tokens ${resource}`).update(body).digest('hex').slice(0, 32)
}
