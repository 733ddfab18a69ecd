/** Records as the simulator keeps them: fields as on the wire, with gids in place of the records that they show. */

/** Fields that nothing here computes with are in no type. */
export interface Row {
  readonly [field: string]: unknown
}

interface Listed<Kind, Name = string> extends Row {
  readonly gid: string
  readonly resource_type: Kind
  readonly name: Name
  /** Its place in lists: negative if it was put first, from `afterAll` on if it was put last, otherwise as generated. */
  readonly rank: number
}

type Gids = readonly string[]

/** Paid plans can search, and may call ten times as often. */
export type Workspace = Listed<'workspace'> & { readonly paid: boolean }
/** People with a hidden address have none. */
export type User = Listed<'user'> & {
  readonly email: string | undefined
  readonly workspaces: Gids
  readonly teams: Gids
}
export type Team = Listed<'team'> & { readonly workspace: string; readonly visibility: 'secret' | 'request_to_join' }
export type Tag = Listed<'tag'> & { readonly workspace: string }
export type Section = Listed<'section', string | null> & { readonly project: string }
/** A project's page of text; only its attachments matter here. */
export type Brief = Listed<'project_brief'> & { readonly project: string }

export interface Project extends Listed<'project'> {
  readonly workspace: string
  readonly members: Gids
  readonly created_at: string
}

export interface Membership {
  readonly project: string
  readonly section: string
}

export interface Task extends Listed<'task'> {
  readonly notes: string
  readonly workspace: string
  readonly memberships: readonly Membership[]
  /** The projects of the memberships. */
  readonly projects: Gids
  readonly parent: string | null
  readonly assignee: string | null
  readonly created_at: string
  readonly modified_at: string
  readonly completed_at: string | null
  readonly due_on: string | null
  readonly followers: Gids
  readonly likes: Gids
  readonly dependencies: Gids
  readonly dependents: Gids
}

export interface Attachment extends Listed<'attachment'> {
  readonly host: string
  readonly content_type: string
  readonly size: number
  /** The first bytes of the file, or all of a text, a character for each byte. */
  readonly lead: string
  readonly created_at: string
  /** Gid of a task, project or project brief. */
  readonly parent: string
}

export type AnyRecord = Workspace | User | Team | Tag | Project | Section | Brief | Task | Attachment
export type Kind = AnyRecord['resource_type']
export type Of<K extends Kind> = Extract<AnyRecord, { readonly resource_type: K }>

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
