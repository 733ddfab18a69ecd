/** Ad creatives: the texts and pictures of ads. */
import { type AnswerPage, entity, id, list, nullable, object, searchableFields, text } from '../../kit/connector.ts'
import { furtherCreative } from './creative-fields.ts'
import { ofAccount } from './fields.ts'
import { asSent, shared } from './on-request.ts'
import { libraryStream } from './streams.ts'

const record = {
  id: id(),
  name: nullable(text()),
  account_id: nullable(text()),
  actor_id: nullable(text()),
  // Body, title and link are often absent, because object_story_spec contains them.
  body: nullable(text()),
  call_to_action_type: nullable(text()),
  effective_object_story_id: nullable(text()),
  image_hash: nullable(text()),
  image_url: nullable(text('A signed address that expires after days.')),
  link_url: nullable(text()),
  object_story_id: nullable(text()),
  object_story_spec: nullable(object()),
  object_type: nullable(text()),
  status: nullable(text()),
  thumbnail_url: nullable(text('A signed address that expires after days.')),
  title: nullable(text()),
  url_tags: nullable(text()),
} as const

/** A creative where it is part of another record. */
export const creative = shared('Creative', { ...asSent(record), ...furtherCreative })

const searchable = searchableFields(record, [
  'id',
  'name',
  'account_id',
  'body',
  'title',
  'status',
  'image_url',
  'thumbnail_url',
  'link_url',
  'call_to_action_type',
])

/**
 * An incomplete creative fails its page (code 100, subcode 2446289) unless the request asks only for ids. The copy
 * finds an account's creatives by `account_id`, which Conex knows here.
 */
const idAlone: AnswerPage = async ({ read, params: { account_id }, query }) => {
  const answer = await read({ path: `/act_${account_id}/adcreatives`, query: { ...query, fields: 'id', limit: '1' } })
  const { data, ...rest } = (answer ?? {}) as { readonly data?: unknown }
  if (!Array.isArray(data) || !query.fields?.split(',').includes('account_id')) return answer
  return { ...rest, data: data.map((creative) => ({ account_id, ...creative })) }
}

export const adCreatives = entity({
  description: 'Creatives of an ad account.',
  list: list({
    ...ofAccount(record, furtherCreative),
    description: 'List the creatives of an ad account.',
    path: '/act_{account_id}/adcreatives',
    stepOver: idAlone,
  }),
  searchable,
  sync: libraryStream({ edge: 'adcreatives', record, searchable, limit: 50, node: true, stepOver: idAlone }),
})
