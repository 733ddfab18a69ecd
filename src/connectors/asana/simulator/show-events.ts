/** Answers `/events`: the events of a task or project since the caller's sync token. */
import { createHmac } from 'node:crypto'
import { jsonReply, SimulatedRefusal } from '../../../kit/simulator.ts'
import { errorReply, messages, refuse } from './refusals.ts'
import { gidForm, type RequestContext, visible } from './request-context.ts'

const tokenLife = 86_400_000

/** Without a valid token, the answer is 412 with a new one. */
export function showEvents(context: RequestContext): unknown {
  const { events } = context.system
  const resource = gidForm('resource', context.params.required('resource'))
  const record = context.system.world.find('task', resource) ?? context.system.world.find('project', resource)
  if (record === undefined) refuse(404, `resource: Unknown object: ${resource}`)
  visible(context, record)
  const number = readToken(context.params.get('sync'), resource, context.now)
  const answer = number === undefined ? undefined : events.from(resource, number)
  if (answer === undefined) {
    const reply = errorReply(412, messages.staleSync)
    const body = JSON.parse(reply.body as string) as object
    const sync = writeToken(events.next, resource, context.now)
    throw new SimulatedRefusal(jsonReply(412, { ...body, sync }), messages.staleSync)
  }
  return {
    data: answer.found.map((event) => ({
      user: { gid: context.person.gid, resource_type: 'user', name: context.person.name },
      created_at: new Date(event.at).toISOString(),
      type: event.kind,
      action: event.action,
      resource: { gid: event.gid, resource_type: event.kind, name: event.name },
      parent: event.parent === null ? null : { gid: event.parent, resource_type: 'task' },
    })),
    sync: writeToken(answer.next, resource, context.now),
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
