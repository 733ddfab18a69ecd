/** Videos in the library of an ad account. */
import {
  array,
  arrayOf,
  boolean,
  entity,
  id,
  integer,
  list,
  nullable,
  number,
  objectOf,
  type ReshapeContext,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { ofAccount } from './fields.ts'
import { libraryStream } from './streams.ts'
import { furtherVideo } from './video-fields.ts'

const record = {
  id: id(),
  title: nullable(text()),
  account_id: nullable(text()),
  ad_breaks: nullable(array()),
  backdated_time: nullable(text()),
  backdated_time_granularity: nullable(text()),
  content_category: nullable(text()),
  content_tags: nullable(array()),
  created_time: nullable(text()),
  custom_labels: nullable(array()),
  description: nullable(text()),
  embed_html: nullable(text()),
  embeddable: nullable(boolean()),
  format: nullable(
    arrayOf(
      objectOf({
        filter: nullable(text()),
        embed_html: nullable(text()),
        picture: nullable(text()),
        width: nullable(integer()),
        height: nullable(integer()),
      }),
    ),
  ),
  icon: nullable(text()),
  is_crosspost_video: nullable(boolean()),
  is_crossposting_eligible: nullable(boolean()),
  is_episode: nullable(boolean()),
  is_partner_eligible: nullable(boolean('is_instagram_eligible at Meta.')),
  length: nullable(number('Seconds.')),
  live_status: nullable(text()),
  permalink_url: nullable(text()),
  post_views: nullable(integer()),
  premiere_living_room_status: nullable(boolean()),
  published: nullable(boolean()),
  scheduled_publish_time: nullable(text()),
  source: nullable(text('An address that expires.')),
  universal_video_id: nullable(text()),
  updated_time: nullable(text()),
  views: nullable(integer()),
} as const

const searchable = searchableFields(record, [
  'id',
  'title',
  'account_id',
  'description',
  'source',
  'permalink_url',
  'created_time',
  'updated_time',
  'length',
  'views',
])

export const videos = entity({
  description: 'Videos of an ad account.',
  list: list({
    // Reference of Video: it has no account_id, and Meta's word for partner is the product's name.
    ...ofAccount(record, furtherVideo, { names: { is_partner_eligible: 'is_instagram_eligible', account_id: null } }),
    description: 'List the videos of an ad account.',
    path: '/act_{account_id}/advideos',
    reshape: (found, context) => found.map((video) => inOurWords(video, context)),
  }),
  searchable,
  sync: libraryStream({
    edge: 'advideos',
    record,
    searchable,
    selection: { names: { account_id: null } },
    reshape: (found, context) => found.map((video) => inOurWords(video, context)),
    // A video does not name its account, so a single one would lose it.
    node: false,
  }),
})

function inOurWords(found: unknown, { params, asked }: ReshapeContext): unknown {
  if (typeof found !== 'object' || found === null) return found
  const video = { ...found } as Record<string, unknown>
  const wanted = (name: string): boolean => (asked === undefined || asked.has(name)) && video[name] === undefined
  if (wanted('account_id')) video.account_id = params.account_id
  if (wanted('is_partner_eligible') && 'is_instagram_eligible' in video)
    video.is_partner_eligible = video.is_instagram_eligible
  // Text in the SDK's field list: any status means that there is a premiere.
  const premiere = video.premiere_living_room_status
  if (typeof premiere === 'string' && !/^(true|false)$/i.test(premiere))
    video.premiere_living_room_status = premiere === '' ? null : true
  return video
}
