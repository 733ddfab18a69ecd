/** Ad creatives: the words and pictures of ads. */
import { entity } from '../../catalog/entity.ts'
import { id, nullable, object, text } from '../../catalog/fields.ts'
import { list } from '../../catalog/operation.ts'
import { ofAccount } from './fields.ts'
import { libraryStream } from './streams.ts'

const record = {
  id: id(),
  name: nullable(text()),
  account_id: nullable(text()),
  actor_id: nullable(text()),
  // Body, title and link are often absent: they then stand in object_story_spec.
  body: nullable(text()),
  call_to_action_type: nullable(text()),
  effective_object_story_id: nullable(text()),
  image_hash: nullable(text()),
  image_url: nullable(text('A signed address that runs out after days.')),
  link_url: nullable(text()),
  object_story_id: nullable(text()),
  object_story_spec: nullable(object()),
  object_type: nullable(text()),
  status: nullable(text()),
  thumbnail_url: nullable(text('A signed address that runs out after days.')),
  title: nullable(text()),
  url_tags: nullable(text()),
} as const

const searchable = {
  id: 'string',
  name: 'string',
  account_id: 'string',
  body: 'string',
  title: 'string',
  status: 'string',
  image_url: 'string',
  thumbnail_url: 'string',
  link_url: 'string',
  call_to_action_type: 'string',
} as const

export const adCreatives = entity({
  description: 'Creatives of an ad account.',
  list: list({
    ...ofAccount(record),
    description: 'List the creatives of an ad account.',
    path: '/act_{account_id}/adcreatives',
  }),
  searchable,
  sync: libraryStream({ edge: 'adcreatives', record, searchable, limit: 50, node: true }),
})
