/** All nodes, which are made when they are read: only what was changed is stored. */
import { type Draw, type Rows, seededRandom } from '../../../kit/simulator.ts'
import { type Account, createAccounts } from './accounts.ts'
import { readAccountId, readId } from './ids.ts'
import { type Changed, type Company, Node, type NodeKind } from './node.ts'

export interface World extends Company {
  readonly accounts: readonly Account[]
  account(bareId: string): Account | undefined
  /** The node of any kind with this id; images have none. */
  find(id: string): Node | undefined
  /** The nodes of a kind, in the order of their places. */
  rows(kind: NodeKind, account: Account): Rows<Node>
  change(target: Node | Account, fields: Readonly<Record<string, unknown>>): void
  add(kind: NodeKind, account: Account, fields: Readonly<Record<string, unknown>>): Node
}

export function createWorld(seed: number, scale: number, now: () => number): World {
  const accounts = createAccounts(scale)
  const draws = new Map<string, Draw>()
  const changed = new Map<string, Changed>()
  const added = new Map<string, number>()

  const self: World = {
    accounts,
    now,
    draw(purpose, number) {
      let draw = draws.get(purpose)
      if (draw === undefined) {
        draw = seededRandom(seed, purpose)
        draws.set(purpose, draw)
      }
      return draw(number)
    },
    changed: (id) => changed.get(id),
    count: (kind, account) => account.counts[kind] + (added.get(`${kind}/${account.id}`) ?? 0),
    account: (bareId) => accounts[readAccountId(bareId) ?? -1],
    find(id) {
      const read = readId(id)
      const account = accounts[read?.account ?? -1]
      if (read === undefined || read.kind === 'run' || account === undefined) return undefined
      return read.index < self.count(read.kind, account) ? new Node(self, read.kind, account, read.index) : undefined
    },
    rows(kind, account) {
      const length = self.count(kind, account)
      const newest = length - account.counts[kind]
      const at = (place: number) => new Node(self, kind, account, place < newest ? length - 1 - place : place - newest)
      return { length, at }
    },
    change(target, fields) {
      if (target.kind === 'account') Object.assign(target.changes, fields)
      else {
        const before = changed.get(target.id)
        changed.set(target.id, { ...before, fields: { ...before?.fields, ...fields }, at: now() })
      }
    },
    add(kind, account, fields) {
      const node = new Node(self, kind, account, self.count(kind, account))
      added.set(`${kind}/${account.id}`, node.index - account.counts[kind] + 1)
      changed.set(node.id, { fields, at: now(), made: now() })
      return node
    },
  }
  return self
}
