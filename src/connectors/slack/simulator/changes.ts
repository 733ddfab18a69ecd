/** Changes on demand: what administrators and time do to tokens. */
import type { Change, ChangeHelp } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'

export const changeHelp: readonly ChangeHelp[] = [
  {
    change: 'settings',
    does: 'Sets rotate_tokens: whether new tokens last twelve hours and come with a refresh token.',
    example: { change: 'settings', rotate_tokens: true },
  },
  {
    change: 'expire_access_tokens',
    does: 'Ends all rotating tokens at once; the others never expire.',
    example: { change: 'expire_access_tokens' },
  },
  { change: 'revoke_tokens', does: 'Revokes all tokens.', example: { change: 'revoke_tokens' } },
  {
    change: 'remove_application',
    does: 'Takes the application out of the workspace; back again with removed: false.',
    example: { change: 'remove_application' },
  },
]

export function makeChange(access: Access, change: Change): Record<string, unknown> {
  switch (change.change) {
    case 'settings':
      if (typeof change.rotate_tokens === 'boolean') access.settings.rotates = change.rotate_tokens
      return { rotate_tokens: access.settings.rotates }
    case 'expire_access_tokens':
      access.expireAll()
      return {}
    case 'revoke_tokens':
      access.revokeAll()
      return {}
    case 'remove_application':
      access.settings.removed = change.removed !== false
      return { removed: access.settings.removed }
    default:
      throw new Error(`There is no change "${change.change}"; see GET /_changes.`)
  }
}
