/** The catalog as plain data: what `connector-types` answers, `conex catalog --json` prints and the documents are made from. */
import type { TSchema } from 'typebox'
import { type Action, actionsOf } from './catalog.ts'
import type { Connector } from './connector.ts'
import type { Entity, FieldType } from './entity.ts'
import { searchParams } from './search-params.ts'

export interface ActionDescription {
  readonly name: Action
  readonly description: string
  readonly params: TSchema
  readonly rules: readonly string[]
  readonly record: TSchema | null
}

export interface EntityDescription {
  readonly name: string
  readonly description: string
  readonly actions: readonly ActionDescription[]
  readonly searchable_fields: Readonly<Record<string, FieldType>>
}

export interface ConnectorType {
  readonly connector_type: string
  readonly definition_id: string
  readonly title: string
  readonly auth_methods: readonly {
    readonly name: string
    readonly title: string
    readonly credentials: TSchema
    /** What a consent asks for, where the credentials can come from one. */
    readonly scopes?: readonly string[]
  }[]
  readonly replication_config: TSchema | null
  readonly entities: readonly EntityDescription[]
}

/** Describes a connector kind. The result is made of plain JSON values. */
export function describeConnector(connector: Connector): ConnectorType {
  return plain({
    connector_type: connector.kind,
    definition_id: connector.definitionId,
    title: connector.title,
    auth_methods: connector.authMethods.map(({ name, title, credentials, consent }) => ({
      name,
      title,
      credentials,
      ...(consent && { scopes: consent.scopes }),
    })),
    replication_config: connector.replicationConfig,
    entities: Object.entries(connector.entities).map(([name, entity]) => ({
      name,
      description: entity.description,
      actions: actionsOf(entity).map((action) => describeAction(entity, action)),
      searchable_fields: entity.searchable ?? {},
    })),
  })
}

function describeAction(entity: Entity, action: Action): ActionDescription {
  if (action === 'search')
    return {
      name: action,
      description: [
        'Search the copy:',
        entity.description,
        ...(entity.sync?.note === undefined ? [] : [entity.sync.note]),
      ].join(' '),
      params: searchParams,
      rules: [],
      record: null,
    }
  const operation = entity[action]!
  return {
    name: action,
    description: operation.description,
    params: operation.params,
    rules: (operation.rules ?? []).map((rule) => rule.sentence),
    record: operation.action === 'download' ? null : operation.record,
  }
}

/** Only what JSON can say: schemas carry hidden marks of their library that no reader needs. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
