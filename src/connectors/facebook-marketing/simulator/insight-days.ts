/** The days of an insights call, and how they are divided into rows. */
import type { Params } from './params.ts'
import { invalidParameter, refuse } from './replies.ts'
import { day, dayOf } from './times.ts'

export interface Days {
  readonly since: number
  readonly until: number
}

const presets = [
  'today',
  'yesterday',
  'this_month',
  'last_month',
  'this_quarter',
  'maximum',
  'data_maximum',
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
]

const monthsKept = 37

/** A range overrides a preset; without both, the last 30 days. */
export function readDays(params: Params, today: number): Days {
  const range = params.json('time_range') as { since?: unknown; until?: unknown } | undefined
  if (range !== undefined) return readRange(range, today)
  const preset = params.get('date_preset') ?? 'last_30d'
  if (!presets.includes(preset))
    refuse(invalidParameter(`date_preset must be one of the following values: ${presets.join(', ')}`))
  return daysOf(preset, today)
}

function readRange(range: { since?: unknown; until?: unknown } | null, today: number): Days {
  const since = dayOf(String(range?.since))
  const until = dayOf(String(range?.until))
  if (since === undefined || until === undefined)
    refuse(invalidParameter("Must be a date representation in the format YYYY-MM-DD for param 'time_range'"))
  if (until < since) refuse(invalidParameter('time_range: since must be before until'))
  if (since < firstKept(today))
    refuse({
      code: 3018,
      message: '(#3018) The start date of the time range cannot be beyond 37 months from the current date',
    })
  return { since, until: Math.min(until, today) }
}

export const firstKept = (today: number): number => monthStart(today, -monthsKept) + dayOfMonth(today) - 1

function daysOf(preset: string, today: number): Days {
  const weekday = new Date(today * day).getUTCDay()
  const monday = today - ((weekday + 6) % 7)
  const sunday = today - weekday
  const last = /^last_(\d+)d$/.exec(preset)
  if (last !== null) return { since: today - Number(last[1]), until: today - 1 }
  switch (preset) {
    case 'today':
      return { since: today, until: today }
    case 'yesterday':
      return { since: today - 1, until: today - 1 }
    case 'this_month':
      return { since: monthStart(today, 0), until: today }
    case 'last_month':
      return { since: monthStart(today, -1), until: monthStart(today, 0) - 1 }
    case 'this_quarter':
      return { since: quarterStart(today, 0), until: today }
    case 'last_quarter':
      return { since: quarterStart(today, -1), until: quarterStart(today, 0) - 1 }
    case 'this_year':
      return { since: yearStart(today, 0), until: today }
    case 'last_year':
      return { since: yearStart(today, -1), until: yearStart(today, 0) - 1 }
    case 'this_week_mon_today':
      return { since: monday, until: today }
    case 'this_week_sun_today':
      return { since: sunday, until: today }
    case 'last_week_mon_sun':
      return { since: monday - 7, until: monday - 1 }
    case 'last_week_sun_sat':
      return { since: sunday - 7, until: sunday - 1 }
    default:
      return { since: firstKept(today) + 1, until: today }
  }
}

/** Periods of one row each: the whole, a number of days, or calendar months. */
export function cut({ since, until }: Days, increment: string | undefined): Days[] {
  if (increment === undefined || increment === 'all_days') return [{ since, until }]
  if (increment !== 'monthly' && !/^([1-9]|[1-8]\d|90)$/.test(increment))
    refuse(invalidParameter('time_increment must be between 1 and 90, or monthly, or all_days'))
  const spans: Days[] = []
  for (let start = since; start <= until; ) {
    const end = increment === 'monthly' ? monthStart(start, 1) - 1 : start + Number(increment) - 1
    spans.push({ since: start, until: Math.min(end, until) })
    start = end + 1
  }
  return spans
}

const dayOfMonth = (dayNumber: number): number => new Date(dayNumber * day).getUTCDate()

function startAt(dayNumber: number, month: (date: Date) => [year: number, month: number]): number {
  return Date.UTC(...month(new Date(dayNumber * day)), 1) / day
}

const monthStart = (dayNumber: number, months: number): number =>
  startAt(dayNumber, (date) => [date.getUTCFullYear(), date.getUTCMonth() + months])

const quarterStart = (dayNumber: number, quarters: number): number =>
  startAt(dayNumber, (date) => [date.getUTCFullYear(), (Math.floor(date.getUTCMonth() / 3) + quarters) * 3])

const yearStart = (dayNumber: number, years: number): number =>
  startAt(dayNumber, (date) => [date.getUTCFullYear() + years, 0])
