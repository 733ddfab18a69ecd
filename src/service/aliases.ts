/** The names that callers may use for the end user and the connector type. */
import Type from 'typebox'
import { type Catalog, findConnector } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { invalidRequest } from '../catalog/decode.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { optional, text } from '../catalog/fields.ts'

/** Text that names something: not empty, not endless, without control characters. */
export const nameText = (description: string) =>
  Type.String({
    description,
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    'x-form': 'text of 1 to 255 characters without control characters',
  })

const endUser = 'Your own id for the end user.'
export const endUserFields = {
  external_user_id: optional(nameText(endUser)),
  workspace_name: optional(nameText('Another name for external_user_id.')),
  customer_name: optional(nameText('Another name for external_user_id.')),
}

export const kindFields = {
  connector_type: optional(text('The connector type, for example "asana".', { minLength: 1, maxLength: 100 })),
  definition_id: optional(
    text('The id of the connector type, instead of connector_type.', { minLength: 1, maxLength: 100 }),
  ),
}

/** The names that callers may use for an end user and a kind. */
export const endUserNames: readonly string[] = Object.keys(endUserFields)
export const kindNames: readonly string[] = Object.keys(kindFields)

/** The end user of a request; undefined without one. Names that disagree are a 422. */
export function endUserOf(request: { [name in keyof typeof endUserFields]?: string | undefined }): string | undefined {
  const given = (Object.keys(endUserFields) as (keyof typeof endUserFields)[]).filter(
    (name) => request[name] !== undefined,
  )
  const [first, ...others] = given
  if (first === undefined) return undefined
  const other = others.find((name) => request[name] !== request[first])
  if (other !== undefined)
    throw invalidRequest([{ path: `/${other}`, message: `must be the same as ${first}; send only one of them` }])
  return request[first]
}

/** The kind of a request; undefined without one. Unknown kinds, and names that disagree, are a 422. */
export function kindOf(
  catalog: Catalog,
  request: { connector_type?: string | undefined; definition_id?: string | undefined },
): Connector | undefined {
  const byType = find('connector_type')
  const byId = find('definition_id')
  if (byType !== undefined && byId !== undefined && byType !== byId)
    throw invalidRequest([{ path: '/definition_id', message: `is the id of another kind than ${byType.kind}` }])
  return byType ?? byId

  function find(name: 'connector_type' | 'definition_id'): Connector | undefined {
    const wanted = request[name]
    if (wanted === undefined) return undefined
    const connector = findConnector(catalog, wanted)
    if (connector !== null) return connector
    const known = Object.keys(catalog)
    const guess = didYouMean(wanted, known) || `; there are ${known.join(', ')}`
    throw invalidRequest([{ path: `/${name}`, message: `is not a known connector type${guess}` }])
  }
}
