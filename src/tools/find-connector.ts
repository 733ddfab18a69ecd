/** Finds the connector that a model means: by its id, its name, or its kind if there is only one of it. */
import { didYouMean } from '../catalog/did-you-mean.ts'
import { optional, text } from '../catalog/fields.ts'
import { truncate } from '../catalog/truncate.ts'
import { ConexError } from '../errors.ts'
import type { ConnectorSummary, Source } from './source.ts'

/** The argument that names a connector. */
export const connectorField = optional(text('id, or kind if only one', { minLength: 1, maxLength: 255 }))

/** The connector of this name; without one, the only connector that there is. */
export async function findConnector(source: Source, named = ''): Promise<ConnectorSummary> {
  if (isId.test(named)) return source.connector(named)
  const { connectors, next_cursor } = await source.connectors({})
  const wanted = fold(named)
  const isMeant = (one: ConnectorSummary): boolean => fold(one.connector_type) === wanted || fold(one.name) === wanted
  const found = named === '' ? connectors : connectors.filter(isMeant)
  const [only, ...others] = found
  if (only !== undefined && others.length === 0 && next_cursor === null) return only
  if (only !== undefined)
    throw new ConexError(
      'invalid_request',
      `${named === '' ? 'There are' : `"${truncate(named)}" names`} several connectors; pass the id of one as connector: ${found.slice(0, 10).map(inWords).join(', ')}.`,
    )
  const known = new Set(connectors.flatMap((one) => [one.connector_type, one.name]))
  const guess = didYouMean(named, known)
  throw new ConexError(
    'not_found',
    known.size === 0
      ? 'There are no connectors for this token yet; ask the user to connect a system first.'
      : `There is no connector "${truncate(named)}"${guess || `; there are ${connectors.slice(0, 10).map(inWords).join(', ')}.`}`,
  )
}

const inWords = ({ id, name, connector_type }: ConnectorSummary): string => `${id} (${connector_type}, "${name}")`

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const fold = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
