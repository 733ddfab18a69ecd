/** The records that tests and demonstrations look for, and params for every operation; the same for any seed and scale. */
import type { SystemExamples, Tour } from '../../../kit/simulator.ts'
import { people, user, workspaceGids } from './company.ts'
import { gidOf, type Space } from './gids.ts'
import { projectIndex } from './projects.ts'

const gids = <const N extends string>(space: Space, indices: Readonly<Record<N, number>>) =>
  Object.fromEntries(Object.entries<number>(indices).map(([name, index]) => [name, gidOf(space, index)])) as Readonly<
    Record<N, string>
  >

const { launch, regular, quirks, bulk, imported, secret, empty, trailDay } = projectIndex

export const landmarks = {
  ...{ workspace: workspaceGids.company, workspace_free: workspaceGids.volunteers },
  workspace_unseen: workspaceGids.foreign,
  ...gids('project', { project: launch, project_regular: regular, project_quirks: quirks, project_bulk: bulk }),
  ...gids('project', { project_one_millisecond: imported, project_private: secret, project_empty: empty }),
  ...gids('project', { project_free: trailDay }),
  ...gids('brief', { project_brief: launch }),
  ...gids('section', { section: launch * 8 }),
  ...gids('task', { task: 0, task_with_attachments: 1, task_files: 2, task_in_two_projects: 3 }),
  ...gids('task', { task_with_dependents: 4, task_with_dependencies: 5, task_approval: 6, task_milestone: 8 }),
  ...gids('task', { subtask_five_deep: 34, task_without_project: 40, task_private: 80 }),
  ...gids('file', { attachment: 0, attachment_external_null: 5, attachment_1gib: 10, attachment_html: 11 }),
  ...gids('file', { attachment_unicode_name: 12, attachment_empty: 13, attachment_text: 14 }),
  ...gids('file', { attachment_12338_bytes: 15, attachment_1000_bytes: 16 }),
  ...gids('team', { team: 2 }),
  ...gids('tag', { tag: 0 }),
  ...{ user: user(people.one), user_two_workspaces: user(people.two), user_deleted: user(people.deleted) },
  user_without_email: user(people.guest),
} as const

const at = landmarks

/** Params with which each operation finds something. */
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
