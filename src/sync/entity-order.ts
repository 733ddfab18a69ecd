/** The entities of a kind that a copy holds, parents before children. */
import type { Connector } from '../catalog/connector.ts'
import type { Stream } from '../catalog/stream.ts'

export interface StreamedEntity {
  readonly entity: string
  readonly stream: Stream
  /** Entities whose records its lists are read for. */
  readonly parents: readonly string[]
}

/** Whether the kind has an entity of which a copy begins at a date. */
export const hasDatedRecords = ({ entities }: Connector): boolean =>
  Object.values(entities).some(({ sync }) => sync?.listings.some(({ windows }) => windows !== undefined))

export function streamedEntities(kind: Connector): readonly StreamedEntity[] {
  const ordered = new Map<string, StreamedEntity>()
  const add = (entity: string, below: readonly string[]): void => {
    const stream = kind.entities[entity]?.sync
    if (ordered.has(entity) || stream === undefined) return
    if (below.includes(entity)) throw new Error(`The streams of ${[...below, entity].join(', ')} wait for each other.`)
    const parents = [...new Set(stream.listings.flatMap(({ over }) => (over === undefined ? [] : [over.entity])))]
    for (const parent of parents) add(parent, [...below, entity])
    ordered.set(entity, { entity, stream, parents })
  }
  for (const entity of Object.keys(kind.entities)) add(entity, [])
  return [...ordered.values()]
}
