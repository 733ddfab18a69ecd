/** Actions of people after seeing ads, by attribution window. */
import { param } from '../../../kit/simulator.ts'
import type { Figures } from './delivery.ts'
import { readJson } from './filters.ts'

const known = ['1d_view', '7d_view', '28d_view', '1d_click', '7d_click', '28d_click', '1d_ev', 'dda', 'default']

/** Requests for 7d_view and 28d_view are valid, but have had no answer since January 2026. */
export const windowsParam = param.custom(
  (given) => {
    const windows = readJson(given)
    return Array.isArray(windows) && windows.every((one) => known.includes(one)) ? (windows as string[]) : undefined
  },
  { fault: `action_attribution_windows[0] must be one of the following values: ${known.join(', ')}` },
)

/** The share of the default number that each window sees, in percent. */
const shares: Readonly<Record<string, number>> = { '1d_click': 55, '7d_click': 90, '28d_click': 110, '1d_view': 10 }

type Action = Readonly<Record<string, string>>

/** Absent if there are none. */
export function actionsOf({ linkClicks, purchases, views }: Figures, windows: readonly string[]): Action[] | undefined {
  const counts = {
    link_click: linkClicks,
    landing_page_view: Math.floor(linkClicks * 0.8),
    video_view: views,
    'offsite_conversion.fb_pixel_purchase': purchases,
    omni_purchase: purchases,
  }
  return list(counts, windows, String)
}

export const valuesOf = ({ revenue }: Figures, windows: readonly string[], write: (amount: number) => string) =>
  list({ 'offsite_conversion.fb_pixel_purchase': revenue, omni_purchase: revenue }, windows, write)

function list(
  amounts: Readonly<Record<string, number>>,
  windows: readonly string[],
  write: (amount: number) => string,
): Action[] | undefined {
  const happened = Object.entries(amounts).filter(([, amount]) => amount > 0)
  if (happened.length === 0) return undefined
  return happened.map(([type, amount]) => {
    const seen = windows.map((window) => [window, Math.floor((amount * (shares[window] ?? 0)) / 100)] as const)
    const written = seen.filter(([, share]) => share > 0).map(([window, share]) => [window, write(share)])
    return { action_type: type, value: write(amount), ...Object.fromEntries(written) }
  })
}
