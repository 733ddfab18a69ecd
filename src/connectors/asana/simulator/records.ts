/** Records as the simulator keeps them: fields as on the wire, with gids in place of the records that they show. */

/** Fields that nothing here computes with are in no type. */
export interface Row {
  readonly [field: string]: unknown
}

interface Listed extends Row {
  readonly gid: string
  readonly name: string | null
  /** Its place in lists: negative if it was put first, from `afterAll` on if it was put last, otherwise as generated. */
  readonly rank: number
}

export interface Workspace extends Listed {
  readonly resource_type: 'workspace'
  /** Paid plans can search, and may call ten times as often. */
  readonly paid: boolean
}

export interface User extends Listed {
  readonly resource_type: 'user'
  readonly name: string
  /** Undefined for people with a hidden address. */
  readonly email: string | undefined
  readonly workspaces: readonly string[]
}

export interface Team extends Listed {
  readonly resource_type: 'team'
  readonly name: string
  readonly workspace: string
  readonly visibility: 'secret' | 'request_to_join'
}

export interface Tag extends Listed {
  readonly resource_type: 'tag'
  readonly workspace: string
}

export interface Project extends Listed {
  readonly resource_type: 'project'
  readonly workspace: string
  readonly team: string | null
  readonly owner: string | null
  readonly archived: boolean
  readonly members: readonly string[]
  readonly privacy_setting: 'public_to_workspace' | 'private_to_team' | 'private'
  readonly created_at: string
  readonly modified_at: string
  readonly completed_at: string | null
  readonly notes: string
  readonly has_status: boolean
  readonly has_fields: boolean
}

export interface Section extends Listed {
  readonly resource_type: 'section'
  readonly project: string
}

/** A project's page of text; only its attachments matter here. */
export interface Brief extends Listed {
  readonly resource_type: 'project_brief'
  readonly project: string
}

export interface Membership {
  readonly project: string
  readonly section: string
  /** The task's place in this project, if it was put there. */
  readonly rank?: number
}

export interface Task extends Listed {
  readonly resource_type: 'task'
  readonly name: string
  readonly notes: string
  readonly resource_subtype: string
  readonly workspace: string
  readonly memberships: readonly Membership[]
  /** The projects of the memberships. */
  readonly projects: readonly string[]
  readonly parent: string | null
  readonly assignee: string | null
  readonly created_by: string
  readonly created_at: string
  readonly modified_at: string
  readonly completed_at: string | null
  readonly due_on: string | null
  readonly tags: readonly string[]
  readonly followers: readonly string[]
  readonly likes: readonly string[]
  readonly dependencies: readonly string[]
  readonly dependents: readonly string[]
}

export interface Attachment extends Listed {
  readonly resource_type: 'attachment'
  readonly name: string
  readonly host: string
  readonly content_type: string
  readonly size: number
  /** The first bytes of the file, or all of a text, a character for each byte. */
  readonly lead: string
  readonly created_at: string
  /** Gid of a task, project or project brief. */
  readonly parent: string
}

export interface Kinds {
  readonly workspace: Workspace
  readonly user: User
  readonly team: Team
  readonly tag: Tag
  readonly project: Project
  readonly section: Section
  readonly project_brief: Brief
  readonly task: Task
  readonly attachment: Attachment
}

export type Kind = keyof Kinds
export type AnyRecord = Kinds[Kind]

/** The rank of the first record that was put last. */
export const afterAll = 1e9

/** Everything generated happened before this moment. */
export const anchor = Date.UTC(2026, 5, 1, 7, 0, 0)
export const day = 86_400_000
export const timeOf = (ms: number): string => new Date(ms).toISOString()
export const dateOf = (ms: number): string => timeOf(ms).slice(0, 10)

/** The parts of a task that say which projects it is in. */
export const placed = (...memberships: readonly Membership[]) => ({
  memberships,
  projects: memberships.map(({ project }) => project),
})
