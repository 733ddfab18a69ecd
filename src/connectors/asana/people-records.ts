/** The fields of workspaces, users and teams (Asana reference, WorkspaceResponse, UserResponse and TeamResponse). */
import { arrayOf, boolean, id, nullable, partialOf, text, withOptional } from '../../kit/connector.ts'
import { customFieldSettings, customFieldValue } from './custom-fields.ts'
import { compactRecord } from './fields.ts'
import { named } from './references.ts'

export const wholeWorkspace = { ...compactRecord, email_domains: arrayOf(text()), is_organization: boolean() } as const

export const listedWorkspace = withOptional(compactRecord, wholeWorkspace)

const photo = partialOf(
  {
    image_21x21: text(),
    image_27x27: text(),
    image_36x36: text(),
    image_60x60: text(),
    image_128x128: text(),
    image_1024x1024: text('JPEG; the others are PNG.'),
  },
  'Addresses of the picture by size; they expire after about a week.',
)

export const wholeUser = withOptional(
  {
    ...compactRecord,
    // Asana hides it for people outside the organization.
    email: text(),
    photo: nullable(photo),
    workspaces: arrayOf(named()),
  },
  { custom_fields: arrayOf(customFieldValue, 'The custom fields of the user and their values.') },
)

export const listedUser = withOptional(compactRecord, wholeUser)

const members = 'all_team_members or only_team_admins.'

export const wholeTeam = withOptional(
  { gid: id(), name: text(), permalink_url: text(), resource_type: text(), organization: named() },
  {
    description: text(),
    html_description: text('The description, as HTML.'),
    visibility: text('secret, request_to_join or public.'),
    endorsed: boolean(),
    custom_field_settings: customFieldSettings,
    edit_team_name_or_description_access_level: text(members),
    edit_team_visibility_or_trash_team_access_level: text(members),
    member_invite_management_access_level: text(members),
    guest_invite_management_access_level: text(members),
    join_request_management_access_level: text(members),
    team_member_removal_access_level: text(members),
    team_content_management_access_level: text('no_restriction or only_team_admins.'),
  },
)

export const listedTeam = withOptional(compactRecord, wholeTeam)
