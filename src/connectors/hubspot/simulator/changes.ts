/** Changes on demand: what administrators and time do to grants. */
import type { Change, ChangeHelp } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'

export const changeHelp: readonly ChangeHelp[] = [
  {
    change: 'settings',
    does: 'Sets rotate_refresh_tokens and access_token_seconds.',
    example: { change: 'settings', rotate_refresh_tokens: true, access_token_seconds: 1800 },
  },
  {
    change: 'expire_access_tokens',
    does: 'Ends all access tokens at once.',
    example: { change: 'expire_access_tokens' },
  },
  {
    change: 'hub',
    does: 'Makes the application "uninstalled" or the account "deleted": refreshing is refused; or "installed" again.',
    example: { change: 'hub', is: 'uninstalled' },
  },
]

export function makeChange(access: Access, change: Change): Record<string, unknown> {
  const { settings } = access
  switch (change.change) {
    case 'settings':
      if (typeof change.rotate_refresh_tokens === 'boolean') settings.rotates = change.rotate_refresh_tokens
      if (typeof change.access_token_seconds === 'number') settings.seconds = change.access_token_seconds
      return { rotate_refresh_tokens: settings.rotates, access_token_seconds: settings.seconds }
    case 'expire_access_tokens':
      access.expireAll()
      return {}
    case 'hub':
      if (change.is !== 'installed' && change.is !== 'uninstalled' && change.is !== 'deleted')
        throw new Error('A hub is installed, uninstalled or deleted.')
      settings.hub = change.is
      return { hub: settings.hub }
    default:
      throw new Error(`There is no change "${change.change}"; see GET /_changes.`)
  }
}
