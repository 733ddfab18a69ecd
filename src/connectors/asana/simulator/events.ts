/** What happened to records; `/events` answers that of a task or project since the caller's sync token. */
import { createHmac } from 'node:crypto'
import { jsonReply, param } from '../../../kit/simulator.ts'
import { type Ask, admitted, gid, route } from './declare.ts'
import type { AnyRecord } from './records.ts'
import { errorBody, messages } from './refusals.ts'
import type { World } from './world.ts'

const eventsPerCall = 100
const tokenLife = 86_400_000

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

const sign = (body: string, resource: string): string =>
  createHmac('sha256', `simulated sync tokens ${resource}`).update(body).digest('hex').slice(0, 32)

const writeToken = (number: number, resource: string, now: number): string =>
  `${sign(`${number}.${now}`, resource)}:${number}.${now}`

function readToken(token: string, resource: string, now: number): number | undefined {
  const [signature, body = ''] = token.split(':')
  const [number, issued = 0] = body.split('.').map(Number)
  return signature === sign(body, resource) && now - issued < tokenLife ? number : undefined
}

/** Without a valid token, the answer is 412 with a new one. */
export const eventRoute = route({
  path: '/events',
  params: { resource: param.required(gid), sync: param.text() },
  answer(ask) {
    const { world, args, caller, now } = ask
    const { resource } = args
    admitted(ask as Ask, world.find('task', resource) ?? world.find('project', resource), 'resource', resource)
    const first = readToken(args.sync ?? '', resource, now)
    if (first === undefined) {
      const sync = writeToken(world.events.count, resource, now)
      return jsonReply(412, { ...errorBody(412, messages.staleSync), sync })
    }
    const { found, next, more } = world.events.from(resource, first)
    return {
      data: found.map(({ action, at, record: { gid, resource_type, name, parent } }) => ({
        user: { gid: caller.person.gid, resource_type: 'user', name: caller.person.name },
        ...{ created_at: at, type: resource_type, action, resource: { gid, resource_type, name } },
        parent: typeof parent === 'string' ? { gid: parent, resource_type: 'task' } : null,
      })),
      sync: writeToken(next, resource, now),
      has_more: more,
    }
  },
})
