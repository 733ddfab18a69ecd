/** Records as the simulator keeps them: fields as on the wire, with gids in place of the records that they show. */

/** Fields that nothing here computes with are in no type. */
export interface Row {
  readonly [field: string]: unknown
}

type Texts<Name extends string> = Readonly<Record<Name, string>>
type Numbers<Name extends string> = Readonly<Record<Name, number>>
type Lists<Name extends string> = Readonly<Record<Name, readonly string[]>>

/** Its rank is negative if it was put first in lists, from `afterAll` on if it was put last, otherwise as generated. */
type Listed<Kind, Name = string> = Row &
  Texts<'gid'> &
  Numbers<'rank'> & { readonly resource_type: Kind; readonly name: Name }

/** Paid plans can search, and may call ten times as often. */
export type Workspace = Listed<'workspace'> & { readonly paid: boolean }
/** People with a hidden address have none. */
export type User = Listed<'user'> & Lists<'workspaces' | 'teams'> & { readonly email: string | undefined }
export type Team = Listed<'team'> & Texts<'workspace'>
export type Tag = Listed<'tag'> & Texts<'workspace'>
export type Section = Listed<'section', string | null> & Texts<'project'>
/** A project's page of text; only its attachments matter here. */
export type Brief = Listed<'project_brief'> & Texts<'project'>
/** Its generated tasks stand one after the other. */
export type Project = Listed<'project'> &
  Texts<'workspace' | 'created_at'> &
  Numbers<'index' | 'sections' | 'firstTask' | 'tasks'>

export type Membership = Texts<'project' | 'section'>

export type Task = Listed<'task'> &
  Texts<'notes' | 'workspace' | 'created_at' | 'modified_at'> &
  Readonly<Record<'parent' | 'assignee' | 'completed_at' | 'due_on', string | null>> &
  Lists<'projects' | 'followers' | 'likes' | 'dependencies' | 'dependents'> & {
    readonly memberships: readonly Membership[]
  }

/** In `lead`, a character is a byte of the file: the first ones, or all of a text. */
export type Attachment = Listed<'attachment'> &
  Texts<'host' | 'content_type' | 'lead' | 'created_at' | 'parent'> &
  Numbers<'size'>

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
