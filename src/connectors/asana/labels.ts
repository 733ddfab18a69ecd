/** Tags and sections, which label and group tasks. */
import { arrayOf, entity, get, list, nullable, text, withOptional } from '../../kit/connector.ts'
import { compactRecord, gid, pages, recordsOf } from './fields.ts'
import { named } from './references.ts'
import { sectionStream, tagStream } from './streams.ts'

/** The fields of a tag (Asana reference, TagResponse). */
const wholeTag = {
  ...compactRecord,
  // Null for a tag that never had one.
  color: nullable(text()),
  created_at: text(),
  notes: text(),
  permalink_url: text(),
  followers: arrayOf(named()),
  workspace: named(),
} as const

/** The fields of a section (Asana reference, SectionResponse). */
const wholeSection = withOptional(
  { ...compactRecord, created_at: text(), project: named() },
  { projects: arrayOf(named(), 'The project, in the older form.') },
)

export const workspaceTags = entity({
  description: 'Tags of one workspace.',
  list: list({
    ...recordsOf('tag'),
    record: withOptional(compactRecord, wholeTag),
    paging: pages,
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
    ...recordsOf('tag'),
    record: wholeTag,
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
    ...recordsOf('section'),
    record: withOptional(compactRecord, wholeSection),
    paging: pages,
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
    ...recordsOf('section'),
    record: wholeSection,
    scopes: ['default'],
  }),
  searchable: {
    created_at: 'string',
    gid: 'string',
    name: 'string',
    project: 'object',
    resource_type: 'string',
  },
  indexed: ['project.gid'],
  sync: sectionStream,
})
