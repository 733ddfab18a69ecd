/** Tags and sections, which label and group tasks. */
import { array, entity, get, list, nullable, object, text } from '../../kit/connector.ts'
import { compactRecord, gid, pages } from './fields.ts'
import { sectionStream, tagStream } from './streams.ts'

const listed = { recordsAt: ['data'], record: compactRecord, paging: pages } as const

export const workspaceTags = entity({
  description: 'Tags of one workspace.',
  list: list({
    ...listed,
    description: 'List the tags of a workspace.',
    path: '/workspaces/{workspace_gid}/tags',
    params: { workspace_gid: gid('The workspace.') },
    scopes: ['tags:read'],
  }),
})

export const tags = entity({
  description: 'Tags that tasks carry.',
  get: get({
    description: 'Get one tag.',
    path: '/tags/{tag_gid}',
    params: { tag_gid: gid('The tag.') },
    recordsAt: ['data'],
    record: {
      ...compactRecord,
      // Null for a tag that never had one.
      color: nullable(text()),
      created_at: text(),
      notes: text(),
      permalink_url: text(),
      followers: array(),
      workspace: object(),
    },
    scopes: ['tags:read'],
  }),
  searchable: {
    color: 'string',
    followers: 'array',
    gid: 'string',
    name: 'string',
    permalink_url: 'string',
    resource_type: 'string',
    workspace: 'object',
  },
  sync: tagStream,
})

export const projectSections = entity({
  description: 'Sections of one project.',
  list: list({
    ...listed,
    description: 'List the sections of a project.',
    path: '/projects/{project_gid}/sections',
    params: { project_gid: gid('The project.') },
    scopes: ['default'],
  }),
})

export const sections = entity({
  description: 'Sections that group the tasks of a project.',
  get: get({
    description: 'Get one section.',
    path: '/sections/{section_gid}',
    params: { section_gid: gid('The section.') },
    recordsAt: ['data'],
    record: { ...compactRecord, created_at: text(), project: object() },
    scopes: ['default'],
  }),
  searchable: {
    created_at: 'string',
    gid: 'string',
    name: 'string',
    project: 'object',
    resource_type: 'string',
  },
  sync: sectionStream,
})
