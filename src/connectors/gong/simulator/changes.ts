/** Changes on demand: events in the real system while a client reads. */
import type { Change, ChangeHelp } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { idOf, indexOf } from './ids.ts'
import { scopes } from './oauth.ts'
import type { Settings, State } from './state.ts'

export const changeHelp: readonly ChangeHelp[] = [
  {
    change: 'edit',
    does: 'Sets fields of a call, for example title, isPrivate, scheduled or brief, or of a scorecard; a null is sent as null.',
    example: { change: 'edit', id: idOf('call', 1), fields: { title: 'Renamed' } },
  },
  {
    change: 'remove',
    does: 'Takes a call, a user, a scorecard or a review away, as an erasure does: gone from everything.',
    example: { change: 'remove', id: idOf('call', 1) },
  },
  { change: 'restore', does: 'Brings it back.', example: { change: 'restore', id: idOf('call', 1) } },
  {
    change: 'scopes',
    does: 'Takes scopes away from all credentials; an empty list gives them back.',
    example: { change: 'scopes', missing: ['api:coaching:read'] },
  },
  {
    change: 'settings',
    does: 'Sets calls_per_second and calls_per_day (null: no limit), access_token_seconds, media_seconds, bare_ids, empty_as_200, inactive, wrong_address.',
    example: { change: 'settings', calls_per_second: null, bare_ids: true },
  },
  {
    change: 'expire_access_tokens',
    does: 'Ends all access tokens at once.',
    example: { change: 'expire_access_tokens' },
  },
]

const settingNames: Readonly<Record<string, keyof Settings>> = {
  calls_per_second: 'callsPerSecond',
  calls_per_day: 'callsPerDay',
  access_token_seconds: 'accessTokenSeconds',
  media_seconds: 'mediaSeconds',
  bare_ids: 'bareIds',
  empty_as_200: 'emptyAs200',
  inactive: 'inactive',
  wrong_address: 'wrongAddress',
}

export function createChanges(state: State, access: Access): (change: Change) => Record<string, unknown> {
  return (change) => {
    switch (change.change) {
      case 'edit': {
        const id = known(change.id)
        if (typeof change.fields !== 'object' || change.fields === null)
          throw new Error('The change "edit" needs "fields".')
        state.edits.set(id, { ...state.edits.get(id), ...change.fields })
        return { id }
      }
      case 'remove':
        state.gone.add(known(change.id))
        return { gone: state.gone.size }
      case 'restore':
        state.gone.delete(known(change.id))
        return { gone: state.gone.size }
      case 'scopes': {
        const missing = Array.isArray(change.missing) ? change.missing.map(String) : []
        const unknown = missing.find((scope) => !(scopes as readonly string[]).includes(scope))
        if (unknown !== undefined) throw new Error(`There is no scope "${unknown}"; there are ${scopes.join(', ')}.`)
        state.settings.missingScopes = missing
        return { missing }
      }
      case 'settings':
        return set(state.settings, change)
      case 'expire_access_tokens':
        access.expireAll()
        return {}
      default:
        throw new Error(`There is no change "${change.change}".`)
    }
  }
}

function set(settings: Settings, { change: _, ...given }: Change): Record<string, unknown> {
  for (const [name, value] of Object.entries(given)) {
    const setting = settingNames[name]
    if (setting === undefined) throw new Error(`There is no setting "${name}".`)
    const fits = value === null ? setting.startsWith('callsPer') : typeof value === typeof settings[setting]
    if (!fits && !(setting.startsWith('callsPer') && typeof value === 'number'))
      throw new Error(`The setting "${name}" cannot be ${JSON.stringify(value)}.`)
    Object.assign(settings, { [setting]: value })
  }
  return given
}

const changeable = ['call', 'user', 'scorecard', 'answered'] as const

function known(id: unknown): string {
  if (typeof id !== 'string' || !changeable.some((space) => indexOf(space, id) !== undefined))
    throw new Error(`There is no call, user, scorecard or review ${String(id)}.`)
  return id
}
