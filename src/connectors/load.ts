/** Loads a single connector kind, for programs that need no other. */
import type { Connector } from '../catalog/connector.ts'
import type { ConnectorKind, catalog } from './index.ts'

/** The compiler compares this list with the catalog: a missing kind, or one under another's name, does not compile. */
const kinds: { readonly [K in ConnectorKind]: () => Promise<(typeof catalog)[K]> } = {
  slack: async () => (await import('./slack/connector.ts')).slack,
  hubspot: async () => (await import('./hubspot/connector.ts')).hubspot,
  'facebook-marketing': async () => (await import('./facebook-marketing/connector.ts')).facebookMarketing,
  gong: async () => (await import('./gong/connector.ts')).gong,
  asana: async () => (await import('./asana/connector.ts')).asana,
}

export const kindNames: readonly string[] = Object.keys(kinds)

/** The kind with this name; null if there is none. */
export async function loadKind(name: string): Promise<Connector | null> {
  return Object.hasOwn(kinds, name) ? kinds[name as ConnectorKind]() : null
}
