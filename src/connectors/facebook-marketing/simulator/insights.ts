/** Insights: rows by level and period, summed from the daily delivery of each ad. */
import { param, type Rows } from '../../../kit/simulator.ts'
import type { Account } from './accounts.ts'
import { deliveringAds, figuresOf } from './delivery.ts'
import { emptyFields } from './empty-fields.ts'
import { type Filter, filterParams, insightsFilter } from './filters.ts'
import { windowsParam } from './insight-actions.ts'
import { cut, type Days, dayParams, readDays } from './insight-days.ts'
import { type Row, rowRecord } from './insight-row.ts'
import { invalidParameter, refuse } from './replies.ts'
import { readSelection } from './selection.ts'
import { accountDay } from './times.ts'
import type { Node, World } from './world.ts'

const levels = ['ad', 'adset', 'campaign', 'account'] as const
export type RowLevel = (typeof levels)[number]

export const insightsParams = {
  ...dayParams,
  filtering: filterParams.filtering,
  action_attribution_windows: windowsParam,
  fields: param.custom(readSelection),
  level: param.word(levels, { fault: `level must be one of the following values: ${levels.join(', ')}` }),
}

export interface InsightsQuery {
  readonly account: Account
  readonly level: RowLevel
  readonly spans: readonly Days[]
  readonly fields: readonly string[]
  readonly windows: readonly string[]
  readonly today: number
  /** The ads that it covers. */
  readonly ads: readonly Node[]
}

export function readInsightsQuery(
  world: World,
  account: Account,
  /** The level of the object that was asked, and which of the ads are below it. */
  { own, among }: { own: RowLevel; among: Filter },
  args: param.ArgsOf<typeof insightsParams>,
): InsightsQuery {
  const level = args.level ?? own
  const usual = ['account_id', ...(level === 'account' ? [] : ['campaign_id']), 'impressions', 'spend']
  const fields = args.fields?.length ? args.fields.map(({ name }) => name) : usual
  const nothing = { account, object: null, since: 0, until: 0, figures: figuresOf([], 0, 0, 0), windows: [] }
  const columns = [...Object.keys(rowRecord(nothing)), ...emptyFields.row]
  const unknown = fields.find((name) => !columns.includes(name))
  if (unknown !== undefined)
    refuse(
      invalidParameter(
        `${unknown} is not valid for fields param. please check https://developers.facebook.com/docs/marketing-api/reference/ads-insights/ for all valid values`,
      ),
    )
  const today = accountDay(world.now(), account)
  const filter = insightsFilter(args)
  return {
    account,
    level,
    spans: cut(readDays(args, today), args.time_increment),
    fields,
    windows: args.action_attribution_windows ?? [],
    today,
    ads: deliveringAds(world, account).filter((ad) => among(ad) && filter(ad)),
  }
}

/** Rows times days: the weight of an answer. */
export function weightOf({ level, spans, ads }: InsightsQuery): number {
  const days = spans.reduce((sum, { since, until }) => sum + until - since + 1, 0)
  return days * Math.ceil({ ad: ads.length, adset: ads.length / 3, campaign: ads.length / 9, account: 1 }[level])
}

/** Each object in each period; only delivered ones have a row. */
export function rowsOf({ account, level, spans, fields, windows, today, ads }: InsightsQuery): Rows<Row> {
  const groups = new Map<string, { readonly object: Node | null; readonly ads: Node[] }>()
  for (const ad of ads) {
    const object = level === 'account' ? null : ad.above(level)!
    const group = groups.get(object?.id ?? '')
    if (group === undefined) groups.set(object?.id ?? '', { object, ads: [ad] })
    else group.ads.push(ad)
  }
  const objects = [...groups.values()]
  return {
    length: spans.length * objects.length,
    at(place) {
      const { since, until } = spans[Math.floor(place / objects.length)]!
      const { object, ads } = objects[place % objects.length]!
      const figures = figuresOf(ads, since, until, today)
      return figures.days === 0 ? undefined : { place, account, object, since, until, figures, fields, windows }
    },
  }
}
