/** Insights: the delivery and cost of ads, and what people did after seeing them. */
import {
  arrayOf,
  entity,
  integer,
  list,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type Params,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { accountId, bareAccountId, closedFields, fields, pagesDownTo, select } from './fields.ts'
import { furtherInsights } from './insight-fields.ts'
import { reportRun } from './report-run.ts'
import { insightsStream } from './streams.ts'
import { isRange, readRange } from './time-range.ts'

/** Actions of people, by kind. Each attribution window counts separately, and is absent if it counted nothing. */
const actions = nullable(
  arrayOf(
    objectOf({
      action_type: nullable(text()),
      action_destination: nullable(text()),
      action_target_id: nullable(text()),
      value: nullable(number()),
      '1d_click': nullable(number()),
      '7d_click': nullable(number()),
      '28d_click': nullable(number()),
      '1d_view': nullable(number()),
      '7d_view': nullable(number()),
      '28d_view': nullable(number()),
    }),
  ),
)

const record = {
  account_id: nullable(text()),
  account_name: nullable(text()),
  campaign_id: nullable(text('Null above the level of campaigns, like the other ids and names above their level.')),
  campaign_name: nullable(text()),
  adset_id: nullable(text()),
  adset_name: nullable(text()),
  ad_id: nullable(text()),
  ad_name: nullable(text()),
  clicks: nullable(integer()),
  impressions: nullable(integer()),
  reach: nullable(integer()),
  spend: nullable(number('In the account’s currency, not in its smallest unit.')),
  cpc: nullable(number('Null without clicks.')),
  cpm: nullable(number()),
  ctr: nullable(number('Percent.')),
  date_start: nullable(text()),
  date_stop: nullable(text()),
  actions,
  action_values: actions,
} as const

const presets = [
  'today',
  'yesterday',
  'this_month',
  'last_month',
  'this_quarter',
  'maximum',
  'last_3d',
  'last_7d',
  'last_14d',
  'last_28d',
  'last_30d',
  'last_90d',
  'last_week_mon_sun',
  'last_week_sun_sat',
  'last_quarter',
  'last_year',
  'this_week_mon_today',
  'this_week_sun_today',
  'this_year',
] as const

const searchable = searchableFields(record, [
  'account_id',
  'account_name',
  'campaign_id',
  'campaign_name',
  'adset_id',
  'adset_name',
  'ad_id',
  'ad_name',
  'date_start',
  'date_stop',
  'clicks',
  'impressions',
  'reach',
  'spend',
  'cpc',
  'cpm',
  'ctr',
  'actions',
  'action_values',
])

export const adsInsights = entity({
  description: 'Statistics of an ad account by ad, ad set, campaign or in total.',
  list: list({
    description:
      'List the statistics of an ad account: one row per object that delivered, by default for the last 30 days.',
    path: '/act_{account_id}/insights',
    params: {
      account_id: accountId,
      fields,
      date_preset: optional(
        oneOf(presets, 'The days to sum up, in the time zone of the account; time_range overrides it.'),
      ),
      time_range: optional(text('The days as JSON: {"since":"YYYY-MM-DD","until":"YYYY-MM-DD"}, both days included.')),
      level: optional(oneOf(['ad', 'adset', 'campaign', 'account'], 'The object of a row; account by default.')),
    },
    rules: [closedFields, isRange],
    prepare: async (params) => withPlainRange(await bareAccountId(params)),
    // Meta returns the keys of the windows only on request; 7d_view and 28d_view no longer (changes of January 2026).
    fixedQuery: { action_attribution_windows: '["1d_click","7d_click","28d_click","1d_view"]' },
    select: select(record),
    paging: pagesDownTo(10),
    detour: reportRun,
    recordsAt: ['data'],
    record: { ...record, ...furtherInsights },
    scopes: ['ads_read'],
  }),
  searchable,
  sync: insightsStream(record, searchable, reportRun),
})

/**
 * The range in Graph's form, without the caller's blanks. Graph accepts a preset beside it and ignores that
 * (reference of Ad Account Insights).
 */
function withPlainRange(params: Params): Params {
  const range = readRange(params.time_range)
  if (range === null) return params
  const { date_preset: _, ...others } = params
  return { ...others, time_range: JSON.stringify(range) }
}
