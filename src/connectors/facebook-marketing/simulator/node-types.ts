/** Node types: their names in Graph's complaints, their fields, and their default fields. */
import { accountFields } from './account-fields.ts'
import type { Account } from './accounts.ts'
import { adFields } from './ad-fields.ts'
import { adSetFields } from './ad-set-fields.ts'
import { campaignFields } from './campaign-fields.ts'
import type { FieldTable } from './field-table.ts'
import { conversionFields, creativeFields, imageFields, videoFields } from './library-fields.ts'
import type { Node, NodeKind } from './world.ts'

export interface NodeType<T> {
  readonly name: string
  readonly fields: FieldTable<T>
  readonly usual: readonly string[]
}

export const accountType: NodeType<Account> = { name: 'AdAccount', fields: accountFields, usual: ['account_id', 'id'] }

export const nodeTypes: Readonly<Record<NodeKind, NodeType<Node>>> = {
  campaign: { name: 'AdCampaignGroup', fields: campaignFields, usual: ['id'] },
  adset: { name: 'AdCampaign', fields: adSetFields, usual: ['id'] },
  ad: { name: 'AdGroup', fields: adFields, usual: ['id'] },
  creative: { name: 'AdCreative', fields: creativeFields, usual: ['id'] },
  image: { name: 'AdImage', fields: imageFields, usual: ['hash', 'id'] },
  video: { name: 'Video', fields: videoFields, usual: ['created_time', 'id'] },
  conversion: { name: 'CustomConversion', fields: conversionFields, usual: ['id'] },
}
