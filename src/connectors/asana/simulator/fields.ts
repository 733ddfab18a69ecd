/** The fields of every record, declared, and those that are worked out from others. */
import { createHash } from 'node:crypto'
import { customFields } from './custom-fields.ts'
import type { Ask } from './declare.ts'
import { downloadUrl, viewUrl } from './file-host.ts'
import { gidOf } from './gids.ts'
import { landmarks } from './landmarks.ts'
import {
  type Attachment,
  type Brief,
  day,
  type Project,
  type Row,
  type Tag,
  type Task,
  type Team,
  timeOf,
  type User,
} from './records.ts'
import { indexOf } from './world.ts'

/** Everything besides the record that an answer may depend on. */
export type View = Pick<Ask, 'world' | 'caller' | 'now'>

const userFields = 'email photo:photo workspaces:workspace'
const taskFields = `actual_time_minutes approval_status assignee:user assignee_status assignee_section:section completed
  completed_at completed_by?:user created_at created_by?:author custom_fields*:custom_field dependencies?:linked
  dependents?:linked due_at due_on external?:external followers:user hearted hearts:like html_notes?
  is_rendered_as_separator? liked likes:like memberships*:membership modified_at notes num_hearts num_likes
  num_subtasks? parent:task permalink_url projects:project start_at start_on tags:tag workspace:workspace
  assigned_by?:user custom_type? custom_type_status_option?`
const fieldFields = `display_value text_value number_value precision format currency_code enum_options enum_value
  multi_enum_values date_value people_value:user reference_value`

/**
 * First the compact form, then what a get adds. `?` marks fields that come only when asked for, `:` those that show
 * other records, in their compact form, or with `*` wholly in an answer without `opt_fields`.
 */
const declared = {
  workspace: 'name resource_type | email_domains is_organization',
  user: `name resource_type | ${userFields}`,
  /** A person who is named by the gid alone. */
  author: `resource_type | name ${userFields}`,
  photo: 'image_21x21 image_27x27 image_36x36 image_60x60 image_128x128 | image_1024x1024?',
  team: `name resource_type | organization:workspace permalink_url description? html_description? visibility? endorsed?`,
  tag: 'name resource_type | color created_at followers:user notes permalink_url workspace:workspace',
  section: 'name resource_type | created_at project:project',
  project_brief: 'resource_type | name title',
  status: `resource_type title text color author:user created_at created_by:user modified_at | html_text`,
  status_update: 'resource_type resource_subtype title |',
  setting: 'resource_type is_important parent:project project:project | custom_field:definition',
  definition: `name resource_type resource_subtype type enum_options privacy_setting default_access_level
    is_formula_field | enabled description ${fieldFields}`,
  custom_field: `name resource_type resource_subtype type enabled is_formula_field ${fieldFields} | description
    created_by:user is_value_read_only privacy_setting? default_access_level?`,
  project: `name resource_type | archived color completed completed_at completed_by?:user created_at
    current_status:status current_status_update:status_update custom_fields:custom_field
    custom_field_settings*:setting default_access_level default_view due_date due_on followers:user members:user
    minimum_access_level_for_customization minimum_access_level_for_sharing modified_at notes html_notes? owner:user
    permalink_url privacy_setting public start_on team:team workspace:workspace icon? project_brief?:project_brief
    created_from_template?`,
  task: `name resource_type resource_subtype | ${taskFields}`,
  /** A task that another one waits for. */
  linked: `resource_type | name resource_subtype ${taskFields}`,
  membership: '| project:project section:section',
  like: 'user:user |',
  external: 'gid data |',
  attachment: `name resource_type resource_subtype | host created_at download_url permanent_url view_url parent:parent
    size? connected_to_app?`,
  parent: 'name resource_type resource_subtype | created_by:author',
} as const

export type AnyResource = keyof typeof declared

/** The records that a resource shows, where that is not said by its name. */
const kinds: Readonly<Record<string, string>> = { author: 'user', linked: 'task', definition: 'custom_field' }
const plain: readonly string[] = ['photo', 'membership', 'external']

export interface Shape {
  readonly kind: string
  readonly isPlain: boolean
  readonly compact: readonly string[]
  readonly whole: readonly string[]
  readonly fields: ReadonlyMap<
    string,
    { readonly of?: AnyResource; readonly isWhole: boolean; readonly optIn: boolean }
  >
}

function readShape(name: string, text: string): Shape {
  const [compact = [], rest = []] = text.split('|').map((part) => part.match(/\S+/g) ?? [])
  const fields = new Map(
    [...compact, ...rest].map((word) => {
      const [, field = '', marks = '', of] = /^(\w+)([?*]*)(?::(\w+))?$/.exec(word) ?? []
      const shows = of === undefined ? {} : { of: of as AnyResource }
      return [field, { isWhole: marks.includes('*'), optIn: marks.includes('?'), ...shows }]
    }),
  )
  const names = [...fields.keys()]
  return {
    kind: kinds[name] ?? name,
    isPlain: plain.includes(name),
    compact: names.slice(0, compact.length),
    whole: names.filter((field) => !fields.get(field)?.optIn),
    fields: plain.includes(name) ? fields : fields.set('gid', { isWhole: false, optIn: false }),
  }
}

export const shapes = Object.fromEntries(
  Object.entries(declared).map(([name, text]) => [name, readShape(name, text)]),
) as Readonly<Record<AnyResource, Shape>>

const rich = (text: string) =>
  `<body>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</body>`

/** Addresses of pictures carry their own signature, valid for a week. */
function photoOf({ gid, workspaces }: User, { world, now }: View): Row {
  const expires = Math.floor((now + 7 * day) / day) * 86_400
  const sizes = [...shapes.photo.fields.keys()].map((name) => {
    const signature = createHash('sha256').update(`${gid}${name}${expires}`).digest('hex').slice(0, 32)
    const file = `${gid}_${name.slice(6)}.${name === 'image_1024x1024' ? 'jpg' : 'png'}`
    const path = `/us1/assets/${workspaces[0]}/profile_photos/${file}?e=${expires}&v=0&t=${signature}`
    return [name, `${world.filesOrigin}${path}`]
  })
  return Object.fromEntries(sizes)
}

const statuses = [
  ['green', 'On track for the window.'],
  ['yellow', 'Two samples are late.'],
  ['red', 'Blocked by customs.'],
  ['blue', 'Paused.'],
  ['complete', 'Done.'],
] as const

function statusOf(project: Project): Row | null {
  if (!project.has_status) return null
  const [color, text] = statuses[indexOf(project.gid) % 5] as (typeof statuses)[number]
  const [started, changed] = [Date.parse(project.created_at), Date.parse(project.modified_at)]
  const time = timeOf(changed - (changed - started) * 0.1)
  return {
    ...{ gid: gidOf('status', indexOf(project.gid)), resource_type: 'project_status' },
    ...{ title: `Status of ${project.name}`, text, html_text: rich(text), color },
    ...{ author: project.owner, created_by: project.owner, created_at: time, modified_at: time },
  }
}

const settingsOf = (project: Project) =>
  customFields(indexOf(project.gid), true).map((custom_field, index) => ({
    ...{ gid: gidOf('like', indexOf(project.gid) * 8 + index), resource_type: 'custom_field_setting' },
    ...{ is_important: index < 2, parent: project, project, custom_field },
  }))

const likesOf = ({ gid, likes }: Task) =>
  likes.map((user) => ({ gid: gidOf('like', (indexOf(gid) % 1_000_000) * 8 + (indexOf(user) % 8)), user }))

const likedBy = ({ likes }: Task, { caller }: View) => likes.includes(caller.person.gid)

/** Answers leave out trashed projects. */
const placesOf = ({ memberships }: Task, { world }: View) =>
  memberships.filter(({ project }) => !world.gone.has(project))

/** Only paid plans have custom fields. */
function fieldsOfTask({ gid, workspace, projects }: Task, { world }: View) {
  if (!world.find('workspace', workspace)?.paid) return undefined
  const project = projects[0] === undefined ? undefined : world.find('project', projects[0])
  return project?.has_fields ? customFields(indexOf(gid)) : []
}

function subtaskCount(task: Task, { world }: View): number {
  const subtasks = world.subtasks(task)
  let count = 0
  for (let place = 0; place < subtasks.length; place++) {
    const subtask = subtasks.at(place)
    if (subtask !== undefined && !world.isGone(subtask)) count += 1
  }
  return count
}

const page = (gid: string) => `https://app.asana.com/0/${gid}`

type Derived<R> = Readonly<Record<string, (record: R, view: View) => unknown>>

const user: Derived<User> = {
  photo: (user, view) => (user.photo === true ? photoOf(user, view) : null),
  workspaces: ({ workspaces }, { caller }) => workspaces.filter((gid) => caller.person.workspaces.includes(gid)),
}

const team: Derived<Team> = {
  organization: ({ workspace }) => workspace,
  permalink_url: ({ gid }) => page(gid),
  html_description: ({ description }) => rich(String(description)),
}

const tag: Derived<Tag> = { permalink_url: ({ gid }) => `${page(gid)}/${gid}` }

const project: Derived<Project> = {
  completed: ({ completed_at }) => completed_at !== null,
  completed_by: ({ completed_at, owner }) => (completed_at === null ? null : owner),
  current_status: statusOf,
  current_status_update: ({ gid, name, has_status }) =>
    has_status
      ? {
          ...{ gid: gidOf('statusUpdate', indexOf(gid)), resource_type: 'status_update' },
          ...{ resource_subtype: 'project_status_update', title: `Status of ${name}` },
        }
      : null,
  custom_fields: ({ gid, has_fields }) => (has_fields ? customFields(indexOf(gid), true) : []),
  custom_field_settings: (project) => (project.has_fields ? settingsOf(project) : undefined),
  due_date: ({ due_on }) => due_on,
  followers: ({ members }) => members,
  html_notes: ({ notes }) => rich(notes),
  permalink_url: ({ gid, workspace }) => `https://app.asana.com/1/${workspace}/project/${gid}`,
  project_brief: ({ gid }, { world }) => world.find('project_brief', gidOf('brief', indexOf(gid))) ?? null,
  public: ({ privacy_setting }) => privacy_setting === 'public_to_workspace',
}

const task: Derived<Task> = {
  assignee_status: ({ completed_at, due_on }) =>
    completed_at !== null ? 'inbox' : due_on === null ? 'later' : 'upcoming',
  assignee_section: ({ assignee }, { caller }) =>
    assignee === caller.person.gid ? gidOf('section', indexOf(landmarks.project_empty) * 8) : undefined,
  completed: ({ completed_at }) => completed_at !== null,
  custom_fields: fieldsOfTask,
  // Data of an application are shown to applications only.
  external: ({ external }, { caller }) => (caller.oauth ? (external ?? undefined) : undefined),
  hearted: likedBy,
  hearts: likesOf,
  html_notes: ({ notes }) => rich(notes),
  is_rendered_as_separator: (task) =>
    task.resource_subtype === 'default_task' ? task.is_rendered_as_separator : undefined,
  liked: likedBy,
  likes: likesOf,
  memberships: placesOf,
  num_hearts: ({ likes }) => likes.length,
  num_likes: ({ likes }) => likes.length,
  num_subtasks: subtaskCount,
  permalink_url: ({ gid, workspace, projects }) =>
    `https://app.asana.com/1/${workspace}${projects[0] === undefined ? '' : `/project/${projects[0]}`}/task/${gid}`,
  projects: (task, view) => placesOf(task, view).map(({ project }) => project),
}

const attachment: Derived<Attachment> = {
  resource_subtype: ({ host }) => host,
  parent: ({ parent }, { world }) => world.parent(parent),
  download_url: downloadUrl,
  permanent_url: ({ gid, host }) =>
    host === 'asana' ? `https://app.asana.com/app/asana/-/get_asset?asset_id=${gid}` : null,
  view_url: viewUrl,
  size: ({ host, size }) => (host === 'asana' ? size : undefined),
  connected_to_app: ({ host }) => (host === 'external' || host === 'gdrive' ? false : undefined),
}

const project_brief: Derived<Brief> = { title: ({ name }) => name }

/** People's names are shown, and only their gids kept. */
const custom_field: Derived<Row> = {
  display_value: ({ type, people_value, display_value }, { world }) =>
    type === 'people' ? (world.find('user', (people_value as string[])[0] ?? '')?.name ?? null) : display_value,
}

// biome-ignore lint/suspicious/noExplicitAny: each kind has records of its own
export const derived: Readonly<Record<string, Derived<any> | undefined>> = {
  ...{ user, team, tag, project, task, attachment, project_brief, custom_field },
}
