/** Changes on demand: those of every system with a consent page, and each system's own. */
import type { Change, ChangeHelp, RunningSystem } from './system.ts'

const registerRedirects: ChangeHelp = {
  change: 'register_redirects',
  does: 'Registers where the application may send browsers back to, letter for letter; any https or loopback address before.',
  example: { change: 'register_redirects', uris: ['https://conex.example/v1/integrations/connectors/oauth/callback'] },
}

export const changesOf = ({ consent, changes }: RunningSystem): readonly ChangeHelp[] =>
  consent === undefined ? changes : [...changes, registerRedirects]

export function makeChange(system: RunningSystem, change: Change): Record<string, unknown> {
  if (system.consent === undefined || change.change !== registerRedirects.change) return system.change(change)
  if (!Array.isArray(change.uris) || !change.uris.every((uri) => typeof uri === 'string'))
    throw new Error('Give the addresses as a list: uris.')
  system.consent.register(change.uris)
  return { uris: change.uris }
}
