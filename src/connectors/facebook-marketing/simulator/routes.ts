/** The answer of each address of the simulated Graph API. */
import { accountFields, user, userFields } from './account-fields.ts'
import type { Account } from './accounts.ts'
import { pageBody, startOf } from './cursors.ts'
import { answerAccounts, answerEdge, type EdgeOptions, edgeKinds } from './edges.ts'
import { readInsightsFilter } from './filters.ts'
import { type InsightsQuery, insightRows, type Level, readInsightsQuery, weightOf } from './insights.ts'
import { accountType } from './node-types.ts'
import type { Params } from './params.ts'
import { show, showAccount, showNode } from './projection.ts'
import { invalidParameter, missingObject, reduceData, refuse } from './replies.ts'
import { isReadable, type ReportRuns } from './report-runs.ts'
import { readSelection } from './selection.ts'
import type { Node, World } from './world.ts'

export interface Ask {
  readonly method: string
  /** The part below the version. */
  readonly path: string
  readonly params: Params
  readonly world: World
  readonly runs: ReportRuns
  readonly options: EdgeOptions
  readonly scopes: readonly string[]
  readonly now: number
  /** The address of this path, for links to other pages. */
  readonly address: string
}

/** The account of a path; null for paths about the person. */
export function accountAt(path: string, { world, runs }: Pick<Ask, 'world' | 'runs'>): Account | null {
  const [first = ''] = path.slice(1).split('/')
  const id = /^act_(\d+)$/.exec(first)?.[1]
  if (id !== undefined) return world.account(id) ?? null
  return world.find(first)?.account ?? runs.find(first)?.query.account ?? null
}

export function answer(ask: Ask): unknown {
  const { path, params, world } = ask
  const [first = '', edge, ...rest] = path.slice(1).split('/')
  if (rest.length > 0) return unknownPath(path)
  if (path === '/') return params.get('ids') === undefined ? unknownPath(path) : answerIds(ask)
  if (first === 'me') return answerMe(ask, edge)
  const account = /^act_/.test(first) ? accountBy(first, ask) : undefined
  if (account !== undefined) return answerAccount(ask, account, edge)
  const run = ask.runs.find(first)
  if (run !== undefined) return answerRun(ask, run, edge)
  const node = /^\d+$/.test(first) ? world.find(first) : undefined
  if (node !== undefined) return answerNode(ask, node, edge)
  if (/^\d+$/.test(first)) {
    // Without its prefix, an account's id names another object, or none.
    if (world.account(first) !== undefined && edge !== undefined)
      refuse(invalidParameter(`Tried accessing nonexisting field (${edge}) on node type (User)`))
    refuse(missingObject(first))
  }
  return unknownPath(path)
}

const unknownPath = (path: string): never => refuse({ code: 2500, message: `Unknown path components: ${path}` })

function accountBy(name: string, { world, scopes }: Ask): Account {
  const account = world.account(name.slice('act_'.length))
  if (account === undefined || account.sight === 'hidden') return refuse(missingObject(name))
  if (account.sight === 'closed' || !scopes.includes('ads_read'))
    refuse({
      status: 403,
      code: 200,
      message: '(#200) Ad account owner has NOT grant ads_management or ads_read permission',
    })
  return account
}

function answerMe({ params, world, scopes, address }: Ask, edge: string | undefined): unknown {
  if (edge === undefined)
    return show(
      user,
      { name: 'User', fields: userFields, usual: ['name', 'id'] },
      readSelection(params.get('fields')),
      world,
      {},
    )
  if (edge === 'permissions') return { data: scopes.map((permission) => ({ permission, status: 'granted' })) }
  if (edge !== 'adaccounts') refuse(invalidParameter(`Tried accessing nonexisting field (${edge}) on node type (User)`))
  if (!scopes.includes('ads_read'))
    refuse({ status: 403, code: 200, message: '(#200) Requires ads_read permission to manage the object' })
  return answerAccounts(params, world, address)
}

function answerAccount(ask: Ask, account: Account, edge: string | undefined): unknown {
  const { params, world } = ask
  if (edge === undefined) {
    const selection = readSelection(params.get('fields'))
    if (account.sight === 'unmanaged') refuseRestricted(selection?.map(({ name }) => name) ?? [])
    return showAccount(account, selection, world)
  }
  if (edge === 'insights') return answerInsights(ask, account, 'account')
  const kind = Object.hasOwn(edgeKinds, edge) ? edgeKinds[edge] : undefined
  if (kind === undefined)
    refuse(invalidParameter(`Tried accessing nonexisting field (${edge}) on node type (${accountType.name})`))
  return answerEdge(kind, account, params, world, ask.address, ask.options)
}

/** Fields that require the task MANAGE; without it, Graph refuses the whole call. */
function refuseRestricted(names: readonly string[]): void {
  for (const name of names) if (!Object.hasOwn(accountFields, name)) return
  if (names.includes('funding_source_details') || names.includes('is_prepay_account'))
    refuse(invalidParameter('Unsupported request - method type: get'))
  if (names.includes('owner'))
    refuse({ status: 403, code: 200, message: '(#200) Requires business_management permission to manage the object' })
}

function answerNode(ask: Ask, node: Node, edge: string | undefined): unknown {
  const { params, world } = ask
  if (node.account.sight === 'hidden' || node.account.sight === 'closed') refuse(missingObject(node.id))
  if (edge === undefined) return showNode(node, readSelection(params.get('fields')), world)
  const below = (other: Node): boolean =>
    node.kind === 'campaign'
      ? world.campaignOf(other).id === node.id
      : node.kind === 'adset'
        ? world.adsetOf(other).id === node.id
        : other.id === node.id
  if (edge === 'insights' && ['campaign', 'adset', 'ad'].includes(node.kind))
    return answerInsights(ask, node.account, node.kind as Level, below)
  if ((edge === 'ads' && ['campaign', 'adset'].includes(node.kind)) || (edge === 'adsets' && node.kind === 'campaign'))
    return answerEdge(edgeKinds[edge]!, node.account, params, world, ask.address, ask.options, below)
  return refuse(invalidParameter(`Tried accessing nonexisting field (${edge}) on node type (${node.kind})`))
}

/** The maximum number of row-days that are computed while the caller waits. */
const mostAtOnce = 12_000

function answerInsights(ask: Ask, account: Account, own: Level, among?: (ad: Node) => boolean): unknown {
  const { method, params, world, runs, now, options } = ask
  const filter = readInsightsFilter(params, world)
  const query = readInsightsQuery(account, params, now, own, (ad) => filter(ad) && (among?.(ad) ?? true))
  if (method === 'POST') return { report_run_id: runs.start(query, now) }
  if (params.limit() * query.fields.length > options.weight) refuse(reduceData)
  if (weightOf({ ...query, world }) > mostAtOnce)
    refuse(
      invalidParameter('Please reduce the amount of data', {
        subcode: 1487534,
        userTitle: 'Too much data',
        userMessage: 'The query holds more data than one call can give; ask for it as a report.',
      }),
    )
  return insightsPage(ask, query)
}

function insightsPage({ params, world, address }: Ask, query: InsightsQuery): unknown {
  const first = startOf(params, { code: 2642, message: '(#2642) Invalid cursors values' })
  const { rows, more } = insightRows(query, world, first, params.limit())
  return pageBody(rows, { first, last: rows.length === 0 ? null : first + rows.length - 1, more }, params, address)
}

function answerRun(ask: Ask, run: NonNullable<ReturnType<ReportRuns['find']>>, edge: string | undefined): unknown {
  if (edge === undefined) return ask.runs.ask(run) ?? refuse(missingObject(run.id))
  if (edge !== 'insights')
    refuse(invalidParameter(`Tried accessing nonexisting field (${edge}) on node type (AdReportRun)`))
  if (!isReadable(run))
    refuse({ code: 2601, message: '(#2601) Loading async job insights failed: the job is not completed' })
  return insightsPage(ask, run.query)
}

/** `/?ids=a,b`: all or nothing. */
function answerIds(ask: Ask): unknown {
  const ids = (ask.params.get('ids') ?? '').split(',')
  if (ids.length > 50) refuse(invalidParameter('Too many IDs. Maximum: 50.'))
  const selection = readSelection(ask.params.get('fields'))
  return Object.fromEntries(
    ids.map((id) => {
      if (/^act_/.test(id)) return [id, showAccount(accountBy(id, ask), selection, ask.world)]
      const node = ask.world.find(id)
      return [id, node === undefined ? refuse(missingObject(id)) : showNode(node, selection, ask.world)]
    }),
  )
}
