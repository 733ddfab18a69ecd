/** The owner of a token: the check of a connector. */
import { boolean, get, id, nullable, text } from '../../kit/connector.ts'

/** Requires no scope, and has no published limit of calls per minute (method page auth.test). */
export const authIdentity = get({
  description: 'The owner of the token.',
  path: '/auth.test',
  recordsAt: [],
  record: {
    user_id: id(),
    user: nullable(text()),
    team_id: nullable(text()),
    team: nullable(text()),
    url: nullable(text()),
    bot_id: nullable(text()),
    is_enterprise_install: nullable(boolean()),
  },
})
