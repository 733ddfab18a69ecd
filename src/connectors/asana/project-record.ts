/** The fields of a project (Asana reference, ProjectResponse). */
import { arrayOf, boolean, id, nullable, objectOf, text, withOptional } from '../../kit/connector.ts'
import { customFieldSettings, customFieldValue } from './custom-fields.ts'
import { compactRecord } from './fields.ts'
import { named, resource } from './references.ts'

const status = objectOf(
  withOptional(
    { gid: text() },
    {
      resource_type: text(),
      title: text(),
      text: text(),
      html_text: text(),
      color: text('green, yellow, red, blue or complete.'),
      author: nullable(named()),
      created_by: nullable(named()),
      created_at: text('ISO 8601, in UTC.'),
      modified_at: text('ISO 8601, in UTC.'),
    },
  ),
  'The latest status, in the older form.',
)

const statusUpdate = objectOf(
  withOptional(
    { gid: text() },
    { title: text(), resource_type: text(), resource_subtype: text('For example project_status_update.') },
  ),
  'The latest status.',
)

/** Asana sends them only on request, or only for some projects. */
const onRequest = {
  completed_by: nullable(named('The user who completed the project.')),
  created_from_template: nullable(named('The template that the project was made from.')),
  custom_field_settings: customFieldSettings,
  html_notes: text('The description, as HTML.'),
  icon: nullable(text('The name of an icon, for example rocket.')),
  project_brief: nullable(resource()),
} as const

const usual = {
  gid: id(),
  archived: boolean(),
  color: nullable(text()),
  completed: boolean(),
  completed_at: nullable(text()),
  created_at: text(),
  current_status: nullable(status),
  current_status_update: nullable(statusUpdate),
  custom_fields: arrayOf(customFieldValue),
  default_access_level: text(),
  default_view: text(),
  due_on: nullable(text()),
  due_date: nullable(text('The older name of due_on.')),
  followers: arrayOf(named()),
  members: arrayOf(named()),
  minimum_access_level_for_customization: text(),
  minimum_access_level_for_sharing: text(),
  modified_at: text(),
  name: text(),
  notes: text(),
  // Null for projects whose owner has left, and for projects without a team.
  owner: nullable(named()),
  permalink_url: text(),
  privacy_setting: text(),
  public: boolean(),
  resource_type: text(),
  start_on: nullable(text()),
  team: nullable(named()),
  workspace: named(),
} as const

export const wholeProject = withOptional(usual, onRequest)

export const listedProject = withOptional(compactRecord, wholeProject)
