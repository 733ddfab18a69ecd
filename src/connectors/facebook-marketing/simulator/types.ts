/** Types of objects: their names in Graph's complaints, their default fields, and their records. */
import type { Account } from './accounts.ts'
import { adSetRecord } from './ad-sets.ts'
import { adRecord } from './ads.ts'
import { campaignRecord } from './campaigns.ts'
import { accountRecord, type user, userRecord } from './company.ts'
import { emptyFields } from './empty-fields.ts'
import { conversionRecord, creativeRecord, imageRecord, videoRecord } from './library.ts'
import type { FieldsOf } from './record.ts'
import type { Node, NodeKind } from './world.ts'

/** Whatever has fields. */
export type Thing = Node | Account | typeof user

interface Type<T> {
  readonly name: string
  readonly record: FieldsOf<T>
  /** Shown without a request for fields. */
  readonly usual: readonly string[]
  /** Fields that Graph knows beside those of the record. */
  readonly empty: ReadonlySet<string>
}

const type = <T>(
  name: string,
  record: FieldsOf<T>,
  usual: readonly string[],
  empty: readonly string[] = [],
): Type<T> => ({
  name,
  record,
  usual,
  empty: new Set(empty),
})

const nodeTypes: Readonly<Record<NodeKind, Type<Node>>> = {
  campaign: type('AdCampaignGroup', campaignRecord, ['id'], emptyFields.campaign),
  adset: type('AdCampaign', adSetRecord, ['id'], emptyFields.adset),
  ad: type('AdGroup', adRecord, ['id'], emptyFields.ad),
  creative: type('AdCreative', creativeRecord, ['id'], emptyFields.creative),
  image: type('AdImage', imageRecord, ['hash', 'id']),
  video: type('Video', videoRecord, ['created_time', 'id'], emptyFields.video),
  conversion: type('CustomConversion', conversionRecord, ['id'], emptyFields.conversion),
}

const types = {
  user: type('User', userRecord, ['name', 'id'], emptyFields.user),
  account: type('AdAccount', accountRecord, ['account_id', 'id'], emptyFields.account),
  ...nodeTypes,
}

export const typeOf = (kind: Thing['kind']) => types[kind] as Type<Thing>
