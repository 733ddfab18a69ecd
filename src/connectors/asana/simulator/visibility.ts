/** Who may see which records: the rules behind every 403 and behind the contents of lists. */
import type { Project, Task, Team, User } from './records.ts'
import type { Recorded } from './state.ts'
import type { World } from './world.ts'

export interface Visibility {
  /** Whether a person may see a record; ignores the trash. */
  sees(user: User, record: Recorded): boolean
}

export function createVisibility(world: World): Visibility {
  const { revoked } = world.state

  function seesProject(user: User, project: Project): boolean {
    if (!user.workspaces.includes(project.workspace)) return false
    if (revoked.size > 0 && revoked.has(`${user.gid}/${project.gid}`)) return false
    return project.privacy !== 'private' || project.members.includes(user.gid)
  }

  function seesTask(user: User, task: Task): boolean {
    if (!user.workspaces.includes(task.workspace)) return false
    if (task.assignee === user.gid) return true
    if (task.places.length > 0) {
      return task.places.some((place) => {
        const project = world.find('project', place.project)
        return project !== undefined && seesProject(user, project)
      })
    }
    const parent = task.parent === null ? undefined : world.find('task', task.parent)
    if (parent !== undefined) return seesTask(user, parent)
    return task.createdBy === user.gid || task.followers.includes(user.gid)
  }

  const seesTeam = (user: User, team: Team) => user.workspaces.includes(team.workspace) && !team.secret

  const self: Visibility = {
    sees(user, record) {
      switch (record.kind) {
        case 'workspace':
          return user.workspaces.includes(record.gid)
        case 'user':
          return record.workspaces.some((workspace) => user.workspaces.includes(workspace))
        case 'team':
          return seesTeam(user, record)
        case 'tag':
          return user.workspaces.includes(record.workspace)
        case 'project':
          return seesProject(user, record)
        case 'task':
          return seesTask(user, record)
        case 'section':
        case 'project_brief': {
          const project = world.find('project', record.project)
          return project !== undefined && seesProject(user, project)
        }
        case 'attachment': {
          const parent = world.parent(record.parent)
          return parent !== undefined && self.sees(user, parent)
        }
      }
    },
  }
  return self
}
