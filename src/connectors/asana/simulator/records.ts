/** The records of the simulator, before they take the form of an answer. */

export interface Workspace {
  readonly kind: 'workspace'
  readonly gid: string
  readonly name: string
  readonly emailDomains: readonly string[]
  readonly isOrganization: boolean
  /** Paid plans can search, and may call ten times as often. */
  readonly paid: boolean
}

export interface User {
  readonly kind: 'user'
  readonly gid: string
  readonly name: string
  /** Undefined for people with a hidden address. */
  readonly email: string | undefined
  readonly hasPhoto: boolean
  readonly workspaces: readonly string[]
}

export interface Team {
  readonly kind: 'team'
  readonly gid: string
  readonly name: string
  readonly description: string
  readonly workspace: string
  readonly secret: boolean
}

export interface Tag {
  readonly kind: 'tag'
  readonly gid: string
  readonly name: string
  readonly color: string | null
  readonly notes: string
  readonly createdAt: number
  readonly followers: readonly string[]
  readonly workspace: string
}

export interface Project {
  readonly kind: 'project'
  readonly gid: string
  readonly index: number
  readonly name: string
  readonly notes: string
  readonly workspace: string
  readonly team: string | null
  readonly owner: string | null
  readonly archived: boolean
  readonly color: string | null
  readonly icon: string | null
  readonly view: string
  readonly createdAt: number
  readonly modifiedAt: number
  readonly dueOn: string | null
  readonly startOn: string | null
  readonly completedAt: number | null
  readonly privacy: 'public_to_workspace' | 'private_to_team' | 'private'
  readonly members: readonly string[]
  readonly hasStatus: boolean
  readonly hasBrief: boolean
  readonly customFields: boolean
}

export interface Section {
  readonly kind: 'section'
  readonly gid: string
  readonly name: string | null
  readonly project: string
  readonly createdAt: number
}

export interface Place {
  readonly project: string
  readonly section: string
}

export interface Task {
  readonly kind: 'task'
  readonly gid: string
  /** The number to draw from; created records have one too. */
  readonly index: number
  readonly name: string
  readonly notes: string
  readonly subtype: string
  readonly approval: string | null
  readonly workspace: string
  readonly places: readonly Place[]
  readonly parent: string | null
  readonly assignee: string | null
  readonly createdBy: string
  readonly createdAt: number
  readonly modifiedAt: number
  readonly completedAt: number | null
  readonly completedBy: string | null
  readonly dueOn: string | null
  readonly dueAt: number | null
  readonly startOn: string | null
  readonly tags: readonly string[]
  readonly followers: readonly string[]
  readonly likes: readonly string[]
  readonly dependencies: readonly string[]
  readonly dependents: readonly string[]
  readonly actualMinutes: number | null
  readonly separator: boolean
  /** Data of an application; only OAuth callers see it. */
  readonly external: Readonly<Record<string, unknown>> | null
}

export type FileHost = 'asana' | 'dropbox' | 'gdrive' | 'onedrive' | 'box' | 'vimeo' | 'external'

export interface Attachment {
  readonly kind: 'attachment'
  readonly gid: string
  readonly name: string
  readonly host: FileHost
  readonly contentType: string
  readonly size: number
  /** The first bytes of the file, or all of a text. */
  readonly lead: string
  readonly createdAt: number
  /** Gid of a task, project or project brief. */
  readonly parent: string
}

/** A project's page of text; only its attachments matter here. */
export interface Brief {
  readonly kind: 'project_brief'
  readonly gid: string
  readonly name: string
  readonly project: string
}

export type Parent = Task | Project | Brief
