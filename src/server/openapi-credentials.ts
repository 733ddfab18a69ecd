/** What the bodies of creations and changes hold of each kind: its credentials, and its settings of the copy. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { describeConnector } from '../catalog/describe.ts'
import type { Json } from './openapi-schemas.ts'

interface Body {
  readonly properties: Readonly<Record<string, Json>>
}

const nameOf = (kind: string): string => `${kind}.credentials`
const ref = (kind: string): Json => ({ $ref: `#/components/schemas/${nameOf(kind)}` })

/** By name, `<kind>.credentials`: one alternative for each auth method. */
export const credentialSchemas = (catalog: Catalog): Json =>
  Object.fromEntries(
    Object.values(catalog).map((connector) => {
      const { connector_type, title, auth_methods } = describeConnector(connector)
      const methods = auth_methods.map((method) => ({ title: method.title, ...method.credentials }))
      return [nameOf(connector_type), { title, anyOf: methods }]
    }),
  )

/** A body whose credentials are those of a kind; of which one, the body itself tells where it names a kind. */
export function withCredentials(body: Json, catalog: Catalog): Json {
  const { properties } = body as unknown as Body
  const { description } = properties.credentials!
  const kinds = Object.values(catalog)
  const credentials = { description, anyOf: kinds.map(({ kind }) => ref(kind)) }
  const changed = { ...body, properties: { ...properties, credentials } }
  if (properties.connector_type === undefined) return changed
  const given = { oneOf: requiring('credentials', 'server_side_oauth_secret_id') }
  const named = { anyOf: requiring('connector_type', 'definition_id') }
  return { ...changed, allOf: [given, named, ...kinds.map(ofKind)] }
}

const requiring = (...names: readonly string[]): Json[] => names.map((name) => ({ required: [name] }))

/** What goes with a kind. Its name may be written in other ways, which none of these conditions meets. */
function ofKind({ kind, definitionId, replicationConfig }: Connector): Json {
  const isNamedBy = (property: string): Json => ({
    properties: { [property]: { enum: [kind, definitionId] } },
    required: [property],
  })
  return {
    if: { anyOf: [isNamedBy('connector_type'), isNamedBy('definition_id')] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      properties: { credentials: ref(kind), replication_config: replicationConfig ?? false },
      ...(replicationConfig !== null && { required: ['replication_config'] }),
    },
  }
}
