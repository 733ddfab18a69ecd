/** The days of an insights call, and how they are divided into rows. */
import { param } from '../../../kit/simulator.ts'
import { readJson } from './filters.ts'
import { invalidParameter, refuse } from './replies.ts'
import { day, dayOf } from './times.ts'

export interface Days {
  readonly since: number
  readonly until: number
}

/** The first day of a month, counted from that of a day. */
function monthStart(dayNumber: number, months: number): number {
  const date = new Date(dayNumber * day)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / day
}

const monthOf = (dayNumber: number): number => new Date(dayNumber * day).getUTCMonth()
const quarterStart = (today: number, back: number): number => monthStart(today, -(monthOf(today) % 3) - back * 3)
const yearStart = (today: number, back: number): number => monthStart(today, -monthOf(today) - back * 12)
const sunday = (today: number): number => today - new Date(today * day).getUTCDay()
const monday = (today: number): number => sunday(today - 1) + 1

/** Figures are kept for 37 months. */
const firstKept = (today: number): number => monthStart(today, -37) + new Date(today * day).getUTCDate() - 1

const days = (since: number, until: number): Days => ({ since, until })

/** By name, from today's number; `last_` ones end yesterday or with a whole period. */
const presets: Readonly<Record<string, (today: number) => Days>> = {
  today: (today) => days(today, today),
  yesterday: (today) => days(today - 1, today - 1),
  this_month: (today) => days(monthStart(today, 0), today),
  last_month: (today) => days(monthStart(today, -1), monthStart(today, 0) - 1),
  this_quarter: (today) => days(quarterStart(today, 0), today),
  maximum: (today) => days(firstKept(today) + 1, today),
  data_maximum: (today) => days(firstKept(today) + 1, today),
  ...Object.fromEntries(
    [3, 7, 14, 28, 30, 90].map((count) => [`last_${count}d`, (today: number) => days(today - count, today - 1)]),
  ),
  last_week_mon_sun: (today) => days(monday(today) - 7, monday(today) - 1),
  last_week_sun_sat: (today) => days(sunday(today) - 7, sunday(today) - 1),
  last_quarter: (today) => days(quarterStart(today, 1), quarterStart(today, 0) - 1),
  last_year: (today) => days(yearStart(today, 1), yearStart(today, 0) - 1),
  this_week_mon_today: (today) => days(monday(today), today),
  this_week_sun_today: (today) => days(sunday(today), today),
  this_year: (today) => days(yearStart(today, 0), today),
}

const presetNames = Object.keys(presets)

export interface Range {
  readonly since?: unknown
  readonly until?: unknown
}

const badDate = "Must be a date representation in the format YYYY-MM-DD for param 'time_range'"

export const dayParams = {
  date_preset: param.word(presetNames, {
    fault: `date_preset must be one of the following values: ${presetNames.join(', ')}`,
  }),
  time_range: param.custom((given) => (readJson(given) as Range | null | undefined) ?? undefined, { fault: badDate }),
  time_increment: param.text({
    pattern: /^([1-9]|[1-8]\d|90|monthly|all_days)$/,
    fault: 'time_increment must be between 1 and 90, or monthly, or all_days',
  }),
}

/** A range overrides a preset; without both, the last 30 days. */
export function readDays(args: param.ArgsOf<typeof dayParams>, today: number): Days {
  const { time_range: range, date_preset: preset = 'last_30d' } = args
  if (range === undefined) return presets[preset]!(today)
  const since = dayOf(String(range.since))
  const until = dayOf(String(range.until))
  if (since === undefined || until === undefined) return refuse(invalidParameter(badDate))
  if (until < since) refuse(invalidParameter('time_range: since must be before until'))
  if (since < firstKept(today))
    refuse({
      code: 3018,
      message: '(#3018) The start date of the time range cannot be beyond 37 months from the current date',
    })
  return { since, until: Math.min(until, today) }
}

/** Periods of one row each: the whole, a number of days, or calendar months. */
export function cut({ since, until }: Days, increment = 'all_days'): Days[] {
  if (increment === 'all_days') return [{ since, until }]
  const spans: Days[] = []
  for (let start = since; start <= until; ) {
    const end = increment === 'monthly' ? monthStart(start, 1) - 1 : start + Number(increment) - 1
    spans.push({ since: start, until: Math.min(end, until) })
    start = end + 1
  }
  return spans
}
