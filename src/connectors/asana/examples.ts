/** Example values of Asana for the documents. The simulated Asana has these records. */
import type { Examples } from '../../kit/connector.ts'

const workspace = { gid: '9100000067065321', name: 'Northpass Outfitters', resource_type: 'workspace' }
const project = { gid: '1205100000814648165', name: 'Spring catalog launch', resource_type: 'project' }
const section = { gid: '1206100006263771381', name: 'To do', resource_type: 'section' }
const user = { gid: '12100000050818377', name: 'Maya Lindqvist', resource_type: 'user' }
const team = { gid: '120100000284953838', name: 'Brand & Catalog', resource_type: 'team' }
const tag = { gid: '13100000034534121', name: 'urgent', resource_type: 'tag' }

const someTask = (gid: string, name: string) => ({
  gid,
  name,
  resource_type: 'task',
  resource_subtype: 'default_task',
  created_by: { gid: '12100000122687954', resource_type: 'user' },
})
const task = someTask('1209100000001750180', 'Confirm fabric lead times with the mill')
const photographed = {
  gid: '1209100000183846975',
  name: 'Shoot the Ridgeline shell on location',
  resource_type: 'task',
  resource_subtype: 'default_task',
}

export const examples: Examples = {
  values: {
    workspace: workspace.gid,
    workspace_gid: workspace.gid,
    organization: workspace.gid,
    project_gid: project.gid,
    section_gid: section.gid,
    task_gid: task.gid,
    user_gid: user.gid,
    team_gid: team.gid,
    tag_gid: tag.gid,
    attachment_gid: '1214100000087206094',
    created_at: '2026-04-22T07:00:00.000Z',
  },
  entities: {
    tasks: task,
    project_tasks: task,
    workspace_task_search: someTask('1209100001146794947', 'Translate the order form'),
    task_subtasks: someTask('1209100002995847823', 'List open orders'),
    task_dependencies: {
      ...someTask('1209100000392809224', 'Write product copy for Cairn 45'),
      task_gid: '1209100000547822650',
    },
    task_dependents: {
      ...someTask('1209100000547822650', 'Lay out tent spread'),
      task_gid: '1209100000392809224',
    },
    projects: {
      ...project,
      archived: false,
      color: 'dark-green',
      completed: false,
      created_at: '2026-04-16T04:07:20.965Z',
      default_access_level: 'editor',
      default_view: 'list',
      due_on: '2026-07-01',
      followers: [user],
      members: [user],
      minimum_access_level_for_customization: 'editor',
      minimum_access_level_for_sharing: 'editor',
      modified_at: '2026-06-12T16:20:11.402Z',
      notes: 'Everything that must be ready before the catalog goes to print.',
      owner: user,
      permalink_url: 'https://app.asana.com/1/9100000067065321/project/1205100000814648165',
      privacy_setting: 'public_to_workspace',
      team,
      workspace,
    },
    task_projects: { ...project, task_gid: '1209100000294737545' },
    team_projects: project,
    workspace_projects: project,
    workspaces: { ...workspace, email_domains: ['northpass.example'], is_organization: true },
    users: { ...user, email: 'maya.lindqvist@northpass.example', workspaces: [workspace] },
    workspace_users: user,
    team_users: user,
    teams: { ...team, organization: workspace, permalink_url: 'https://app.asana.com/0/120100000284953838' },
    workspace_teams: team,
    user_teams: team,
    attachments: {
      gid: '1214100000087206094',
      name: 'Ridgeline shell, line sheet.pdf',
      resource_type: 'attachment',
      resource_subtype: 'asana',
      created_at: '2026-05-22T07:00:00.000Z',
      host: 'asana',
      parent: photographed,
      size: 482_113,
    },
    workspace_tags: tag,
    tags: {
      ...tag,
      color: 'dark-blue',
      created_at: '2024-07-01T23:03:31.802Z',
      notes: 'Agreed in the planning round.',
      permalink_url: 'https://app.asana.com/0/13100000034534121/13100000034534121',
      workspace,
    },
    project_sections: section,
    sections: { ...section, created_at: '2026-04-16T04:07:20.965Z', project },
  },
  params: {
    'tasks.list': { project: project.gid },
    'workspace_task_search.list': { workspace_gid: workspace.gid, completed: false },
    'projects.list': { workspace: workspace.gid },
    'users.list': { workspace: workspace.gid },
    'attachments.list': { parent: photographed.gid },
  },
}
