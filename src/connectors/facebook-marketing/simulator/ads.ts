/** Ads. */
import { targetingOf } from './ad-sets.ts'
import { pageId, pixelId } from './company.ts'
import { commonFields, type FieldsOf, refer } from './record.ts'
import { formats, oddNames, products } from './words.ts'
import type { Node } from './world.ts'

export function adName(ad: Node): string {
  const { name } = ad.changes
  if (typeof name === 'string') return name
  if (ad.index > 0 && ad.oneIn('odd', 53)) return ad.pick('odd name', oddNames)
  return `${ad.pick('product', products)}, ${ad.pick('format', formats)} v${1 + (ad.index % 3)}`
}

const advice = {
  title: 'Creative fatigue',
  message: 'People have seen this ad often; show them another one.',
  code: 1942025,
  importance: 'HIGH',
  confidence: 'MEDIUM',
  blame_field: 'creative',
}

export const adRecord: FieldsOf<Node> = (ad) => {
  const { adset, campaign } = ad
  const hasBid = ad.oneIn('bid', 20)
  const copied = ad.index > 0 && ad.oneIn('copy', 7) ? ad.other('ad', ad.index - 1) : undefined
  // Keys with dots, as Meta has them.
  const converts = { 'action.type': ['offsite_conversion'], fb_pixel: [pixelId] }
  const engages = { page: [pageId], post: [String(660_000_000_000 + ad.index)], 'post.wall': [pageId] }
  return {
    ...commonFields(ad),
    name: adName(ad),
    adset: refer(adset),
    adset_id: adset.id,
    bid_amount: hasBid ? 500 : undefined,
    bid_info: hasBid ? { ACTIONS: 500 } : undefined,
    bid_type: 'ABSOLUTE_OCPM',
    campaign: refer(campaign),
    campaign_id: campaign.id,
    conversion_specs: [converts],
    creative: refer(ad.creative),
    last_updated_by_app_id: '119211728144504',
    recommendations: ad.oneIn('advice', 11) ? [advice] : undefined,
    source_ad: refer(copied),
    source_ad_id: copied?.id ?? '0',
    targeting: targetingOf(adset),
    tracking_specs: [
      converts,
      { 'action.type': ['post_engagement'], ...engages },
      ...(ad.oneIn('app', 5) ? [{ 'action.type': ['link_click'], 'post.wall': [pageId] }] : []),
    ],
  }
}
