/** Actions of people after seeing ads, by attribution window. */
import type { Figures } from './delivery.ts'
import type { Params } from './params.ts'
import { invalidParameter, refuse } from './replies.ts'

const known = ['1d_view', '7d_view', '28d_view', '1d_click', '7d_click', '28d_click', '1d_ev', 'dda', 'default']

/** The requested windows. Requests for 7d_view and 28d_view are valid, but have had no answer since January 2026. */
export function readWindows(params: Params): readonly string[] {
  const asked = params.json('action_attribution_windows')
  if (asked === undefined) return []
  if (!Array.isArray(asked)) refuse(invalidParameter('Param action_attribution_windows must be an array.'))
  const unknown = asked.find((window) => !known.includes(String(window)))
  if (unknown !== undefined)
    refuse(invalidParameter(`action_attribution_windows[0] must be one of the following values: ${known.join(', ')}`))
  return asked.map(String)
}

/** The share of the default number that each window sees, in percent. */
const shares: Readonly<Record<string, number>> = { '1d_click': 55, '7d_click': 90, '28d_click': 110, '1d_view': 10 }

type Action = Record<string, string>

/** Absent if there are none. */
export function actionsOf(figures: Figures, windows: readonly string[]): Action[] | undefined {
  const { linkClicks, purchases, views } = figures
  return list(
    [
      ['link_click', linkClicks],
      ['landing_page_view', Math.floor(linkClicks * 0.8)],
      ['video_view', views],
      ['offsite_conversion.fb_pixel_purchase', purchases],
      ['omni_purchase', purchases],
    ],
    windows,
    String,
  )
}

export function valuesOf(
  figures: Figures,
  windows: readonly string[],
  write: (amount: number) => string,
): Action[] | undefined {
  const { revenue } = figures
  return list(
    [
      ['offsite_conversion.fb_pixel_purchase', revenue],
      ['omni_purchase', revenue],
    ],
    windows,
    write,
  )
}

function list(
  actions: readonly (readonly [type: string, amount: number])[],
  windows: readonly string[],
  write: (amount: number) => string,
): Action[] | undefined {
  const happened = actions.filter(([, amount]) => amount > 0)
  if (happened.length === 0) return undefined
  return happened.map(([type, amount]) => {
    const action: Action = { action_type: type, value: write(amount) }
    for (const window of windows) {
      const share = Math.floor((amount * (shares[window] ?? 0)) / 100)
      if (share > 0) action[window] = write(share)
    }
    return action
  })
}
