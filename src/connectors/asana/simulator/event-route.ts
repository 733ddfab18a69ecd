/** Answers `/events`: what happened to a task or project since the caller's sync token. */
import { createHmac } from 'node:crypto'
import { jsonReply, param } from '../../../kit/simulator.ts'
import { gid, route } from './declare.ts'
import { day } from './records.ts'
import { errorBody, messages, refuse } from './refusals.ts'

const sign = (body: string, resource: string): string =>
  createHmac('sha256', `simulated sync tokens ${resource}`).update(body).digest('hex').slice(0, 32)

const writeToken = (number: number, resource: string, now: number): string =>
  `${sign(`${number}.${now}`, resource)}:${number}.${now}`

function readToken(token: string, resource: string, now: number): number | undefined {
  const [signature, body = ''] = token.split(':')
  const [number, issued = 0] = body.split('.').map(Number)
  return signature === sign(body, resource) && now - issued < day ? number : undefined
}

/** Without a valid token, the answer is 412 with a new one. */
export const eventRoute = route({
  path: '/events',
  params: { resource: param.required(gid), sync: param.text() },
  answer(ask) {
    const { world, args, caller, now } = ask
    const { resource } = args
    // A trashed record still tells that it was deleted.
    const record = world.find('task', resource) ?? world.find('project', resource)
    if (record === undefined) refuse(404, `resource: Unknown object: ${resource}`)
    if (!world.sees(caller.person, record)) refuse(403, `You do not have access to this ${record.resource_type}.`)
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
