/** A tracker of issues: a connector that lies outside of Conex, for tests. */
import {
  authMethod,
  connector,
  cursorPaging,
  entity,
  get,
  id,
  identifiedBy,
  integer,
  list,
  optional,
  refusalText,
  secret,
  text,
} from 'conex/kit'

const issue = { id: id(), title: text(), points: integer() }

const pages = cursorPaging({
  params: {
    limit: optional(integer('Issues on a page.', { minimum: 1, maximum: 100 })),
    cursor: optional(text('next of the previous page.', { minLength: 1 })),
  },
  cursor: 'cursor',
  next: ['next'],
  limit: { param: 'limit', default: 50, smallest: 10 },
  block: { name: 'next', holds: 'token' },
})

const listIssues = list({
  description: 'List the issues.',
  path: '/issues',
  recordsAt: ['issues'],
  record: issue,
  paging: pages,
})

const issues = entity({
  description: 'Issues.',
  list: listIssues,
  get: get({
    description: 'Get one issue.',
    path: '/issues/{issue_id}',
    params: { issue_id: id('The issue.') },
    recordsAt: [],
    record: issue,
  }),
  searchable: { id: 'string', title: 'string', points: 'integer' },
  sync: { listings: [{ list: listIssues, params: { limit: 100 } }], identity: identifiedBy('id') },
})

export const tracker = connector({
  kind: 'tracker',
  definitionId: '5e2b6f0c-3b43-4b4a-8f9e-0d6a6a3d9a51',
  title: 'Tracker',
  baseUrl: 'https://api.tracker.example/v1',
  authMethods: [
    authMethod({
      name: 'token',
      title: 'Token',
      credentials: { token: secret('A token.') },
      authorization: { style: 'bearer', token: 'token' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'issues', action: 'list', params: { limit: 1 } },
  readRefusal(answer) {
    if (answer.status < 400) return null
    const message = refusalText(answer)
    if (answer.status === 401) return { code: 'reauthorization_required', message }
    if (answer.status === 403) return { code: 'upstream_forbidden', message }
    if (answer.status === 404) return { code: 'record_not_found', message }
    if (answer.status === 429) return { code: 'upstream_rate_limited', message, transient: true }
    if (answer.status >= 500) return { code: 'upstream_error', message, transient: true }
    return { code: 'upstream_refused', message }
  },
  entities: { issues },
})
