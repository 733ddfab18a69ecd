/** The addresses of the simulated Graph API. */
import { only, param, type Rows } from '../../../kit/simulator.ts'
import type { Account } from './accounts.ts'
import { user } from './company.ts'
import { edgeFilter, filterParams } from './filters.ts'
import { type AnyAsk, list, route } from './graph.ts'
import { type Row, showRow } from './insight-row.ts'
import { type InsightsQuery, insightsParams, readInsightsQuery, rowsOf, weightOf } from './insights.ts'
import { graphPages, limitOf } from './pages.ts'
import {
  invalidParameter,
  missingObject,
  nonexistingField,
  permissionMissing,
  readingMissing,
  reduceData,
  refuse,
  unknownPath,
} from './replies.ts'
import { advance, isReadable, type Run } from './report-runs.ts'
import { readSelection, type Selected } from './selection.ts'
import { show } from './show.ts'
import { typeOf } from './types.ts'
import { isLevel, type Node, type NodeKind } from './world.ts'

const fields = param.custom(readSelection)

/** Lists below an account; campaigns and ad sets have those of the levels below them. */
const edges: Readonly<Record<string, NodeKind>> = {
  campaigns: 'campaign',
  adsets: 'adset',
  ads: 'ad',
  adcreatives: 'creative',
  adimages: 'image',
  advideos: 'video',
  customconversions: 'conversion',
}
const edgesBelow: Readonly<Record<string, readonly string[]>> = {
  account: Object.keys(edges),
  campaign: ['adsets', 'ads'],
  adset: ['ads'],
}

const nameOf = ({ kind }: Account | Node | Run): string => (kind === 'run' ? 'AdReportRun' : typeOf(kind).name)

function accountBy(name: string, { world, caller }: AnyAsk): Account {
  const account = world.account(name.slice('act_'.length))
  if (account === undefined || account.sight === 'hidden') return refuse(missingObject(name))
  if (account.sight === 'closed' || !caller.scopes.includes('ads_read'))
    refuse(permissionMissing('Ad account owner has NOT grant ads_management or ads_read permission'))
  return account
}

/** What an id names; refuses ids of nothing, and of what cannot be seen. */
function targetBy(id: string, ask: AnyAsk, edge?: string): Account | Node | Run {
  if (id.startsWith('act_')) return accountBy(id, ask)
  if (!/^\d+$/.test(id)) refuse(unknownPath(edge === undefined ? `/${id}` : `/${id}/${edge}`))
  const found = ask.world.runs.find(id) ?? ask.world.find(id)
  // Without its prefix, an account's id names another object, or none.
  if (found === undefined && edge !== undefined && ask.world.account(id) !== undefined)
    refuse(nonexistingField(edge, 'User'))
  if (found === undefined) return refuse(missingObject(id))
  if (found.kind !== 'run' && (found.account.sight === 'hidden' || found.account.sight === 'closed'))
    refuse(missingObject(id))
  return found
}

/** Records times fields must not be too many. */
function needRoom(ask: AnyAsk, count: number): void {
  if (limitOf(ask) * count > ask.world.settings.weight) refuse(reduceData)
}

/** Fields that require the task MANAGE; without it, Graph refuses the whole call. */
function refuseRestricted(account: Account, selection: readonly Selected[] = []): void {
  const asks = (name: string) => selection.some((one) => one.name === name)
  if (account.sight !== 'unmanaged') return
  if (asks('funding_source_details') || asks('is_prepay_account'))
    refuse(invalidParameter('Unsupported request - method type: get'))
  if (asks('owner')) refuse(permissionMissing('Requires business_management permission to manage the object'))
}

const me = [
  route({ path: '/me', params: { fields }, answer: ({ args }) => show(user, args.fields) }),
  route({
    path: '/me/permissions',
    answer: ({ caller }) => ({ data: caller.scopes.map((permission) => ({ permission, status: 'granted' })) }),
  }),
  /** The accounts that a person has access to. */
  list({
    path: '/me/adaccounts',
    params: { fields },
    rows({ world, caller }) {
      if (!caller.scopes.includes('ads_read')) refuse(readingMissing)
      return world.accounts
    },
    visible: ({ sight }) => sight === 'open' || sight === 'unmanaged',
    ...graphPages<Account>(({ index }) => index),
    show: (account, { args }) => show(account, args.fields),
  }),
  route({ path: '/me/{edge}', answer: ({ path }) => refuse(nonexistingField(path.edge!, 'User')) }),
]

/** `/?ids=a,b`: all or nothing. */
const several = ['', '/'].map((path) =>
  route({
    path,
    params: { ids: param.words(), fields },
    answer(ask) {
      const { ids, fields } = ask.args
      if (ids === undefined) return refuse(unknownPath('/'))
      if (ids.length > 50) refuse(invalidParameter('Too many IDs. Maximum: 50.'))
      return Object.fromEntries(
        ids.map((id) => {
          const target = targetBy(id, ask)
          return [id, target.kind === 'run' ? refuse(missingObject(id)) : show(target, fields)]
        }),
      )
    },
  }),
)

const objects = [
  route({
    path: '/{id}',
    params: { fields },
    answer(ask) {
      const target = targetBy(ask.path.id!, ask)
      if (target.kind === 'run') return advance(target) ?? refuse(missingObject(target.id))
      if (target.kind === 'account') refuseRestricted(target, ask.args.fields)
      return show(target, ask.args.fields)
    },
  }),
  list({
    path: '/{id}/{edge}',
    params: { ...filterParams, fields },
    rows(ask): Rows<Node> {
      const { world, path, args } = ask
      const target = targetBy(path.id!, ask, path.edge)
      const kind = edges[path.edge!]
      if (kind === undefined || target.kind === 'run' || !edgesBelow[target.kind]?.includes(path.edge!))
        return refuse(nonexistingField(path.edge!, nameOf(target)))
      const filter = edgeFilter(kind, args)
      needRoom(ask, args.fields?.length || typeOf(kind).usual.length)
      const account = target.kind === 'account' ? target : target.account
      const rows = world.rows(kind, account)
      // Graph refuses an unknown field even if there is no node to show.
      if (rows.length === 0) show(world.rows(kind, world.accounts[0]!).at(0)!, args.fields)
      const isBelow = (node: Node) => target.kind === 'account' || node.above(target.kind)?.id === target.id
      return only(rows, (node) => isBelow(node) && filter(node))
    },
    size: (limit, { world }) => (world.settings.shortPages ? Math.ceil(limit / 2) : limit),
    ...graphPages<Node>(({ place }) => place),
    show: (node, { args }) => show(node, args.fields),
  }),
]

/** The maximum number of row-days that are computed while the caller waits. */
const mostAtOnce = 12_000

type InsightsAsk = AnyAsk & { readonly args: param.ArgsOf<typeof insightsParams> }

function queryOf(ask: InsightsAsk, target: Account | Node): InsightsQuery {
  const { world, args } = ask
  if (target.kind === 'account') return readInsightsQuery(world, target, { own: 'account', among: () => true }, args)
  if (!isLevel(target.kind)) return refuse(nonexistingField('insights', nameOf(target)))
  const among = (ad: Node) => ad.above(target.kind)?.id === target.id
  return readInsightsQuery(world, target.account, { own: target.kind, among }, args)
}

const insights = [
  list({
    path: '/{id}/insights',
    params: insightsParams,
    rows(ask): Rows<Row> {
      const target = targetBy(ask.path.id!, ask, 'insights')
      if (target.kind === 'run') {
        if (isReadable(target)) return rowsOf(target.query)
        refuse({ code: 2601, message: '(#2601) Loading async job insights failed: the job is not completed' })
      }
      const query = queryOf(ask, target)
      needRoom(ask, query.fields.length)
      if (weightOf(query) > mostAtOnce) refuse(tooMuchData)
      return rowsOf(query)
    },
    ...graphPages<Row>(({ place }) => place, { code: 2642, message: '(#2642) Invalid cursors values' }),
    show: showRow,
  }),
  route({
    path: '/{id}/insights',
    method: 'POST',
    params: insightsParams,
    answer(ask) {
      const target = targetBy(ask.path.id!, ask, 'insights')
      if (target.kind === 'run') return refuse(nonexistingField('insights', nameOf(target)))
      return { report_run_id: ask.world.runs.start(queryOf(ask, target), ask.now) }
    },
  }),
]

const tooMuchData = invalidParameter('Please reduce the amount of data', {
  subcode: 1487534,
  userTitle: 'Too much data',
  userMessage: 'The query holds more data than one call can give; ask for it as a report.',
})

export const routes = [...me, ...several, ...objects, ...insights]
