/** How Asana shows a record inside of another one (Asana reference, the Compact schemas). Field selections narrow them. */
import { objectOf, text, withOptional } from '../../kit/connector.ts'

const gidAlone = { gid: text() } as const
const resourceType = { resource_type: text('The type of the record, for example user.') } as const

/** A record of which only the gid is shown. */
export const resource = (description?: string) => objectOf(withOptional(gidAlone, resourceType), description)

/** A user, project, section, workspace, team, tag, template or type. */
export const named = (description?: string) =>
  objectOf(withOptional(gidAlone, { name: text(), ...resourceType }), description)

export const createdBy = resource('The user who created the task: gid and resource_type.')

export const taskReference = (description: string) =>
  objectOf(
    withOptional(gidAlone, {
      name: text(),
      ...resourceType,
      resource_subtype: text('default_task, milestone, approval or custom.'),
      created_by: createdBy,
    }),
    description,
  )

export const like = objectOf(withOptional(gidAlone, { user: named('The user who likes it.') }))
