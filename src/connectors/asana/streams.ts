/** How Conex fills the copies of Asana's entities (Asana reference, "Object hierarchy"). */
import {
  get,
  hours,
  id,
  identifiedBy,
  type Listing,
  list,
  minutes,
  plainNumber,
  plainText,
  type Stream,
  type StreamedRecord,
} from '../../kit/connector.ts'
import { gid, ofType, pages } from './fields.ts'

const record = { gid: id() } as const

type Reshape = (records: readonly unknown[]) => readonly unknown[]

/** An entity's facts: the fields to request, and the path of one record. */
function reading(
  fields: readonly string[],
  one: string,
  restricted: readonly string[] = [],
  reshape: Reshape = (records) => records,
) {
  const select = { send: 'opt_fields', default: fields, restricted } as const
  const typed = ofType(one.slice(1, -1))
  const common = {
    description: 'For the copy.',
    recordsAt: ['data'],
    record,
    select,
    reshape: (records: readonly unknown[]) => reshape(typed(records)),
  }
  const params = (path: string, more: readonly string[]) =>
    Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, gid('')]).concat(more.map((name) => [name, gid('')])),
    )
  return {
    list: (path: string, ...more: string[]) => list({ ...common, path, params: params(path, more), paging: pages }),
    confirm: { get: get({ ...common, path: `${one}/{gid}`, params: { gid: gid('') } }), param: 'gid', field: 'gid' },
  }
}

const identity = identifiedBy('gid')

const workspace = reading(['name', 'email_domains', 'is_organization'], '/workspaces')

export const workspaceStream: Stream = {
  listings: [{ list: workspace.list('/workspaces') }],
  identity,
  confirm: workspace.confirm,
}

/** Once for each workspace, or for each one that is an organization. */
const overWorkspaces = (param: string, children: (gid: string) => object, where?: object): Listing['over'] => ({
  entity: 'workspaces',
  ...(where && { where: where as Record<string, unknown> }),
  params: ({ id: gid }) => [{ [param]: gid }],
  children: ({ id: gid }) => children(gid) as Record<string, unknown>,
})

const inField = (field: string) => (gid: string) => ({ eq: { [`${field}.gid`]: gid } })
const inList = (field: string) => (gid: string) => ({ any: { [field]: { eq: { gid } } } })

const user = reading(['name', 'email', 'photo', 'workspaces'], '/users')

export const userStream: Stream = {
  listings: [{ list: user.list('/users', 'workspace'), over: overWorkspaces('workspace', inList('workspaces'))! }],
  identity,
  confirm: user.confirm,
}

const team = reading(['name', 'description', 'html_description', 'organization', 'permalink_url'], '/teams')

export const teamStream: Stream = {
  listings: [
    {
      list: team.list('/workspaces/{workspace_gid}/teams'),
      // Plain workspaces have no teams, and Asana refuses to list them (Asana reference, "Teams").
      over: overWorkspaces('workspace_gid', inField('organization'), { eq: { is_organization: true } })!,
    },
  ],
  identity,
  confirm: team.confirm,
}

const tag = reading(['name', 'color', 'followers', 'permalink_url', 'workspace'], '/tags')

export const tagStream: Stream = {
  listings: [
    {
      list: tag.list('/workspaces/{workspace_gid}/tags'),
      over: overWorkspaces('workspace_gid', inField('workspace'))!,
    },
  ],
  identity,
  confirm: tag.confirm,
}

const status = ['author', 'color', 'created_at', 'created_by', 'html_text', 'modified_at', 'text']

const project = reading(
  [
    ...['name', 'archived', 'color', 'created_at'],
    ...[...status, 'title'].map((name) => `current_status.${name}`),
    ...['custom_field_settings.custom_field', 'custom_field_settings.is_important', 'custom_fields'],
    ...['default_view', 'due_date', 'due_on', 'followers', 'html_notes', 'icon', 'is_template', 'members'],
    ...['modified_at', 'notes', 'owner', 'permalink_url', 'public', 'start_on', 'team', 'workspace'],
  ],
  '/projects',
  [],
  (projects) => {
    ofType('project_status')((projects as readonly (StreamedRecord | null)[]).map((project) => project?.current_status))
    return projects
  },
)

export const projectStream: Stream = {
  listings: [
    { list: project.list('/projects', 'workspace'), over: overWorkspaces('workspace', inField('workspace'))! },
  ],
  identity,
  note: 'is_template is always null, because Asana removed it from its API.',
  confirm: project.confirm,
}

const section = reading(['name', 'created_at', 'project'], '/sections')

export const sectionStream: Stream = {
  listings: [
    {
      list: section.list('/projects/{project_gid}/sections'),
      over: {
        entity: 'projects',
        params: ({ id: gid }) => [{ project_gid: gid }],
        children: ({ id: gid }) => inField('project')(gid),
      },
    },
  ],
  identity,
  confirm: section.confirm,
}

const task = reading(
  [
    ...['name', 'resource_subtype', 'actual_time_minutes', 'approval_status', 'assignee'],
    ...['completed', 'completed_at', 'completed_by', 'created_at', 'custom_fields', 'dependencies', 'dependents'],
    ...['due_at', 'due_on', 'external.gid', 'external.data', 'followers', 'hearted', 'hearts.user', 'html_notes'],
    ...['is_rendered_as_separator', 'liked', 'likes.user', 'memberships.project', 'memberships.section'],
    ...['modified_at', 'notes', 'num_hearts', 'num_likes', 'num_subtasks', 'parent', 'permalink_url', 'projects'],
    ...['start_on', 'tags', 'workspace'],
  ],
  '/tasks',
  // Only a paid plan shows these.
  ['dependencies', 'dependents'],
)

const below: Listing['below'] = {
  list: task.list('/tasks/{task_gid}/subtasks'),
  has: ({ num_subtasks: count }) => plainNumber(count) > 0,
  params: (gid) => ({ task_gid: gid }),
}

const since: Listing['since'] = {
  // Asana does not document whether the bound is inclusive; the overlap covers both.
  lookBack: 5 * minutes,
  params: (moment) => ({ modified_since: new Date(moment).toISOString() }),
}

/**
 * Tasks of projects, with the subtasks below them; then tasks without a project, by their assignees and their tags.
 * No list returns a task that has none of these. Search would, but is useless for syncs: it needs a paid plan, lags,
 * changes between calls, and has no pages beyond a hundred tasks of one moment (Asana reference, "Search tasks").
 */
export const taskStream: Stream = {
  listings: [
    {
      // The list below the project's own address cannot report changes.
      list: task.list('/tasks', 'project', 'modified_since'),
      over: {
        entity: 'projects',
        params: ({ id: project }) => [{ project }],
        // Subtasks belong to a task.
        children: ({ id: gid }) => ({ or: [inList('projects')(gid), inField('parent')(gid)] }),
      },
      since,
      below,
    },
    {
      list: task.list('/tasks', 'assignee', 'workspace', 'modified_since'),
      over: {
        entity: 'users',
        fields: ['workspaces'],
        params: ({ id: assignee, data: { workspaces } }) =>
          gidsIn(workspaces).map((workspace) => ({ assignee, workspace })),
        children: ({ id: gid }) => inField('assignee')(gid),
      },
      since,
      below,
    },
    {
      list: task.list('/tasks', 'tag', 'modified_since'),
      over: {
        entity: 'tags',
        params: ({ id: tag }) => [{ tag }],
        children: ({ id: gid }) => inList('tags')(gid),
      },
      since,
      below,
    },
  ],
  identity,
  note: 'The copy does not contain tasks that have no project, no parent, no assignee and no tag, because no list of Asana returns them; if the plan includes it, workspace_task_search finds them.',
  confirm: task.confirm,
  // A move between projects, or a change of a subtask, may leave the time of change as it is.
  fullEvery: 24 * hours,
}

function gidsIn(records: unknown): string[] {
  return Array.isArray(records)
    ? (records as readonly ({ gid?: unknown } | null)[]).map((record) => plainText(record?.gid)).filter(Boolean)
    : []
}

/** The copy's attachments belong to tasks, which alone have a subtype, and to projects. */
const typedParent = (parent: unknown): unknown => {
  const subtype = (parent as { resource_subtype?: unknown } | null | undefined)?.resource_subtype
  return ofType(typeof subtype === 'string' ? 'task' : 'project')([parent])[0]
}

/** Signed addresses expire within minutes and are secrets until then (reference of getAttachment). */
const withoutSignedAddresses: Reshape = (records) =>
  (records as readonly (StreamedRecord | null)[]).map(
    (attachment) =>
      attachment && {
        ...attachment,
        parent: typedParent(attachment.parent),
        download_url: unsigned(attachment.download_url),
        view_url: unsigned(attachment.view_url),
      },
  )

const unsigned = (address: unknown): unknown =>
  typeof address === 'string' && /[?&](X-Amz-Signature|t)=/i.test(address) ? null : address

const attachment = reading(
  [
    ...['name', 'resource_subtype', 'connected_to_app', 'created_at', 'download_url', 'host'],
    ...['parent.created_by', 'parent.name', 'parent.resource_subtype', 'permanent_url'],
    ...['size', 'view_url'],
  ],
  '/attachments',
  [],
  withoutSignedAddresses,
)

const attachmentsOf = (entity: string): Listing => ({
  list: attachment.list('/attachments', 'parent'),
  over: {
    entity,
    params: ({ id: parent }) => [{ parent }],
    children: ({ id: gid }) => inField('parent')(gid),
    changed: { field: 'modified_at', lookBack: 5 * minutes },
  },
})

/** One call for each project and task, so between full passes only the changed ones are asked. */
export const attachmentStream: Stream = {
  listings: [attachmentsOf('projects'), attachmentsOf('tasks')],
  identity,
  note: 'Addresses that Asana signs are null in the copy: they are secrets and expire within minutes. attachments get and download return new ones.',
  confirm: attachment.confirm,
  fullEvery: 24 * hours,
}
