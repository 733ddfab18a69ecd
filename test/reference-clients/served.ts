/** What the reference service's clients are served: connectors of three kinds with filled copies, on a day that stands still. */

import { connect } from '../../src/client/connect.ts'
import type { Uniform } from '../../src/client/connector-types.ts'
import { copiedBy } from '../../src/conformance/copied.ts'
import { monday } from '../../src/conformance/service.ts'
import { skippingClock } from '../../src/conformance/skipping-clock.ts'
import { catalog } from '../../src/connectors/index.ts'
import type { Examples } from '../../src/simulator/system.ts'
import { hasDatedRecords } from '../../src/sync/entity-order.ts'
import { type Hosted, startHosted } from '../hosted.ts'

export const kinds = ['asana', 'gong', 'facebook-marketing'] as const
export type Kind = (typeof kinds)[number]

/** The end user whose connectors the clients look up. */
export const endUser = 'ann'
/** Has a connector that a client deletes. */
export const spareEndUser = 'spare'

export interface ServedKind {
  readonly connector: string
  readonly examples: Examples
  /** The same connector, through Conex's own client. */
  readonly own: Uniform
}

export interface Served {
  readonly hosted: Hosted
  readonly kinds: Readonly<Record<Kind, ServedKind>>
  /** The connector of the spare end user. */
  readonly spare: string
  /** A token of the organization. */
  token(): Promise<string>
  readonly client: { readonly id: string; readonly secret: string }
  close(): Promise<void>
}

export async function startServed(): Promise<Served> {
  const clock = skippingClock(() => monday)
  const hosted = await startHosted({
    clock,
    simulators: { now: () => monday, scale: 10 },
    settings: { rateLimitPerMinute: 0, endUserRateLimitPerMinute: 0, tokenRateLimitPerMinute: 0 },
  })
  // Of each kind, the end user has one connector: a client refuses to choose.
  await hosted.call('DELETE', `/v1/integrations/connectors/${hosted.connector}`, { token: hosted.ann })
  const token = async () => (await hosted.server.issueToken(endUser)).token
  const serve = async (kind: Kind): Promise<ServedKind> => {
    const credentials = hosted.systems.describe()[kind]!.credentials[0]!
    const connector = await hosted.connect(credentials, hosted.ann, kind)
    const copied = copiedBy(hosted.server, token, connector)
    if (hasDatedRecords(catalog[kind])) await copied.startDaysAgo(3, monday)
    await copied.sync()
    const own = connect(kind, { baseUrl: hosted.server.origin, token, connectorId: connector }) as unknown as Uniform
    return { connector, examples: hosted.systems.examples(kind), own }
  }
  const spare = await hosted.connect(hosted.credentials('one'), (await hosted.server.issueToken(spareEndUser)).token)
  const served: Partial<Record<Kind, ServedKind>> = {}
  for (const kind of kinds) served[kind] = await serve(kind)
  return {
    hosted,
    kinds: served as Record<Kind, ServedKind>,
    spare,
    token: async () => (await hosted.server.issueToken()).token,
    client: hosted.server.madeClient!,
    async close() {
      await Promise.all(Object.values(served).map(({ own }) => own.close()))
      await hosted.close()
    },
  }
}
