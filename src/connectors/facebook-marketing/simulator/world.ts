/** Accounts and the nodes below them, which are made from the seed when they are read: only changes are stored. */
import { type Draw, pick, type Rows, seededRandom } from '../../../kit/simulator.ts'
import { type Account, createAccounts } from './accounts.ts'
import { idOf, type Kind, readAccountId, readId } from './ids.ts'
import { anchor, day } from './times.ts'

export type NodeKind = Exclude<Kind, 'run'> | 'image'

interface Changed {
  readonly fields: Readonly<Record<string, unknown>>
  readonly at: number
  /** When it was added. */
  readonly made?: number
}

export interface World {
  readonly accounts: readonly Account[]
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A number drawn for a purpose, always the same. */
  draw(purpose: string, number: number): number
  /** What was changed on a node, and when. */
  changed(id: string): Changed | undefined
  /** The number of nodes of a kind, including added ones. */
  count(kind: NodeKind, account: Account): number
  account(bareId: string): Account | undefined
  /** The node of any kind with this id; images have none. */
  find(id: string): Node | undefined
  /** The nodes of a kind, in the order of their places. */
  rows(kind: NodeKind, account: Account): Rows<Node>
  change(target: Node | Account, fields: Readonly<Record<string, unknown>>): void
  add(kind: NodeKind, account: Account, fields: Readonly<Record<string, unknown>>): Node
}

const common = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES']
const reviewed = ['DISAPPROVED', 'PENDING_BILLING_INFO', 'PENDING_REVIEW', 'PREAPPROVED']

/** The values that each level knows; a value of another level is refused. */
export const statuses: Readonly<Record<Level, readonly string[]>> = {
  campaign: common,
  adset: [...common, 'CAMPAIGN_PAUSED'],
  ad: [...common, 'CAMPAIGN_PAUSED', 'ADSET_PAUSED', ...reviewed],
}

/** Ads under one node of each level, by which the places of parents follow from those of their ads. */
const width = { campaign: 9, adset: 3, ad: 1 } as const
export type Level = keyof typeof width

export const isLevel = (kind: NodeKind): kind is Level => Object.hasOwn(width, kind)

/** A campaign, ad set, ad, creative, image, video or conversion. */
export class Node {
  readonly world: World
  readonly kind: NodeKind
  readonly account: Account
  readonly index: number
  readonly id: string

  constructor(world: World, kind: NodeKind, account: Account, index: number) {
    this.world = world
    this.kind = kind
    this.account = account
    this.index = index
    this.id = kind === 'image' ? `${account.id}:${index}` : idOf(kind, account.index, index)
  }

  /** Another node of the account. */
  other(kind: NodeKind, index: number): Node {
    return new Node(this.world, kind, this.account, index)
  }

  draw(purpose: string): number {
    return this.world.draw(`${this.kind}/${purpose}`, this.index * 128 + this.account.index)
  }

  /** One of the values, drawn for a purpose. */
  pick<T>(purpose: string, values: readonly T[]): T {
    return pick(values, this.draw(purpose))
  }

  /** True for about one node in this many. */
  oneIn(purpose: string, many: number): boolean {
    return this.draw(purpose) % many === 0
  }

  /** Fields that were changed after they were generated. */
  get changes(): Readonly<Record<string, unknown>> {
    return this.world.changed(this.id)?.fields ?? {}
  }

  /** The place among the nodes of its kind: added ones come first, newest before older; then the generated ones. */
  get place(): number {
    const generated = this.account.counts[this.kind]
    const count = this.world.count(this.kind, this.account)
    return this.index < generated ? this.index + count - generated : count - 1 - this.index
  }

  get createdAt(): number {
    const made = this.world.changed(this.id)?.made
    if (made !== undefined) return made
    // Parents are older than their children: they have the same place in the sequence, an hour earlier.
    const ads = isLevel(this.kind) ? width[this.kind] : width.campaign
    const share = (this.index * ads) / Math.max(1, this.account.counts.ad)
    const lead = { 1: 0, 3: 3_600_000, 9: 7_200_000 }[ads]
    return anchor - Math.floor((0.05 + Math.min(1, share) * 0.9) * 900 * day) - lead - (this.index % 3_600) * 1_000
  }

  get updatedAt(): number {
    return this.world.changed(this.id)?.at ?? this.createdAt + (this.draw('updated') % (30 * day))
  }

  /** The ad set of an ad. */
  get adset(): Node {
    return this.other('adset', Math.min(Math.floor(this.index / 3), this.account.counts.adset - 1))
  }

  /** The campaign of an ad or ad set. */
  get campaign(): Node {
    const adset = this.kind === 'ad' ? this.adset : this
    return this.other('campaign', Math.min(Math.floor(adset.index / 3), this.account.counts.campaign - 1))
  }

  get creative(): Node {
    return this.other('creative', this.index % Math.max(1, this.account.counts.creative))
  }

  /** Itself or the node above it at a level; undefined for levels below. */
  above(level: NodeKind): Node | undefined {
    if (this.kind === level) return this
    if (!isLevel(this.kind) || !isLevel(level) || width[level] < width[this.kind]) return undefined
    return level === 'adset' ? this.adset : this.campaign
  }

  /** The generated nodes below a campaign or ad set. */
  below(kind: 'adset' | 'ad', limit: number): Node[] {
    const many = width[this.kind as Level] / width[kind]
    const first = this.index * many
    const count = Math.max(0, Math.min(many, limit, this.account.counts[kind] - first))
    return Array.from({ length: count }, (_, number) => this.other(kind, first + number))
  }

  /** The owner's setting: `configured_status` and `status`. */
  get ownStatus(): string {
    const { status } = this.changes
    if (typeof status === 'string') return status
    // The newest of each account run, so that there is something to see at any scale.
    if (this.index === 0) return 'ACTIVE'
    const drawn = this.draw('status') % 100
    return drawn < 62 ? 'ACTIVE' : drawn < 84 ? 'PAUSED' : drawn < 95 ? 'ARCHIVED' : 'DELETED'
  }

  /** Whether Meta found a fault with a campaign. */
  get hasIssue(): boolean {
    return this.index > 0 && this.oneIn('issue', 23)
  }

  /** The effective status, which depends on the parents. */
  get status(): string {
    const own = this.ownStatus
    if (own === 'DELETED' || own === 'ARCHIVED') return own
    if (this.kind === 'campaign') return own === 'ACTIVE' && this.hasIssue ? 'WITH_ISSUES' : own
    const above = (this.kind === 'ad' ? this.adset : this.campaign).status
    if (above === 'DELETED' || above === 'ARCHIVED' || above === 'CAMPAIGN_PAUSED') return above
    if (above === 'PAUSED') return this.kind === 'ad' ? 'ADSET_PAUSED' : 'CAMPAIGN_PAUSED'
    if (own === 'PAUSED') return own
    const review = this.kind === 'ad' && this.index > 0 ? this.draw('review') % 50 : undefined
    return review === 0 ? 'DISAPPROVED' : review === 1 ? 'PENDING_REVIEW' : 'ACTIVE'
  }
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
