/** Images in the library of an ad account. */
import { array, boolean, entity, integer, list, nullable, searchableFields, text } from '../../kit/connector.ts'
import { ofAccount } from './fields.ts'
import { onRequest } from './on-request.ts'
import { business } from './shapes.ts'
import { libraryStream } from './streams.ts'

const record = {
  id: nullable(text('The account id and the hash.')),
  name: nullable(text('The name of the file.')),
  account_id: nullable(text()),
  created_time: nullable(text()),
  creatives: nullable(array('The ids of the creatives that use it.')),
  filename: nullable(text('Always null: Meta does not return it; see name.')),
  hash: nullable(text()),
  height: nullable(integer()),
  is_associated_creatives_in_adgroups: nullable(boolean()),
  original_height: nullable(integer()),
  original_width: nullable(integer()),
  permalink_url: nullable(text()),
  status: nullable(text()),
  updated_time: nullable(text()),
  url: nullable(text('A signed address that expires.')),
  url_128: nullable(text('A signed address that expires.')),
  width: nullable(integer()),
} as const

const further = onRequest({ owner_business: business('The business that owns it.') })

const searchable = searchableFields(record, [
  'id',
  'name',
  'account_id',
  'hash',
  'url',
  'permalink_url',
  'status',
  'created_time',
  'updated_time',
  'width',
  'height',
])

export const images = entity({
  description: 'Images of an ad account.',
  list: list({
    // The API can write the file name, but not read it (reference of Ad Image).
    ...ofAccount(record, further, { names: { filename: null } }),
    description: 'List the images of an ad account.',
    path: '/act_{account_id}/adimages',
  }),
  searchable,
  sync: libraryStream({ edge: 'adimages', record, searchable, node: false }),
})
