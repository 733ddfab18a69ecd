/** The part of create and update bodies that depends on the kind: its credentials, and its settings of the copy. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { describeConnector } from '../catalog/describe.ts'
import { anyOfNamed, type Json, refTo } from './openapi-schemas.ts'

interface Body {
  readonly properties: Readonly<Record<string, Json>>
}

const nameOf = (kind: string): string => `${kind}.credentials`
const configNameOf = (kind: string): string => `${kind}.replication_config`

/**
 * By name: `<kind>.credentials` with the auth methods it refers to, and `<kind>.replication_config` if there is one.
 */
export const credentialSchemas = (catalog: Catalog): Json =>
  Object.fromEntries(
    Object.values(catalog).flatMap((connector) => {
      const { connector_type, title, auth_methods, replication_config } = describeConnector(connector)
      const name = nameOf(connector_type)
      const of = (method: (typeof auth_methods)[number]): Json => ({
        title: `${title} ${method.name}`,
        description: method.title,
        ...method.credentials,
      })
      // Avoid a choice with a single alternative.
      const methods: [string, Json][] =
        auth_methods.length === 1
          ? [[name, of(auth_methods[0]!)]]
          : auth_methods.map((method) => [`${name}.${method.name}`, of(method)])
      const all: [string, Json] = [name, { title: `${title} credentials`, ...anyOfNamed(methods.map(([one]) => one)) }]
      const config: [string, Json][] =
        replication_config === null
          ? []
          : [[configNameOf(connector_type), { title: `${title} replication settings`, ...replication_config }]]
      return [...(methods.length > 1 ? [all] : []), ...methods, ...config]
    }),
  )

/** Adds the credentials of a kind to a body. */
export function withCredentials(body: Json, catalog: Catalog): Json {
  const { properties } = body as unknown as Body
  const { description } = properties.credentials!
  const names = Object.keys(catalog).map(nameOf)
  return { ...body, properties: { ...properties, credentials: { description, ...anyOfNamed(names) } } }
}

/** Requires one way to give credentials. If the body names a kind, their schema is that of the kind. */
export function credentialConditions(body: Json, catalog: Catalog): Json[] {
  const once = { not: { required: ['credentials', 'server_side_oauth_secret_id'] } }
  const namesKind = (body as unknown as Body).properties.connector_type !== undefined
  return namesKind ? [once, ...Object.values(catalog).map(ofKind)] : [once]
}

/** The condition for a kind. It does not match other spellings of the kind's name. */
function ofKind({ kind, definitionId, replicationConfig }: Connector): Json {
  const isNamedBy = (property: string): Json => ({
    properties: { [property]: { enum: [kind, definitionId] } },
    required: [property],
  })
  return {
    if: { anyOf: [isNamedBy('connector_type'), isNamedBy('definition_id')] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: {
      properties: {
        credentials: refTo(nameOf(kind)),
        ...(replicationConfig !== null && { replication_config: refTo(configNameOf(kind)) }),
      },
      ...(replicationConfig !== null && { required: ['replication_config'] }),
    },
  }
}
