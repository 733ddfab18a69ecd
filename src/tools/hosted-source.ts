/** A hosted service as a source, through the client library. */
import type { ConnectorType } from '../catalog/describe.ts'
import type { Conex } from '../client/conex.ts'
import type { Uniform } from '../client/connector-types.ts'
import type { ConnectorKind } from '../client/kinds.ts'
import type { ConnectorSummary, SaveFile, Source } from './source.ts'

export function hostedSource(service: Conex, save?: SaveFile): Source {
  const types = new Map<string, Promise<ConnectorType>>()
  const systemOf = ({ id, connector_type }: ConnectorSummary): Uniform =>
    service.connect(connector_type as ConnectorKind, { connectorId: id }) as unknown as Uniform

  const source: Source = {
    connectors: ({ connector_type, cursor }) =>
      service.connectors.list({
        ...(connector_type !== undefined && { connector_type: connector_type as ConnectorKind }),
        ...(cursor !== undefined && { cursor }),
      }),
    connector: (id) => service.connectors.get(id),
    kinds: async () => (await service.connectorTypes.list()).map((type) => type.connector_type),
    type(kind) {
      let type = types.get(kind)
      if (type === undefined) {
        type = service.connectorTypes.get(kind)
        types.set(kind, type)
        // A failure is not kept.
        type.catch(() => types.delete(kind))
      }
      return type
    },
    execute: (connector, { entity, action, params, fields }, signal) =>
      systemOf(connector).execute(entity, action, params, { signal, ...fields }),
    download: (connector, { entity, params }, signal) => systemOf(connector).download(entity, params, { signal }),
    link: async (...call) => (save === undefined ? null : save(await source.download(...call))),
    signInLink: ({ id }) => service.consent.link(id),
  }
  return source
}
