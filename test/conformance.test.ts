/** What holds for every kind of connector: a new one joins by its line in the catalog. */
import type { Connector } from '../src/catalog/connector.ts'
import { conformance } from '../src/conformance/conformance.ts'
import { catalog } from '../src/connectors/index.ts'
import { simulators } from '../src/connectors/simulators.ts'

for (const [kind, connector] of Object.entries(catalog) as [keyof typeof catalog, Connector][])
  conformance(connector, simulators[kind])
