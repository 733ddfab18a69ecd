/** Projects and sections as answers. */
import { type CustomValue, customFieldInSetting, customValueShape, customValues } from './custom-fields.ts'
import { gidOf } from './gids.ts'
import type { Brief, Project, Section } from './records.ts'
import {
  isoTime,
  isoTimeOrNull,
  numberOf,
  opening,
  sectionFields,
  teamShape,
  userOf,
  userShape,
  usersOf,
  workspaceShape,
} from './shape-parts.ts'
import type { Field, Shape } from './shapes.ts'

const statusColors = ['green', 'yellow', 'red', 'blue', 'complete'] as const
const statusTexts = [
  'On track for the window.',
  'Two samples are late.',
  'Blocked by customs.',
  'Paused.',
  'Done.',
] as const
const kindOf = (project: Project) => numberOf(project.gid) % 5
const statusTime = (project: Project) => isoTime(project.modifiedAt - (project.modifiedAt - project.createdAt) * 0.1)

const statusShape: Shape<Project> = {
  compact: ['resource_type', 'title', 'text', 'color', 'author', 'created_at', 'created_by', 'modified_at'],
  fields: {
    gid: { get: (project) => gidOf('status', numberOf(project.gid)) },
    resource_type: { get: () => 'project_status' },
    title: { get: (project) => `Status of ${project.name}` },
    text: { get: (project) => statusTexts[kindOf(project)] },
    html_text: { get: (project) => `<body>${statusTexts[kindOf(project)]}</body>` },
    color: { get: (project) => statusColors[kindOf(project)] },
    author: { of: () => userShape, get: (project, view) => userOf(project.owner, view) },
    created_at: { get: statusTime },
    created_by: { of: () => userShape, get: (project, view) => userOf(project.owner, view) },
    modified_at: { get: statusTime },
  },
}

const statusUpdateShape: Shape<Project> = {
  compact: ['resource_type', 'resource_subtype', 'title'],
  fields: {
    gid: { get: (project) => gidOf('statusUpdate', numberOf(project.gid)) },
    resource_type: { get: () => 'status_update' },
    resource_subtype: { get: () => 'project_status_update' },
    title: { get: (project) => `Status of ${project.name}` },
  },
}

interface Setting {
  readonly project: Project
  readonly value: CustomValue
}

const settingShape: Shape<Setting> = {
  compact: ['resource_type', 'is_important', 'parent', 'project', 'custom_field'],
  fields: {
    gid: { get: ({ project, value }) => gidOf('like', numberOf(project.gid) * 8 + value.index) },
    resource_type: { get: () => 'custom_field_setting' },
    is_important: { get: ({ value }) => value.index < 2 },
    parent: { of: () => projectShape, get: ({ project }) => project },
    project: { of: () => projectShape, get: ({ project }) => project },
    custom_field: {
      of: () => customValueShape,
      bare: customFieldInSetting,
      get: ({ value }) => value,
    },
  },
}

export const briefShape: Shape<Brief> = {
  compact: ['resource_type'],
  fields: { ...opening<Brief>(), title: { get: (brief) => brief.name } },
}

/** Values of the project itself; a project without fields has no such keys. */
const values = (project: Project) => (project.customFields ? customValues(numberOf(project.gid), true) : undefined)

export const projectShape: Shape<Project> = {
  compact: ['gid', 'name', 'resource_type'],
  fields: {
    ...opening<Project>(),
    archived: { get: (project) => project.archived },
    color: { get: (project) => project.color },
    completed: { get: (project) => project.completedAt !== null },
    completed_at: { get: (project) => isoTimeOrNull(project.completedAt) },
    completed_by: {
      optIn: true,
      of: () => userShape,
      get: (project, view) => (project.completedAt === null ? null : userOf(project.owner, view)),
    },
    created_at: { get: (project) => isoTime(project.createdAt) },
    current_status: { of: () => statusShape, get: (project) => (project.hasStatus ? project : null) },
    current_status_update: { of: () => statusUpdateShape, get: (project) => (project.hasStatus ? project : null) },
    custom_fields: { of: () => customValueShape, get: (project) => values(project) ?? [] },
    custom_field_settings: {
      of: () => settingShape,
      full: ['resource_type', 'is_important', 'parent', 'project', 'custom_field'],
      bare: ['resource_type', 'is_important', 'parent', 'project'],
      get: (project) => values(project)?.map((value) => ({ project, value })),
    },
    default_access_level: { get: () => 'editor' },
    default_view: { get: (project) => project.view },
    due_date: { get: (project) => project.dueOn },
    due_on: { get: (project) => project.dueOn },
    followers: { of: () => userShape, get: (project, view) => usersOf(project.members, view) },
    members: { of: () => userShape, get: (project, view) => usersOf(project.members, view) },
    minimum_access_level_for_customization: { get: () => 'editor' },
    minimum_access_level_for_sharing: { get: () => 'editor' },
    modified_at: { get: (project) => isoTime(project.modifiedAt) },
    notes: { get: (project) => project.notes },
    html_notes: { optIn: true, get: (project) => `<body>${escapeHtml(project.notes)}</body>` },
    owner: { of: () => userShape, get: (project, view) => userOf(project.owner, view) },
    permalink_url: { get: (project) => `https://app.asana.com/1/${project.workspace}/project/${project.gid}` },
    privacy_setting: { get: (project) => project.privacy },
    public: { get: (project) => project.privacy === 'public_to_workspace' },
    start_on: { get: (project) => project.startOn },
    team: {
      of: () => teamShape,
      get: (project, { world }) => (project.team === null ? null : world.find('team', project.team)),
    },
    workspace: { of: () => workspaceShape, get: (project, { world }) => world.find('workspace', project.workspace) },
    icon: { optIn: true, get: (project) => project.icon },
    project_brief: {
      optIn: true,
      of: () => briefShape,
      get: (project, { world }) =>
        project.hasBrief ? world.find('project_brief', gidOf('brief', numberOf(project.gid))) : null,
    },
    created_from_template: { optIn: true, get: () => null },
  },
}

const sectionProject: Field<Section> = {
  of: () => projectShape,
  get: (section, { world }) => world.find('project', section.project),
}

export const sectionShape: Shape<Section> = {
  compact: ['gid', 'name', 'resource_type'],
  fields: { ...sectionFields, project: sectionProject },
}

/** The escaping of rich texts. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
