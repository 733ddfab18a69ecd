/** All that a simulated Asana holds. */
import { type Any, ask, byId, field, type Truth } from './ask.ts'

const inside = (name: string, ...parts: readonly string[]): string[] => parts.map((part) => `${name}.${part}`)

/** What Asana shows of a field by its name alone is not all that a copy holds of it. */
const deeper: Readonly<Record<string, readonly string[]>> = {
  'projects current_status': inside(
    ...(['current_status', 'author', 'color', 'created_at', 'created_by', 'html_text'] as const),
    ...['modified_at', 'resource_type', 'text', 'title'],
  ),
  'projects custom_field_settings': inside('custom_field_settings', 'custom_field', 'is_important'),
  'tasks external': inside('external', 'gid', 'data'),
  'tasks hearts': inside('hearts', 'user'),
  'tasks likes': inside('likes', 'user'),
  'tasks memberships': inside('memberships', 'project', 'section'),
  'attachments parent': inside('parent', 'created_by', 'name', 'resource_subtype', 'resource_type'),
}

export async function asanaTruth(base: string, token: string): Promise<Truth> {
  async function list(entity: string, path: string): Promise<Any[]> {
    const found: Any[] = []
    for (let offset = ''; ; ) {
      const separator = path.includes('?') ? '&' : '?'
      const fields = field('asana', entity).flatMap((name) => deeper[`${entity} ${name}`] ?? [name])
      const url = `${base}${path}${separator}limit=100&opt_fields=${fields}${offset}`
      const answer = await ask(url, `Bearer ${token}`)
      // What stands in a list can be gone by the time it is looked into.
      if (answer === null) return found
      found.push(...answer.data)
      if (answer.next_page == null) return found
      offset = `&offset=${encodeURIComponent(answer.next_page.offset)}`
    }
  }
  const gid = (record: Any): string => record.gid
  const all: Record<string, Map<string, Any>> = {}
  const add = (entity: string, records: readonly Any[]): void => {
    all[entity] = new Map([...(all[entity] ?? []), ...byId(records, gid)])
  }
  async function tasksBelow(records: readonly Any[]): Promise<void> {
    add('tasks', records)
    for (const task of records)
      if (task.num_subtasks > 0) await tasksBelow(await list('tasks', `/tasks/${task.gid}/subtasks`))
  }
  add('workspaces', await list('workspaces', '/workspaces'))
  for (const workspace of all.workspaces!.values()) {
    add('users', await list('users', `/users?workspace=${workspace.gid}`))
    add('tags', await list('tags', `/workspaces/${workspace.gid}/tags`))
    if (workspace.is_organization) add('teams', await list('teams', `/workspaces/${workspace.gid}/teams`))
    add('projects', await list('projects', `/projects?workspace=${workspace.gid}`))
  }
  for (const { gid } of all.projects!.values()) {
    add('sections', await list('sections', `/projects/${gid}/sections`))
    await tasksBelow(await list('tasks', `/tasks?project=${gid}`))
    add('attachments', await list('attachments', `/attachments?parent=${gid}`))
  }
  for (const user of all.users!.values())
    for (const workspace of user.workspaces)
      if (all.workspaces!.has(workspace.gid))
        await tasksBelow(await list('tasks', `/tasks?assignee=${user.gid}&workspace=${workspace.gid}`))
  for (const tag of all.tags!.keys()) await tasksBelow(await list('tasks', `/tasks?tag=${tag}`))
  for (const task of all.tasks!.keys()) add('attachments', await list('attachments', `/attachments?parent=${task}`))
  return all
}
