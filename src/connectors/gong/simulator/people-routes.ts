/** Users, workspaces, and coaching. */

import { idOf, indexOf } from './ids.ts'
import { id, time } from './inputs.ts'
import { refuse } from './replies.ts'
import { pageOf, type RequestContext } from './request-context.ts'
import { workspaces } from './setup.ts'

export function listUsers(context: RequestContext): object {
  const { company, query } = context
  const { people, state } = company
  const avatars = query.get('includeAvatars') === 'true'
  const row = {
    first: 0,
    end: people.count,
    match: (index: number) =>
      (avatars || !people.isAvatar(index)) && !state.gone.has(idOf('user', index)) ? people.record(index) : null,
  }
  const { found, records } = pageOf(context, row, { avatars }, query.get('cursor'))
  return { records, users: found }
}

export function getUser({ company: { people, state }, id: given }: RequestContext): object {
  const index = indexOf('user', id(given))
  if (index === undefined || index >= people.count || state.gone.has(given))
    return refuse(404, `User ID ${given} was not found`)
  return { user: people.record(index) }
}

export const listWorkspaces = (): object => ({ workspaces })

export function listCoaching({ company, query, now }: RequestContext): object {
  const given = (name: string): string => {
    const value = query.get(name)
    return value === undefined || value === '' ? refuse(400, `${name}: is required`) : value
  }
  const workspace = indexOf('workspace', id(given('workspace-id')))
  const manager = id(given('manager-id'))
  const from = time(given('from'), 'from')!
  const to = time(given('to'), 'to')!
  if (from >= to) refuse(400, 'from: must be before to')
  if (workspace !== 0 && workspace !== 1) return { coachingData: [] }
  return { coachingData: company.coaching(manager, workspace, { from, to }, now) }
}
