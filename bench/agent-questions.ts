/** Questions about the demo's data, each with the operation that a model would find for it, and what the answer is made of. */

export interface AgentQuestion {
  readonly question: string
  readonly kind: string
  readonly entity: string
  readonly action: 'list' | 'get' | 'search' | 'sql'
  /** Of a search or a statement; the others take the example params of the kind. */
  readonly params?: Readonly<Record<string, unknown>>
  /** The fields that a model chooses for a short answer. */
  readonly fields?: readonly string[]
}

// biome-ignore format: a table
export const agentQuestions: readonly AgentQuestion[] = [
  { question: 'Which workspaces can I see?', kind: 'asana', entity: 'workspaces', action: 'list' },
  { question: 'What is to be done in this project, and by whom?', kind: 'asana', entity: 'tasks', action: 'list', fields: ['gid', 'name', 'assignee.name', 'due_on'] },
  { question: 'Who works in this workspace?', kind: 'asana', entity: 'users', action: 'list', fields: ['gid', 'name'] },
  { question: 'What exactly does this task say?', kind: 'asana', entity: 'tasks', action: 'get' },
  { question: 'Into which sections is the project divided?', kind: 'asana', entity: 'project_sections', action: 'list' },
  { question: 'Which open tasks have the earliest due dates?', kind: 'asana', entity: 'tasks', action: 'search', params: { filter: { eq: { completed: false }, neq: { due_on: null } }, sort: [{ due_on: 'asc' }], fields: ['gid', 'name', 'due_on'] } },
  { question: 'How many open tasks has each person?', kind: 'asana', entity: 'tasks', action: 'sql', params: { sql: 'select assignee_name, count(*) as open from tasks where not completed group by 1 order by 1' } },
  { question: 'Which calls were there this month?', kind: 'gong', entity: 'calls', action: 'list', fields: ['id', 'title', 'started', 'duration'] },
  { question: 'Who is in the call system?', kind: 'gong', entity: 'users', action: 'list', fields: ['id', 'firstName', 'lastName', 'title'] },
  { question: 'How was this call recorded?', kind: 'gong', entity: 'calls', action: 'get' },
  { question: 'Which active people are managers?', kind: 'gong', entity: 'users', action: 'search', params: { filter: { eq: { active: true }, like: { title: '%manager%' } }, fields: ['id', 'title'] } },
  { question: 'Which channels are there?', kind: 'slack', entity: 'channels', action: 'list', fields: ['id', 'name', 'num_members'] },
  { question: 'Who is in this channel?', kind: 'slack', entity: 'channel_members', action: 'list' },
  { question: 'What was said in this channel?', kind: 'slack', entity: 'channel_messages', action: 'list', fields: ['ts', 'user', 'text'] },
  { question: 'Which people are not bots?', kind: 'slack', entity: 'users', action: 'search', params: { filter: { eq: { deleted: false, is_bot: false } }, fields: ['id', 'name'] } },
  { question: 'Which deals are there, and how large are they?', kind: 'hubspot', entity: 'deals', action: 'list', fields: ['id', 'properties.dealname', 'properties.amount'] },
  { question: 'Who is this contact?', kind: 'hubspot', entity: 'contacts', action: 'get' },
  { question: 'Which owners are there?', kind: 'hubspot', entity: 'owners', action: 'list', fields: ['id', 'email'] },
  { question: 'Which campaigns run, and for what?', kind: 'facebook-marketing', entity: 'campaigns', action: 'list', fields: ['id', 'name', 'objective', 'effective_status'] },
  { question: 'Which campaigns are active?', kind: 'facebook-marketing', entity: 'campaigns', action: 'search', params: { filter: { eq: { effective_status: 'ACTIVE' } }, fields: ['id', 'name'] } },
]
