/** The lists below an account: a page of nodes, as many as requested if that is not too much. */
import type { Account } from './accounts.ts'
import { pageBody, startOf } from './cursors.ts'
import { readFilter } from './filters.ts'
import { nodeTypes } from './node-types.ts'
import type { Params } from './params.ts'
import { showAccount, showNode } from './projection.ts'
import { reduceData, refuse } from './replies.ts'
import { readSelection } from './selection.ts'
import type { Node, NodeKind, World } from './world.ts'

export const edgeKinds: Readonly<Record<string, NodeKind>> = {
  campaigns: 'campaign',
  adsets: 'adset',
  ads: 'ad',
  adcreatives: 'creative',
  adimages: 'image',
  advideos: 'video',
  customconversions: 'conversion',
}

/** Options that changes set. */
export interface EdgeOptions {
  /** The maximum of records times fields in one answer. */
  weight: number
  /** Pages contain only half of the requested number. */
  shortPages: boolean
}

/** A page of an edge. `among` narrows it to the nodes below a campaign or ad set. */
export function answerEdge(
  kind: NodeKind,
  account: Account,
  params: Params,
  world: World,
  address: string,
  options: EdgeOptions,
  among: (node: Node) => boolean = () => true,
): unknown {
  const selection = readSelection(params.get('fields'))
  const limit = params.limit()
  const start = startOf(params)
  const filter = readFilter(kind, params, world)
  const fields = selection?.length ?? nodeTypes[kind].usual.length
  if (limit * fields > options.weight) refuse(reduceData)
  const wanted = options.shortPages ? Math.max(1, Math.ceil(limit / 2)) : limit
  const found: { node: Node; position: number }[] = []
  const count = world.count(kind, account)
  let more = false
  for (let position = start; position < count; position++) {
    const node = world.node(kind, account, indexAt(position, kind, account, count))
    if (!filter(node) || !among(node)) continue
    if (found.length === wanted) {
      more = true
      break
    }
    found.push({ node, position })
  }
  const data = found.map(({ node }) => showNode(node, selection, world))
  const bounds = { first: found[0]?.position ?? start, last: found.at(-1)?.position ?? null, more }
  // Graph refuses an unknown field even if there is no node to show.
  if (data.length === 0 && count === 0 && selection !== undefined) checkFields(kind, account, params, world)
  return pageBody(data, bounds, params, address)
}

/** Added nodes come first, newest before older; then the generated ones. */
function indexAt(position: number, kind: NodeKind, account: Account, count: number): number {
  const added = count - account.counts[kind]
  return position < added ? count - 1 - position : position - added
}

function checkFields(kind: NodeKind, account: Account, params: Params, world: World): void {
  const filled = world.accounts.find((one) => one.counts[kind] > 0) ?? account
  showNode(world.node(kind, filled, 0), readSelection(params.get('fields')), world)
}

/** The accounts that a person has access to. */
export function answerAccounts(params: Params, world: World, address: string): unknown {
  const selection = readSelection(params.get('fields'))
  const listed = world.accounts.filter(({ sight }) => sight === 'open' || sight === 'unmanaged')
  const start = startOf(params)
  const page = listed.slice(start, start + params.limit())
  const last = page.length === 0 ? null : start + page.length - 1
  const more = start + page.length < listed.length
  const data = page.map((account) => showAccount(account, selection, world))
  return pageBody(data, { first: start, last, more }, params, address)
}
