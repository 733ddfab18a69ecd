/** How records become answers: the fields of each, declared, and those that are worked out from others. */
import { type Derive, type FieldSelection, fieldTables, readSelection, recordsOf } from '../../../kit/simulator.ts'
import { customFields } from './custom-fields.ts'
import { landmarks } from './examples.ts'
import { downloadUrl, viewUrl } from './file-host.ts'
import { gidOf, indexOf } from './gids.ts'
import { day, type Kind, type Of, type Project, type Row, type Task, type User } from './records.ts'
import type { View } from './world.ts'

const userFields = 'email photo:photo workspaces:workspace'
const taskFields = `actual_time_minutes approval_status assignee:user assignee_status assignee_section:section completed
  completed_at completed_by?:user created_at created_by?:author custom_fields*:custom_field dependencies?:linked
  dependents?:linked due_at due_on external?:external followers:user hearted hearts:like html_notes?
  is_rendered_as_separator? liked likes:like memberships*:membership modified_at notes num_hearts num_likes
  num_subtasks? parent:task permalink_url projects:project start_at start_on tags:tag workspace:workspace
  assigned_by?:user custom_type? custom_type_status_option?`
const fieldFields = `display_value text_value number_value precision format currency_code enum_options enum_value
  multi_enum_values date_value people_value:user reference_value`

/** What a list shows, and what a get adds; fields with `?` come only when `opt_fields` names them. */
const tables = {
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

const rich = (text: unknown) =>
  `<body>${String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</body>`

/** Addresses of pictures are signed anew every day. */
function photoOf({ gid, workspaces }: User, { world, now }: View): Row {
  const expires = Math.floor(now / day + 7) * 86_400
  const sizes = ['21x21', '27x27', '36x36', '60x60', '128x128', '1024x1024']
  const file = (size: string) =>
    `${workspaces[0]}/profile_photos/${gid}_${size}.png?e=${expires}&v=0&t=${expires % 9973}`
  return Object.fromEntries(sizes.map((size) => [`image_${size}`, `${world.filesOrigin}/us1/assets/${file(size)}`]))
}

const colors = ['green', 'yellow', 'red', 'blue', 'complete'] as const

function statusOf({ gid, name, owner, modified_at }: Project): Row {
  const color = colors[indexOf(gid) % 5]
  const title = `Status of ${name}`
  return {
    ...{ gid: gidOf('status', indexOf(gid)), resource_type: 'project_status', title, color },
    ...{ text: `We are ${color}.`, html_text: rich(`We are ${color}.`), author: owner, created_by: owner },
    ...{ created_at: modified_at, modified_at },
  }
}

const updateOf = ({ gid, name }: Project): Row => ({
  ...{ gid: gidOf('statusUpdate', indexOf(gid)), resource_type: 'status_update' },
  ...{ resource_subtype: 'project_status_update', title: `Status of ${name}` },
})

const settingsOf = (project: Project) =>
  customFields(indexOf(project.gid)).map((custom_field, index) => ({
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
  return world.find('project', projects[0] ?? '')?.has_fields ? customFields(indexOf(gid)) : []
}

const app = 'https://app.asana.com'

const derived: { readonly [K in Kind]?: Readonly<Record<string, Derive<View, Of<K>>>> } = {
  user: {
    photo: (user, view) => (user.photo === true ? photoOf(user, view) : null),
    workspaces: ({ workspaces }, { caller }) => workspaces.filter((gid) => caller.person.workspaces.includes(gid)),
  },
  team: {
    organization: ({ workspace }) => workspace,
    permalink_url: ({ gid }) => `${app}/0/${gid}`,
    html_description: ({ description }) => rich(description),
  },
  tag: { permalink_url: ({ gid }) => `${app}/0/${gid}/${gid}` },
  project: {
    completed: ({ completed_at }) => completed_at !== null,
    completed_by: ({ completed_at, owner }) => (completed_at === null ? null : owner),
    current_status: (project) => (project.has_status ? statusOf(project) : null),
    current_status_update: (project) => (project.has_status ? updateOf(project) : null),
    custom_fields: ({ gid, has_fields }) => (has_fields ? customFields(indexOf(gid)) : []),
    custom_field_settings: (project) => (project.has_fields ? settingsOf(project) : undefined),
    due_date: ({ due_on }) => due_on,
    followers: ({ members }) => members,
    html_notes: ({ notes }) => rich(notes),
    permalink_url: ({ gid, workspace }) => `${app}/1/${workspace}/project/${gid}`,
    project_brief: ({ gid }, { world }) => world.find('project_brief', gidOf('brief', indexOf(gid))) ?? null,
    public: ({ privacy_setting }) => privacy_setting === 'public_to_workspace',
  },
  task: {
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
    is_rendered_as_separator: ({ resource_subtype, is_rendered_as_separator }) =>
      resource_subtype === 'default_task' ? is_rendered_as_separator : undefined,
    liked: likedBy,
    likes: likesOf,
    memberships: placesOf,
    num_hearts: ({ likes }) => likes.length,
    num_likes: ({ likes }) => likes.length,
    num_subtasks: (task, { world }) => recordsOf(world.subtasks(task)).filter((one) => !world.isGone(one)).length,
    permalink_url: ({ gid, workspace, projects: [project] }) =>
      `${app}/1/${workspace}${project === undefined ? '' : `/project/${project}`}/task/${gid}`,
    projects: (task, view) => placesOf(task, view).map(({ project }) => project),
  },
  attachment: {
    resource_subtype: ({ host }) => host,
    parent: ({ parent }, { world }) => world.parent(parent),
    download_url: downloadUrl,
    permanent_url: ({ gid, host }) => (host === 'asana' ? `${app}/app/asana/-/get_asset?asset_id=${gid}` : null),
    view_url: viewUrl,
    size: ({ host, size }) => (host === 'asana' ? size : undefined),
    connected_to_app: ({ host }) => (host === 'external' || host === 'gdrive' ? false : undefined),
  },
  project_brief: { title: ({ name }) => name },
}

/** People's names are shown, and only their gids kept. */
const customField = {
  display_value: ({ type, people_value, display_value }: Row, { world }: View) =>
    type === 'people' ? (world.find('user', (people_value as string[])[0] ?? '')?.name ?? null) : display_value,
}

/** The records of tables that are not named for them. */
const kinds: Readonly<Record<string, Kind>> = { author: 'user', linked: 'task' }

const writerOf = fieldTables<keyof typeof tables, View>({
  tables,
  id: { name: 'gid', without: ['photo', 'membership', 'external'] },
  derived: {
    ...{ ...derived, author: derived.user, linked: derived.task },
    ...{ custom_field: customField, definition: customField },
  },
  resolve: (table, gid, { world }) => world.find(kinds[table] ?? (table as Kind), gid),
})

/** A comma-separated list of dotted paths with `this.` and `(a|b)` groups. */
const readOptFields = (text: string): FieldSelection =>
  readSelection(text.split(',').flatMap((term) => alternatives(term.trim().replace(/^this\./, ''))))

/** `a.(b|c).d` as `a.b.d` and `a.c.d`. */
function alternatives(term: string): string[] {
  const [group, inside = ''] = /\(([^()]*)\)/.exec(term) ?? []
  return group === undefined
    ? [term]
    : inside.split('|').flatMap((one) => alternatives(term.replace(group, one.trim())))
}

const written = new Map<string, (record: Row, view: View) => Row>()

/** The compact form, the whole one, or the fields that `opt_fields` name. Keeps the writers: the same fields are asked for again. */
export function shown(record: Row, view: View, kind: Kind, form: 'compact' | 'whole', optFields = ''): Row {
  const key = `${kind} ${form} ${optFields}`
  const write = written.get(key) ?? writerOf(kind, optFields.trim() === '' ? form : readOptFields(optFields))
  if (written.size >= 500) written.clear()
  written.set(key, write)
  return write(record, view)
}
