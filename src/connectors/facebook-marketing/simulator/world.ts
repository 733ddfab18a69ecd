/** Every node by its id: as generated, unless it was changed. Stores only the changes. */
import { type Draw, seededRandom } from '../../../kit/simulator.ts'
import { type Account, createAccounts } from './accounts.ts'
import { idOf, type Kind, readAccountId, readId } from './ids.ts'
import { anchor, day } from './times.ts'

export type NodeKind = Exclude<Kind, 'run'> | 'image'

export interface Node {
  readonly kind: NodeKind
  readonly account: Account
  readonly index: number
  readonly id: string
}

export interface World {
  readonly seed: number
  readonly accounts: readonly Account[]
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A number drawn for a purpose and a node, always the same. */
  draw(purpose: string, node: Node): number
  node(kind: NodeKind, account: Account, index: number): Node
  /** The node of any kind with this id; accounts and images have their own look-ups. */
  find(id: string): Node | undefined
  account(bareId: string): Account | undefined
  adsetOf(ad: Node): Node
  campaignOf(node: Node): Node
  creativeOf(ad: Node): Node
  createdAt(node: Node): number
  updatedAt(node: Node): number
  /** Fields that were changed after they were generated. */
  changesOf(node: Pick<Node, 'id'>): Readonly<Record<string, unknown>>
  change(node: Pick<Node, 'id'>, fields: Readonly<Record<string, unknown>>, at: number): void
  /** The number of nodes of a kind, including added ones. */
  count(kind: NodeKind, account: Account): number
  /** Adds a node, which comes first in lists. */
  add(kind: NodeKind, account: Account, fields: Readonly<Record<string, unknown>>, at: number): Node
}

interface Changed {
  readonly fields: Readonly<Record<string, unknown>>
  readonly at: number
  readonly made?: number
}

export function createWorld(seed: number, scale: number, now: () => number): World {
  const accounts = createAccounts(scale)
  const draws = new Map<string, Draw>()
  const changed = new Map<string, Changed>()
  const added = new Map<string, number>()

  const drawFor = (purpose: string): Draw => {
    let draw = draws.get(purpose)
    if (draw === undefined) {
      draw = seededRandom(seed, purpose)
      draws.set(purpose, draw)
    }
    return draw
  }
  const keyOf = (kind: NodeKind, account: Account): string => `${kind}/${account.index}`

  const self: World = {
    seed,
    accounts,
    now,
    draw: (purpose, node) => drawFor(`${node.kind}/${purpose}`)(node.index * 128 + node.account.index),
    node: (kind, account, index) => ({
      kind,
      account,
      index,
      id: kind === 'image' ? `${account.id}:${index}` : idOf(kind, account.index, index),
    }),
    find(id) {
      const read = readId(id)
      if (read === undefined || read.kind === 'run') return undefined
      const account = accounts[read.account]
      if (account === undefined || read.index >= self.count(read.kind, account)) return undefined
      return self.node(read.kind, account, read.index)
    },
    account: (bareId) => {
      const index = readAccountId(bareId)
      return index === undefined ? undefined : accounts[index]
    },
    adsetOf: (ad) => self.node('adset', ad.account, Math.min(Math.floor(ad.index / 3), ad.account.counts.adset - 1)),
    campaignOf(node) {
      const adset = node.kind === 'ad' ? self.adsetOf(node) : node
      return self.node(
        'campaign',
        node.account,
        Math.min(Math.floor(adset.index / 3), node.account.counts.campaign - 1),
      )
    },
    creativeOf: (ad) => self.node('creative', ad.account, ad.index % Math.max(1, ad.account.counts.creative)),
    createdAt(node) {
      const made = changed.get(node.id)?.made
      if (made !== undefined) return made
      // Parents are older than their children: they have the same place in the sequence, an hour earlier.
      const place = node.kind === 'ad' ? node.index : node.kind === 'adset' ? node.index * 3 : node.index * 9
      const lead = node.kind === 'ad' ? 0 : node.kind === 'adset' ? 3_600_000 : 7_200_000
      const span = 900 * day
      const share = place / Math.max(1, node.account.counts.ad)
      return anchor - Math.floor((0.05 + Math.min(1, share) * 0.9) * span) - lead - (node.index % 3_600) * 1_000
    },
    updatedAt: (node) => changed.get(node.id)?.at ?? self.createdAt(node) + (self.draw('updated', node) % (30 * day)),
    changesOf: (node) => changed.get(node.id)?.fields ?? {},
    change(node, fields, at) {
      const before = changed.get(node.id)
      changed.set(node.id, { ...before, fields: { ...before?.fields, ...fields }, at })
    },
    count: (kind, account) => account.counts[kind] + (added.get(keyOf(kind, account)) ?? 0),
    add(kind, account, fields, at) {
      const node = self.node(kind, account, self.count(kind, account))
      added.set(keyOf(kind, account), (added.get(keyOf(kind, account)) ?? 0) + 1)
      changed.set(node.id, { fields, at, made: at })
      return node
    },
  }
  return self
}
