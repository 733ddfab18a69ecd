/** Gids of the records that tests and demonstrations look for; the same for any seed and scale. */
import { people, user, workspaceGids } from './company.ts'
import { gidOf } from './gids.ts'
import { projectIndex } from './projects.ts'

const project = (name: keyof typeof projectIndex): string => gidOf('project', projectIndex[name])
const task = (index: number): string => gidOf('task', index)
const file = (index: number): string => gidOf('file', index)

export const landmarks = {
  workspace: workspaceGids.company,
  workspace_free: workspaceGids.volunteers,
  workspace_unseen: workspaceGids.foreign,
  project: project('launch'),
  project_regular: project('regular'),
  project_quirks: project('quirks'),
  project_bulk: project('bulk'),
  project_one_millisecond: project('imported'),
  project_private: project('secret'),
  project_empty: project('empty'),
  project_free: project('trailDay'),
  project_brief: gidOf('brief', projectIndex.launch),
  section: gidOf('section', projectIndex.launch * 8),
  task: task(0),
  task_with_attachments: task(1),
  task_files: task(2),
  task_in_two_projects: task(3),
  task_with_dependents: task(4),
  task_with_dependencies: task(5),
  task_approval: task(6),
  task_milestone: task(8),
  subtask_five_deep: task(34),
  task_without_project: task(40),
  task_private: task(80),
  attachment: file(0),
  attachment_external_null: file(5),
  attachment_1gib: file(10),
  attachment_html: file(11),
  attachment_unicode_name: file(12),
  attachment_empty: file(13),
  attachment_text: file(14),
  attachment_12338_bytes: file(15),
  attachment_1000_bytes: file(16),
  team: gidOf('team', 2),
  tag: gidOf('tag', 0),
  user: user(people.one),
  user_two_workspaces: user(people.two),
  user_deleted: user(people.deleted),
  user_without_email: user(people.guest),
} as const
