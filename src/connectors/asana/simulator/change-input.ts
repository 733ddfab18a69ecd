/** Reads the fields of a change. */
import type { Change } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import type { Place } from './records.ts'
import type { Recorded } from './state.ts'
import type { Kind, World } from './world.ts'

const kinds: readonly Kind[] = ['task', 'project', 'section', 'tag', 'user', 'attachment', 'team', 'workspace']

/** The record with this gid, trashed or not. */
export function must(world: World, gid: string): Recorded {
  for (const kind of kinds) {
    const record = world.find(kind, gid)
    if (record !== undefined) return record
  }
  throw new Error(`There is no record ${gid}.`)
}

/** A required text of a change. */
export function need(change: Change, name: string): string {
  const value = change[name]
  if (typeof value !== 'string' || value === '') throw new Error(`The change "${change.change}" needs "${name}".`)
  return value
}

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The project and section of a change; by default, a project's first section. */
export function placeOf(world: World, change: Change): Place | undefined {
  const sectionGid = text(change.section)
  const section = sectionGid === undefined ? undefined : world.find('section', sectionGid)
  if (sectionGid !== undefined && section === undefined) throw new Error(`There is no section ${sectionGid}.`)
  if (section !== undefined) return { project: section.project, section: section.gid }
  const projectGid = text(change.project) ?? text(change.to)
  if (projectGid === undefined) return undefined
  const project = world.find('project', projectGid)
  if (project === undefined) throw new Error(`There is no project ${projectGid}.`)
  return { project: project.gid, section: gidOf('section', project.index * 8) }
}
