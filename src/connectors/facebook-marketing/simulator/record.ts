/** How records are declared: as functions from a node to its fields, with references to other nodes. */
import type { Account } from './accounts.ts'
import { accountTime } from './times.ts'
import type { Node } from './world.ts'

/** All fields that can have a value; undefined leaves a field out, as Graph does with empty ones. */
export type FieldsOf<T> = (thing: T) => Readonly<Record<string, unknown>>

/** Another node in a field: its id, or the fields selected inside. */
export class Reference {
  readonly to: Node | Account
  constructor(to: Node | Account) {
    this.to = to
  }
}

export const refer = (to: Node | Account | undefined): Reference | undefined => to && new Reference(to)

/** Other nodes in a field, as a page. */
export class Connection {
  readonly nodes: (limit: number) => readonly Node[]
  constructor(nodes: (limit: number) => readonly Node[]) {
    this.nodes = nodes
  }
}

export const connect = (parent: Node, kind: 'adset' | 'ad') => new Connection((limit) => parent.below(kind, limit))

/** What campaigns, ad sets and ads have in common. */
export function commonFields(node: Node) {
  const time = (ms: number): string => accountTime(ms, node.account)
  return {
    id: node.id,
    account_id: node.account.id,
    account: refer(node.account),
    // Few nodes have any.
    adlabels: node.oneIn('label', 6)
      ? [
          {
            id: String(6_100_000_000_000 + (node.draw('label') % 9)),
            name: node.pick('label name', ['always on', 'test', 'agency', 'Q4']),
            created_time: time(node.createdAt),
            updated_time: time(node.createdAt),
          },
        ]
      : undefined,
    configured_status: node.ownStatus,
    created_time: time(node.createdAt),
    effective_status: node.status,
    status: node.ownStatus,
    updated_time: time(node.updatedAt),
  }
}

/** An amount in the smallest unit of the currency, as text. */
export function budget(node: Node, purpose: string, from: number): string {
  const amount = from + (node.draw(purpose) % 40) * 500
  return String(node.account.decimals === 2 ? amount : Math.round(amount / 100) * 100)
}

const bids = 'LOWEST_COST_WITHOUT_CAP LOWEST_COST_WITHOUT_CAP LOWEST_COST_WITH_BID_CAP COST_CAP'.split(' ')

export const bidStrategy = (node: Node): string => node.pick('bids', bids)
