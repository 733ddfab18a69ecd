/** The statuses of campaigns, ad sets and ads. */
import type { Node, World } from './world.ts'

export type OwnStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED' | 'DELETED'

/** The values that each level knows; a value of another level is refused. */
export const statusesOf = {
  campaign: ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES'],
  adset: ['ACTIVE', 'PAUSED', 'CAMPAIGN_PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES'],
  ad: [
    'ACTIVE',
    'PAUSED',
    'CAMPAIGN_PAUSED',
    'ADSET_PAUSED',
    'ARCHIVED',
    'DELETED',
    'DISAPPROVED',
    'IN_PROCESS',
    'PENDING_BILLING_INFO',
    'PENDING_REVIEW',
    'PREAPPROVED',
    'WITH_ISSUES',
  ],
} as const

/** The owner's setting: `configured_status` and `status`. */
export function ownStatus(world: World, node: Node): OwnStatus {
  const set = world.changesOf(node).status
  if (typeof set === 'string') return set as OwnStatus
  // The newest of each account run, so that there is something to see at any scale.
  if (node.index === 0) return 'ACTIVE'
  const drawn = world.draw('status', node) % 100
  return drawn < 62 ? 'ACTIVE' : drawn < 84 ? 'PAUSED' : drawn < 95 ? 'ARCHIVED' : 'DELETED'
}

/** The effective status, which depends on the parents. */
export function effectiveStatus(world: World, node: Node): string {
  const own = ownStatus(world, node)
  if (own === 'DELETED' || own === 'ARCHIVED') return own
  if (node.kind === 'campaign') return own === 'ACTIVE' && issueOf(world, node) ? 'WITH_ISSUES' : own
  const parent = node.kind === 'ad' ? world.adsetOf(node) : world.campaignOf(node)
  const above = effectiveStatus(world, parent)
  if (above === 'DELETED' || above === 'ARCHIVED' || above === 'CAMPAIGN_PAUSED') return above
  if (above === 'PAUSED') return node.kind === 'ad' ? 'ADSET_PAUSED' : 'CAMPAIGN_PAUSED'
  if (own === 'PAUSED') return own
  if (node.kind === 'ad' && node.index > 0) {
    const drawn = world.draw('review', node) % 50
    if (drawn === 0) return 'DISAPPROVED'
    if (drawn === 1) return 'PENDING_REVIEW'
  }
  return 'ACTIVE'
}

/** Whether Meta found a fault with a campaign. */
export const issueOf = (world: World, campaign: Node): boolean =>
  campaign.index > 0 && world.draw('issue', campaign) % 23 === 0
