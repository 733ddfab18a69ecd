/** The fields of ads. */

import { adSetFields, pixelId } from './ad-set-fields.ts'
import { labelsOf } from './campaign-fields.ts'
import { drawn, empty, type FieldTable, oneIn, Reference } from './field-table.ts'
import { effectiveStatus, ownStatus } from './statuses.ts'
import { accountTime } from './times.ts'
import { unsetAdFields } from './unset-fields.ts'
import { formats, oddNames, products } from './vocabulary.ts'
import type { Node, World } from './world.ts'

export const adName = (ad: Node, world: World): string => {
  const set = world.changesOf(ad).name
  if (typeof set === 'string') return set
  if (ad.index > 0 && oneIn(world, 'odd', ad, 53)) return drawn(world, 'odd name', ad, oddNames)
  return `${drawn(world, 'product', ad, products)}, ${drawn(world, 'format', ad, formats)} v${1 + (ad.index % 3)}`
}

/** The ad that it was copied from. */
const sourceOf = (ad: Node, world: World): Node | undefined =>
  ad.index > 0 && oneIn(world, 'copy', ad, 7) ? world.node('ad', ad.account, ad.index - 1) : undefined

export const adFields: FieldTable<Node> = {
  ...unsetAdFields,
  id: ({ id }) => id,
  name: adName,
  account_id: ({ account }) => account.id,
  account: ({ account }) => new Reference(account),
  adlabels: labelsOf,
  adset: (ad, world) => new Reference(world.adsetOf(ad)),
  adset_id: (ad, world) => world.adsetOf(ad).id,
  bid_amount: (ad, world) => (oneIn(world, 'bid', ad, 20) ? 500 : undefined),
  bid_info: (ad, world) => (oneIn(world, 'bid', ad, 20) ? { ACTIONS: 500 } : undefined),
  bid_type: () => 'ABSOLUTE_OCPM',
  campaign: (ad, world) => new Reference(world.campaignOf(ad)),
  campaign_id: (ad, world) => world.campaignOf(ad).id,
  configured_status: (ad, world) => ownStatus(world, ad),
  // Keys with dots, as Meta has them.
  conversion_specs: () => [{ 'action.type': ['offsite_conversion'], fb_pixel: [pixelId] }],
  created_time: (ad, world) => accountTime(world.createdAt(ad), ad.account),
  creative: (ad, world) => new Reference(world.creativeOf(ad)),
  demolink_hash: empty,
  effective_status: (ad, world) => effectiveStatus(world, ad),
  issues_info: empty,
  last_updated_by_app_id: () => '119211728144504',
  preview_shareable_link: empty,
  recommendations: (ad, world) =>
    oneIn(world, 'advice', ad, 11)
      ? [
          {
            title: 'Creative fatigue',
            message: 'People have seen this ad often; show them another one.',
            code: 1942025,
            importance: 'HIGH',
            confidence: 'MEDIUM',
            blame_field: 'creative',
          },
        ]
      : undefined,
  source_ad: (ad, world) => {
    const source = sourceOf(ad, world)
    return source && new Reference(source)
  },
  source_ad_id: (ad, world) => sourceOf(ad, world)?.id ?? '0',
  status: (ad, world) => ownStatus(world, ad),
  targeting: (ad, world) => adSetFields.targeting!(world.adsetOf(ad), world),
  tracking_specs: (ad, world) => [
    { 'action.type': ['offsite_conversion'], fb_pixel: [pixelId] },
    {
      'action.type': ['post_engagement'],
      page: ['108234567890123'],
      post: [String(660_000_000_000 + ad.index)],
      'post.wall': ['108234567890123'],
    },
    ...(oneIn(world, 'app', ad, 5) ? [{ 'action.type': ['link_click'], 'post.wall': ['108234567890123'] }] : []),
  ],
  updated_time: (ad, world) => accountTime(world.updatedAt(ad), ad.account),
}
