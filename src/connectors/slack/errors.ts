/** The meaning of Slack's refusals: a code under status 200 (Web API documentation, error lists of the methods). */
import type { ErrorCode, ReadRefusal, Refusal } from '../../kit/connector.ts'

/** Reads `{"ok": false, "error": <code>, "needed"?: <scopes>}`. Only 429 and 5xx have a status of their own. */
export const readRefusal: ReadRefusal = ({ status, body }) => {
  const { ok, error, needed, response_metadata } = (body ?? {}) as Record<string, unknown>
  // By its status, because the body may not be JSON.
  if (status === 429) return { code: 'upstream_rate_limited', transient: true }
  if (status >= 500) return { code: 'upstream_error', transient: true }
  if (ok === true) return null
  if (typeof error !== 'string') return ok === false ? { code: 'upstream_error' } : null
  const messages = (response_metadata as { messages?: unknown } | undefined)?.messages
  const words = [error, ...(Array.isArray(messages) ? messages.filter((text) => typeof text === 'string') : [])]
  const scopes = error === 'missing_scope' && typeof needed === 'string' ? ` (needed: ${needed})` : ''
  return { ...meaning(error), upstreamCode: error, message: words.join(' ') + scopes }
}

function meaning(error: string): Refusal {
  for (const [code, errors] of Object.entries(meanings)) if (errors.includes(error)) return { code: code as ErrorCode }
  if (transient.includes(error)) return { code: 'upstream_error', transient: true }
  if (error === 'ratelimited') return { code: 'upstream_rate_limited', transient: true }
  return { code: 'upstream_refused' }
}

const meanings: { readonly [code in ErrorCode]?: readonly string[] } = {
  reauthorization_required: [
    'not_authed',
    'invalid_auth',
    'token_revoked',
    'token_expired',
    'account_inactive',
    'two_factor_setup_required',
    'team_access_not_granted',
  ],
  upstream_forbidden: [
    'missing_scope',
    'not_allowed_token_type',
    'no_permission',
    'access_denied',
    'accesslimited',
    'enterprise_is_restricted',
    'ekm_access_denied',
    'restricted_action',
    'user_is_bot',
    'user_is_restricted',
    'not_in_channel',
    'channel_is_limited_access',
  ],
  upstream_plan_required: ['plan_upgrade_required'],
  record_not_found: [
    'channel_not_found',
    'user_not_found',
    'users_not_found',
    'user_not_visible',
    'file_not_found',
    'file_deleted',
    'not_visible',
    'thread_not_found',
    'message_not_found',
    'bot_not_found',
    'no_such_subteam',
    'team_not_found',
  ],
  invalid_cursor: ['invalid_cursor'],
  // A workspace that moves into an organization, which takes longer than retries do.
  upstream_error: ['team_added_to_org', 'org_login_required'],
}

const transient: readonly string[] = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'fetch_members_failed',
  'unable_to_fetch_custom_emojis',
]
