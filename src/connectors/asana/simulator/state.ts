/** Differences from the generated data: handwritten records, changes on demand, and their places in lists. */
import type { Attachment, Brief, Project, Section, Tag, Task, Team, User, Workspace } from './records.ts'

export type Recorded = Workspace | User | Team | Tag | Project | Section | Task | Attachment | Brief

/** A record's place in one list. The rank of a generated record is its number in the list. */
export interface Entry {
  readonly rank: number
  readonly gid: string
}

/** The names of the lists that can change. */
export const listKey = {
  projectTasks: (project: string) => `project/${project}/tasks`,
  subtasks: (task: string) => `task/${task}/subtasks`,
  assigned: (user: string, workspace: string) => `user/${user}/${workspace}/tasks`,
  workspaceTasks: (workspace: string) => `workspace/${workspace}/tasks`,
  projects: (workspace: string) => `workspace/${workspace}/projects`,
  users: (workspace: string) => `workspace/${workspace}/users`,
  tags: (workspace: string) => `workspace/${workspace}/tags`,
  sections: (project: string) => `project/${project}/sections`,
  attachments: (parent: string) => `parent/${parent}/attachments`,
} as const

/** Ranks past the end of every generated list. */
const afterAll = 1e9

export interface State {
  /** Records that are not, or no longer, as generated, by gid. */
  readonly made: Map<string, Recorded>
  /** Generated records that were replaced; while there are none, nobody needs to look. */
  readonly edited: Set<string>
  /** Trashed records. */
  readonly gone: ReadonlySet<string>
  /** Whether anything but people was ever trashed; if not, no record needs a look. */
  readonly hasGoneRecords: boolean
  trash(record: Recorded): void
  restore(gid: string): void
  /** Projects that are closed to a person: `<user>/<project>`. */
  readonly revoked: Set<string>
  added(key: string): readonly Entry[]
  /** Generated records that moved from their generated place; undefined while there are none. */
  hidden(key: string): ReadonlySet<string> | undefined
  /** Puts a record at an end of a list, and removes it from its former place. */
  place(key: string, gid: string, end?: 'first' | 'last'): void
  /** Removes a record from a list. */
  remove(key: string, gid: string): void
  /** An index for a record that is created while the simulator runs. */
  nextIndex(): number
}

export function createState(firstIndex: number): State {
  const lists = new Map<string, Entry[]>()
  const hidden = new Map<string, Set<string>>()
  const none: readonly Entry[] = []
  const gone = new Set<string>()
  let hasGoneRecords = false
  let count = 0
  let index = firstIndex
  const self: State = {
    made: new Map(),
    edited: new Set(),
    gone,
    get hasGoneRecords() {
      return hasGoneRecords
    },
    trash(record) {
      gone.add(record.gid)
      if (record.kind !== 'user') hasGoneRecords = true
    },
    restore(gid) {
      gone.delete(gid)
    },
    revoked: new Set(),
    added: (key) => lists.get(key) ?? none,
    hidden: (key) => hidden.get(key),
    place(key, gid, end = 'last') {
      self.remove(key, gid)
      count += 1
      const entries = lists.get(key) ?? []
      if (end === 'first') entries.unshift({ rank: -count, gid })
      else entries.push({ rank: afterAll + count, gid })
      lists.set(key, entries)
    },
    remove(key, gid) {
      const entries = lists.get(key)
      if (entries !== undefined) {
        const at = entries.findIndex((entry) => entry.gid === gid)
        if (at >= 0) entries.splice(at, 1)
      }
      if (self.made.has(gid) && !self.edited.has(gid)) return
      const hiddenHere = hidden.get(key) ?? new Set<string>()
      hiddenHere.add(gid)
      hidden.set(key, hiddenHere)
    },
    nextIndex() {
      index += 1
      return index - 1
    },
  }
  return self
}
