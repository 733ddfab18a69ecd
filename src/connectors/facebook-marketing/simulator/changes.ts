/** Changes on demand: what a person does in the ads manager, and states of the system itself. */
import { type Change, type ChangeSet, setting, settingsChange } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import type { Graph } from './graph.ts'
import { runManners } from './report-runs.ts'
import type { NodeKind } from './world.ts'

const creatable: readonly NodeKind[] = ['campaign', 'adset', 'ad', 'creative', 'video', 'conversion', 'image']

export function changesOf(world: Graph, access: Access): ChangeSet {
  /** Changes fields of the object that is named. */
  function edit({ id }: Change, fields: Readonly<Record<string, unknown>>) {
    const target = world.find(String(id)) ?? world.account(String(id).replace(/^act_/, ''))
    if (target === undefined) throw new Error(`There is no object ${String(id)}.`)
    world.change(target, fields)
    return { id: target.id }
  }

  return {
    update: {
      does: 'Sets fields of a campaign, ad set, ad, creative, video, conversion or ad account; null empties a field. updated_time moves.',
      example: { id: '120200000000000207', fields: { name: 'Renamed', status: 'PAUSED' } },
      make: (change) => edit(change, fieldsOf(change)),
    },
    delete: {
      does: 'Deletes a campaign, ad set or ad: lists leave it out, its id stays readable.',
      example: { id: '120200000000000207' },
      make: (change) => edit(change, { status: 'DELETED' }),
    },
    create: {
      does: 'Adds a campaign, adset, ad, creative, video, conversion or image to an account; it stands first in its list.',
      example: { kind: 'ad', account_id: '1015204788120000', fields: { name: 'New' } },
      make(change) {
        const account = world.account(String(change.account_id).replace(/^act_/, ''))
        const kind = creatable.find((one) => one === change.kind)
        if (account === undefined || kind === undefined)
          throw new Error(`Give account_id of an account that exists, and kind as one of ${creatable.join(', ')}.`)
        return { id: world.add(kind, account, { status: 'ACTIVE', ...fieldsOf(change) }).id }
      },
    },
    break_token: {
      does: 'Makes a token unusable with code 190 and this subcode (460 password changed, 463 expired, 458 application removed).',
      example: { token: 'EAAM…', subcode: 460 },
      make: ({ token, subcode = 460 }) => access.mark(String(token), Number(subcode)),
    },
    break_creative: {
      does: 'Leaves a creative incomplete: every page and get that holds more of it than its id is refused (100, 2446289); whole again with broken: false.',
      example: { id: '120500000000000207' },
      make: (change) => edit(change, { incomplete: change.broken !== false }),
    },
    mend_token: {
      does: 'Makes it usable again.',
      example: { token: 'EAAM…' },
      make: ({ token }) => access.mark(String(token), undefined),
    },
    report_runs: {
      does: `How report runs go from now on: ${runManners.join(', ')}.`,
      example: { manner: 'failed' },
      make(change) {
        const manner = runManners.find((one) => one === change.manner)
        if (manner === undefined) throw new Error(`Give manner as one of ${runManners.join(', ')}.`)
        world.runs.manner = manner
        return { manner }
      },
    },
    pages: settingsChange(
      { weight: setting(world.settings, 'weight'), short: setting(world.settings, 'shortPages') },
      'They are how much one page can hold (records times fields), and whether pages come shorter than asked for.',
    ),
  }
}

function fieldsOf({ fields = {} }: Change): Readonly<Record<string, unknown>> {
  if (typeof fields !== 'object' || fields === null) throw new Error('Give fields as an object.')
  return fields as Record<string, unknown>
}
