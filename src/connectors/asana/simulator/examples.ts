/** Params for every operation with which it finds something, for any seed and scale. */
import type { SystemExamples, Tour } from '../../../kit/simulator.ts'
import { landmarks as at } from './landmarks.ts'

export const examples: SystemExamples = {
  tasks: { list: { project: at.project }, get: { task_gid: at.task } },
  project_tasks: { list: { project_gid: at.project } },
  workspace_task_search: { list: { workspace_gid: at.workspace, completed: false } },
  projects: { list: { workspace: at.workspace }, get: { project_gid: at.project } },
  task_projects: { list: { task_gid: at.task_in_two_projects } },
  team_projects: { list: { team_gid: at.team } },
  workspace_projects: { list: { workspace_gid: at.workspace } },
  workspaces: { list: {}, get: { workspace_gid: at.workspace } },
  users: { list: { workspace: at.workspace }, get: { user_gid: at.user } },
  workspace_users: { list: { workspace_gid: at.workspace } },
  team_users: { list: { team_gid: at.team } },
  teams: { get: { team_gid: at.team } },
  workspace_teams: { list: { workspace_gid: at.workspace } },
  user_teams: { list: { user_gid: 'me', organization: at.workspace } },
  attachments: {
    list: { parent: at.task_with_attachments },
    get: { attachment_gid: at.attachment },
    download: { attachment_gid: at.attachment },
  },
  workspace_tags: { list: { workspace_gid: at.workspace } },
  tags: { get: { tag_gid: at.tag } },
  project_sections: { list: { project_gid: at.project } },
  sections: { get: { section_gid: at.section } },
  task_subtasks: { list: { task_gid: at.task } },
  task_dependencies: { list: { task_gid: at.task_with_dependencies } },
  task_dependents: { list: { task_gid: at.task_with_dependents } },
}

export const tour: Tour = {
  list: { entity: 'project_tasks', columns: ['gid', 'name', 'resource_subtype'] },
  download: { entity: 'attachments' },
  search: {
    entity: 'tasks',
    params: {
      query: {
        filter: { and: [{ eq: { completed: false } }, { keyword: { notes: 'Friday catalog' } }] },
        sort: [{ due_on: 'asc' }],
      },
      limit: 5,
    },
    columns: ['due_on', 'name', 'assignee'],
  },
}
