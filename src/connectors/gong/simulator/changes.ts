/** Changes on demand: events in the real system while a client reads. */
import { type Change, changesFrom, setting, settingsChange } from '../../../kit/simulator.ts'
import { idOf, indexOf } from './ids.ts'
import type { Access } from './oauth.ts'
import { scopes } from './routes.ts'
import type { World } from './world.ts'

const changeable = ['call', 'user', 'scorecard', 'answered'] as const

const first = { id: idOf('call', 1) }

function idIn({ id }: Change): string {
  if (typeof id === 'string' && changeable.some((space) => indexOf(space, id) !== undefined)) return id
  throw new Error(`There is no call, user, scorecard or review ${String(id)}.`)
}

export function createChanges({ edits, gone, missingScopes, settings }: World, access: Access) {
  return changesFrom({
    edit: {
      does: 'Sets fields of a call, for example title, isPrivate, scheduled or brief, or of a scorecard; a null is sent as null.',
      example: { ...first, fields: { title: 'Renamed' } },
      make(change) {
        const id = idIn(change)
        if (typeof change.fields !== 'object' || change.fields === null)
          throw new Error('The change "edit" needs "fields".')
        edits.set(id, { ...edits.get(id), ...change.fields })
        return { id }
      },
    },
    remove: {
      does: 'Takes a call, a user, a scorecard or a review away, as an erasure does: gone from everything.',
      example: first,
      make: (change) => ({ gone: gone.add(idIn(change)).size }),
    },
    restore: {
      does: 'Brings it back.',
      example: first,
      make(change) {
        gone.delete(idIn(change))
        return { gone: gone.size }
      },
    },
    scopes: {
      does: 'Takes scopes away from all credentials; an empty list gives them back.',
      example: { missing: ['api:coaching:read'] },
      make({ missing: given }) {
        const missing = Array.isArray(given) ? given.map(String) : []
        const unknown = missing.find((scope) => !scopes.includes(scope))
        if (unknown !== undefined) throw new Error(`There is no scope "${unknown}"; there are ${scopes.join(', ')}.`)
        missingScopes.clear()
        for (const scope of missing) missingScopes.add(scope)
        return { missing }
      },
    },
    settings: settingsChange(
      Object.fromEntries(
        Object.keys(settings).map((name) => [
          name,
          setting(settings, name as keyof typeof settings, { orNull: name.startsWith('calls_per_') }),
        ]),
      ),
      'Null lifts a limit.',
    ),
    expire_access_tokens: { does: 'Ends all access tokens at once.', make: access.tokens.expireAll },
  })
}
