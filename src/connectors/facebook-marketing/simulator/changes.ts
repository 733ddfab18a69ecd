/** Changes on demand: what a person does in the ads manager, and states of the system itself. */
import type { Change, ChangeHelp } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import type { EdgeOptions } from './edges.ts'
import { type ReportRuns, runManners } from './report-runs.ts'
import type { NodeKind, World } from './world.ts'

export const changeHelp: readonly ChangeHelp[] = [
  {
    change: 'update',
    does: 'Sets fields of a campaign, ad set, ad, creative, video or conversion, or the name of an ad account; null empties a field. updated_time moves.',
    example: { change: 'update', id: '120200000000000207', fields: { name: 'Renamed', status: 'PAUSED' } },
  },
  {
    change: 'delete',
    does: 'Deletes a campaign, ad set or ad: lists leave it out, its id stays readable.',
    example: { change: 'delete', id: '120200000000000207' },
  },
  {
    change: 'create',
    does: 'Adds a campaign, adset, ad, creative, video, conversion or image to an account; it stands first in its list.',
    example: { change: 'create', kind: 'ad', account_id: '1015204788120000', fields: { name: 'New' } },
  },
  {
    change: 'break_token',
    does: 'Makes a token unusable with code 190 and this subcode (460 password changed, 463 expired, 458 application removed).',
    example: { change: 'break_token', token: 'EAAM…', subcode: 460 },
  },
  {
    change: 'break_creative',
    does: 'Leaves a creative incomplete: every page and get that holds more of it than its id is refused (100, 2446289); whole again with broken: false.',
    example: { change: 'break_creative', id: '120500000000000207' },
  },
  { change: 'mend_token', does: 'Makes it usable again.', example: { change: 'mend_token', token: 'EAAM…' } },
  {
    change: 'report_runs',
    does: `How report runs go from now on: ${runManners.join(', ')}.`,
    example: { change: 'report_runs', manner: 'failed' },
  },
  {
    change: 'pages',
    does: 'Sets how much one page can hold (records times fields), and whether pages come shorter than asked for.',
    example: { change: 'pages', weight: 100, short: true },
  },
]

export interface Changeable {
  readonly world: World
  readonly access: Access
  readonly runs: ReportRuns
  readonly options: EdgeOptions
  now(): number
}

const creatable: readonly NodeKind[] = ['campaign', 'adset', 'ad', 'creative', 'video', 'conversion', 'image']

export function makeChange(change: Change, { world, access, runs, options, now }: Changeable): Record<string, unknown> {
  switch (change.change) {
    case 'update': {
      const node = nodeBy(change.id, world)
      world.change(node, fieldsOf(change.fields), now())
      return { id: node.id }
    }
    case 'delete': {
      const node = nodeBy(change.id, world)
      world.change(node, { status: 'DELETED' }, now())
      return { id: node.id }
    }
    case 'create': {
      const account = world.account(String(change.account_id).replace(/^act_/, ''))
      const kind = creatable.find((one) => one === change.kind)
      if (account === undefined || kind === undefined)
        throw new Error(`Give account_id of an account that exists, and kind as one of ${creatable.join(', ')}.`)
      const node = world.add(kind, account, { status: 'ACTIVE', ...fieldsOf(change.fields) }, now())
      return { id: node.id }
    }
    case 'break_creative': {
      const node = nodeBy(change.id, world)
      world.change(node, { incomplete: change.broken !== false }, now())
      return { id: node.id }
    }
    case 'break_token':
      access.breakToken(String(change.token), Number(change.subcode ?? 460))
      return {}
    case 'mend_token':
      access.mendToken(String(change.token))
      return {}
    case 'report_runs': {
      const manner = runManners.find((one) => one === change.manner)
      if (manner === undefined) throw new Error(`Give manner as one of ${runManners.join(', ')}.`)
      runs.manner = manner
      return { manner }
    }
    case 'pages':
      if (change.weight !== undefined) options.weight = Number(change.weight)
      if (change.short !== undefined) options.shortPages = change.short === true
      return { ...options }
    default:
      throw new Error(
        `There is no change "${change.change}"; there are ${changeHelp.map((one) => one.change).join(', ')}.`,
      )
  }
}

function nodeBy(id: unknown, world: World) {
  const node = world.find(String(id)) ?? world.account(String(id).replace(/^act_/, ''))
  if (node === undefined) throw new Error(`There is no object ${String(id)}.`)
  return node
}

function fieldsOf(fields: unknown): Record<string, unknown> {
  if (fields === undefined) return {}
  if (typeof fields !== 'object' || fields === null) throw new Error('Give fields as an object.')
  return fields as Record<string, unknown>
}
