/** Attachments of generated tasks and projects: a name, a size and the first bytes of a likely format. */
import { type Draw, pick } from '../../../kit/simulator.ts'
import { gidOf, type Space } from './gids.ts'
import { projectIndex } from './layout.ts'
import { day } from './organization.ts'
import type { Attachment, Parent, Project, Task } from './records.ts'

const formats = [
  { name: 'Fit notes.pdf', contentType: 'application/pdf', lead: '%PDF-1.7\n' },
  { name: 'Sample front.jpg', contentType: 'image/jpeg', lead: '\u00ff\u00d8\u00ff\u00e0' },
  { name: 'Cost sheet.xlsx', contentType: 'application/octet-stream', lead: 'PK\u0003\u0004' },
  { name: 'Floor plan.png', contentType: 'image/png', lead: '\u0089PNG\r\n\u001a\n' },
  { name: 'Test report.pdf', contentType: 'application/pdf', lead: '%PDF-1.7\n' },
] as const

/** Finds the parents of attachments. */
interface Parents {
  taskAt(index: number): Task | undefined
  find(kind: 'project', gid: string): Project | undefined
}

export interface Files {
  /** The number of generated attachments of a task, project or brief. */
  count(parent: Parent): number
  at(parent: Parent, nth: number): Attachment | undefined
  /** The generated attachment with this gid. */
  generated(space: Space, index: number, parents: Parents): Attachment | undefined
}

export function createFiles(draw: Draw): Files {
  const isGenerated = (parent: Parent) => parent.kind === 'task' && parent.gid === gidOf('task', parent.index)
  const self: Files = {
    count(parent) {
      if (parent.kind === 'project') {
        return parent.index >= projectIndex.regular && draw(parent.index) % 5 === 0 ? 1 : 0
      }
      if (parent.kind !== 'task' || parent.index < 1000 || !isGenerated(parent)) return 0
      const drawn = draw(parent.index * 3)
      return drawn % 6 === 0 ? 1 + ((drawn >>> 5) % 2) : 0
    },
    at(parent, nth) {
      if (nth >= self.count(parent) || parent.kind === 'project_brief') return undefined
      const index = parent.index * 4 + nth
      const drawn = draw(index)
      const format = pick(formats, drawn)
      return {
        kind: 'attachment',
        gid: gidOf(parent.kind === 'task' ? 'taskFile' : 'projectFile', index),
        name: format.name,
        host: 'asana',
        contentType: format.contentType,
        size: 2_000 + ((drawn >>> 3) % 900_000),
        lead: format.lead,
        createdAt: Math.min(parent.modifiedAt, parent.createdAt + (nth + 1) * day),
        parent: parent.gid,
      }
    },
    generated(space, index, parents) {
      const parentIndex = Math.floor(index / 4)
      if (space === 'taskFile') {
        const parent = parents.taskAt(parentIndex)
        return parent === undefined ? undefined : self.at(parent, index % 4)
      }
      if (space !== 'projectFile') return undefined
      const parent = parents.find('project', gidOf('project', parentIndex))
      return parent === undefined ? undefined : self.at(parent, index % 4)
    },
  }
  return self
}
