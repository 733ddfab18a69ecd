/** A connected system, hosted or local, as a source with a single connector. */
import type { ConnectorType } from '../catalog/describe.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { truncate } from '../catalog/truncate.ts'
import type { Uniform } from '../client/connector-types.ts'
import { once } from '../client/once.ts'
import { ConexError } from '../errors.ts'
import type { ConnectorSummary, SaveFile, Source } from './source.ts'

export function systemSource(kind: string, title: string, system: Uniform, save?: SaveFile): Source {
  const connector: ConnectorSummary = {
    id: kind,
    name: title,
    connector_type: kind,
    external_user_id: '',
    status: 'active',
  }
  const type = once(async () => (system.mode === 'local' ? withoutCopy(await system.describe()) : system.describe()))
  const source: Source = {
    connectors: async ({ connector_type = kind }) => ({
      connectors: connector_type === kind ? [connector] : [],
      next_cursor: null,
    }),
    async connector() {
      throw new ConexError('not_found', `There is no connector of this id; the only one here is "${kind}".`)
    },
    kinds: async () => [kind],
    async type(named) {
      if (named === kind) return type()
      const guess = didYouMean(named, [kind]) || `; the only one here is "${kind}".`
      throw new ConexError('not_found', `There is no connector type "${truncate(named)}"${guess}`)
    },
    execute: (_, { entity, action, params, fields }, signal) =>
      system.execute(entity, action, params, { signal, ...fields }),
    download: (_, { entity, params }, signal) => system.download(entity, params, { signal }),
    link: async (...call) => (save === undefined ? null : save(await source.download(...call))),
    async signInLink() {
      throw new ConexError(
        'invalid_request',
        'Ask the user to put new credentials in the place of those with which this program was started (--credentials), and to start it again.',
      )
    },
  }
  return source
}

/** Local mode has no copy to search, or for SQL. */
const withoutCopy = (type: ConnectorType): ConnectorType => ({
  ...type,
  sql: null,
  entities: type.entities.map((entity) => ({
    ...entity,
    actions: entity.actions.filter(({ name }) => name !== 'search'),
    searchable_fields: {},
    sql_columns: {},
  })),
})
