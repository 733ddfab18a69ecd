/** The entities of a kind that have copies, parents before children. */
import type { Connector } from '../catalog/connector.ts'
import type { Stream } from '../catalog/stream.ts'
import { withCopySchema } from './copy-schema.ts'

export interface StreamedEntity {
  readonly entity: string
  readonly stream: Stream
  /** The parents whose records its lists need. */
  readonly parents: readonly string[]
}

/** Whether a copy of the kind begins at a date. */
export const hasDatedRecords = ({ entities }: Connector): boolean =>
  Object.values(entities).some(({ sync }) => sync?.listings.some(({ windows }) => windows !== undefined))

/** Whether the kind has copies at all. */
export const keepsCopy = (kind: Connector): boolean => streamedEntities(kind).length > 0

const known = new WeakMap<Connector, readonly StreamedEntity[]>()

export function streamedEntities(kind: Connector): readonly StreamedEntity[] {
  const entities = known.get(kind) ?? inOrder(kind)
  known.set(kind, entities)
  return entities
}

function inOrder(kind: Connector): readonly StreamedEntity[] {
  const ordered = new Map<string, StreamedEntity>()
  const add = (entity: string, below: readonly string[]): void => {
    const { sync: stream, searchable } = kind.entities[entity] ?? {}
    if (ordered.has(entity) || stream === undefined || searchable === undefined) return
    if (below.includes(entity)) throw new Error(`The streams of ${[...below, entity].join(', ')} wait for each other.`)
    const parents = [...new Set(stream.listings.flatMap(({ over }) => (over === undefined ? [] : [over.entity])))]
    for (const parent of parents) add(parent, [...below, entity])
    ordered.set(entity, { entity, stream: withCopySchema(stream, searchable), parents })
  }
  for (const entity of Object.keys(kind.entities)) add(entity, [])
  return [...ordered.values()]
}
