/** Insights: rows by level and period, summed from the daily delivery of each ad. */
import type { Account } from './accounts.ts'
import { adName } from './ad-fields.ts'
import { adSetFields, adSetName } from './ad-set-fields.ts'
import { campaignName, objectiveOf } from './campaign-fields.ts'
import { addDay, deliveringAds, type Figures, lifeOf, noFigures } from './delivery.ts'
import { actionsOf, readWindows, valuesOf } from './insight-actions.ts'
import { cut, type Days, readDays } from './insight-days.ts'
import type { Params } from './params.ts'
import { invalidParameter, refuse } from './replies.ts'
import { readSelection } from './selection.ts'
import { accountDay, dateOf } from './times.ts'
import { unsetRowFields } from './unset-fields.ts'
import type { Node, World } from './world.ts'

export const levels = ['ad', 'adset', 'campaign', 'account'] as const
export type Level = (typeof levels)[number]

/** Rows to show: their places and their ads. */
interface Row {
  readonly account: Account
  readonly campaign?: Node
  readonly adset?: Node
  readonly ad?: Node
  readonly span: Days
  readonly figures: Figures
  /** The levels at which ads are summed up. */
  readonly seen: number
}

export interface InsightsQuery {
  readonly account: Account
  readonly level: Level
  readonly spans: readonly Days[]
  readonly fields: readonly string[]
  readonly windows: readonly string[]
  readonly today: number
  readonly among: (ad: Node) => boolean
}

export function readInsightsQuery(
  account: Account,
  params: Params,
  now: number,
  own: Level,
  among: (ad: Node) => boolean = () => true,
): InsightsQuery {
  const level = params.get('level') ?? own
  if (!isLevel(level)) refuse(invalidParameter(`level must be one of the following values: ${levels.join(', ')}`))
  const fields = (readSelection(params.get('fields')) ?? usualFields(level)).map(({ name }) => name)
  const unknown = fields.find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined)
    refuse(
      invalidParameter(
        `${unknown} is not valid for fields param. please check https://developers.facebook.com/docs/marketing-api/reference/ads-insights/ for all valid values`,
      ),
    )
  const today = accountDay(now, account)
  const days = readDays(params, today)
  const windows = readWindows(params)
  return { account, level, spans: cut(days, params.get('time_increment')), fields, windows, today, among }
}

const isLevel = (text: string): text is Level => (levels as readonly string[]).includes(text)

const usualFields = (level: Level): { name: string }[] =>
  [
    'account_id',
    ...(level === 'account' ? [] : ['campaign_id']),
    'date_start',
    'date_stop',
    'impressions',
    'spend',
  ].map((name) => ({ name }))

/** Rows times days: the weight of an answer. */
export function weightOf({ account, level, spans, among, world }: InsightsQuery & { world: World }): number {
  const days = spans.reduce((sum, { since, until }) => sum + until - since + 1, 0)
  const ads = deliveringAds(world, account).filter(among).length
  return days * Math.ceil({ ad: ads, adset: ads / 3, campaign: ads / 9, account: 1 }[level])
}

/** Rows from `start` on, at most `limit`, and whether more follow. Only delivered objects have a row. */
export function insightRows(
  query: InsightsQuery,
  world: World,
  start: number,
  limit: number,
): { rows: unknown[]; more: boolean } {
  const rows: unknown[] = []
  let position = 0
  for (const span of query.spans) {
    for (const row of rowsOf(query, span, world)) {
      if (position++ < start) continue
      if (rows.length === limit) return { rows, more: true }
      rows.push(showRow(row, query, world))
    }
  }
  return { rows, more: false }
}

function* rowsOf(query: InsightsQuery, span: Days, world: World): Generator<Row> {
  const { account, level, today, among } = query
  const groups = new Map<string, { key: Node | null; ads: Node[] }>()
  for (const ad of deliveringAds(world, account)) {
    if (!among(ad)) continue
    const key =
      level === 'account' ? null : level === 'ad' ? ad : level === 'adset' ? world.adsetOf(ad) : world.campaignOf(ad)
    const group = groups.get(key?.id ?? '') ?? { key, ads: [] }
    group.ads.push(ad)
    groups.set(key?.id ?? '', group)
  }
  for (const { key, ads } of groups.values()) {
    const figures = noFigures()
    let seen = 0
    for (const ad of ads) {
      const life = lifeOf(world, ad, today)
      const last = Math.min(span.until, life.last)
      for (let day = Math.max(span.since, life.first); day <= last; day++)
        if (addDay(world, ad, day, today, figures)) seen += 1
    }
    if (seen === 0) continue
    const parents =
      key === null
        ? {}
        : {
            campaign: key.kind === 'campaign' ? key : world.campaignOf(key),
            ...(key.kind === 'campaign' ? {} : { adset: key.kind === 'adset' ? key : world.adsetOf(key) }),
            ...(key.kind === 'ad' ? { ad: key } : {}),
          }
    yield { account, ...parents, span, figures, seen }
  }
}

function showRow(row: Row, { fields, windows }: InsightsQuery, world: World): unknown {
  const shown: Record<string, unknown> = {}
  for (const name of fields) {
    const value = columns[name]!(row, world, windows)
    if (value !== undefined) shown[name] = value
  }
  shown.date_start = dateOf(row.span.since)
  shown.date_stop = dateOf(row.span.until)
  return shown
}

/** A quotient in Graph's form; absent if the divisor is 0. */
const quotient = (amount: number, by: number, digits = 6): string | undefined =>
  by === 0 ? undefined : String(Number((amount / by).toFixed(digits)))

const money = ({ decimals }: Account, hundredths: number): string =>
  decimals === 2 ? String(hundredths / 100) : String(Math.round(hundredths))

/** People count once, however often they saw the ads, so reach does not add up. */
const reachOf = ({ figures, seen }: Row): number => Math.ceil(figures.impressions / (1.4 + Math.log10(seen + 1)))

const uniqueClicks = ({ clicks }: Figures): number => Math.ceil(clicks * 0.9)

const playsOf = ({ views }: Figures): unknown =>
  views > 0 ? [{ action_type: 'video_view', value: String(views) }] : undefined

/** Percent of plays that reach each second, and later spans of seconds. */
const playCurve = Array.from({ length: 22 }, (_, at) => Math.round(100 / (1 + at / 4)))

const columns: Readonly<Record<string, (row: Row, world: World, windows: readonly string[]) => unknown>> = {
  ...unsetRowFields,
  account_id: ({ account }) => account.id,
  account_name: ({ account }, world) => world.changesOf(account).name ?? account.name,
  account_currency: ({ account }) => account.currency,
  campaign_id: ({ campaign }) => campaign?.id,
  campaign_name: ({ campaign }, world) => campaign && campaignName(campaign, world),
  adset_id: ({ adset }) => adset?.id,
  adset_name: ({ adset }, world) => adset && adSetName(adset, world),
  ad_id: ({ ad }) => ad?.id,
  ad_name: ({ ad }, world) => ad && adName(ad, world),
  clicks: ({ figures }) => String(figures.clicks),
  impressions: ({ figures }) => String(figures.impressions),
  reach: (row) => String(reachOf(row)),
  spend: ({ account, figures }) => money(account, figures.spend),
  cpc: ({ account, figures }) => quotient(Number(money(account, figures.spend)), figures.clicks),
  cpm: ({ account, figures }) => quotient(Number(money(account, figures.spend)) * 1_000, figures.impressions),
  cpp: (row) => quotient(Number(money(row.account, row.figures.spend)) * 1_000, reachOf(row)),
  ctr: ({ figures }) => quotient(figures.clicks * 100, figures.impressions) ?? '0',
  cost_per_inline_link_click: ({ account, figures }) =>
    quotient(Number(money(account, figures.spend)), figures.linkClicks),
  frequency: (row) => quotient(row.figures.impressions, reachOf(row)),
  inline_link_click_ctr: ({ figures }) => quotient(figures.linkClicks * 100, figures.impressions),
  inline_link_clicks: ({ figures }) => String(figures.linkClicks),
  objective: ({ campaign }, world) => campaign && objectiveOf(campaign, world),
  buying_type: ({ campaign }) => campaign && 'AUCTION',
  date_start: ({ span }) => dateOf(span.since),
  date_stop: ({ span }) => dateOf(span.until),
  actions: ({ figures }, _world, windows) => actionsOf(figures, windows),
  action_values: ({ figures, account }, _world, windows) =>
    valuesOf(figures, windows, (amount) => money(account, amount)),
  attribution_setting: () => '7d_click',
  conversions: () => undefined,
  cost_per_action_type: () => undefined,
  optimization_goal: ({ adset }, world) => adset && adSetFields.optimization_goal!(adset, world),
  purchase_roas: () => undefined,
  unique_clicks: ({ figures }) => String(uniqueClicks(figures)),
  unique_ctr: (row) => quotient(uniqueClicks(row.figures) * 100, reachOf(row)),
  video_play_actions: ({ figures }) => playsOf(figures),
  video_play_curve_actions: ({ figures }) => playsOf(figures) && [{ action_type: 'video_view', value: playCurve }],
}
