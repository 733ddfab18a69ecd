/**
 * Gives the records of a stream the types of the copy, where every field can be null. An unfit value becomes null
 * with a warning, although a caller's list would be refused, and costs neither its record nor its page.
 */
import Type, { type TSchema } from 'typebox'
import type { FieldType } from '../catalog/entity.ts'
import { array, boolean, integer, nullable, number, object, text } from '../catalog/fields.ts'
import type { GetOperation, ListOperation } from '../catalog/operation.ts'
import type { Stream } from '../catalog/stream.ts'

type Searchable = Readonly<Record<string, FieldType>>

export function withCopySchema(stream: Stream, searchable: Searchable): Stream {
  const { confirm, listings } = stream
  return {
    ...stream,
    listings: listings.map((listing) => ({
      ...listing,
      list: reading(listing.list, searchable),
      ...(listing.since?.list && { since: { ...listing.since, list: reading(listing.since.list, searchable) } }),
      ...(listing.below && { below: { ...listing.below, list: reading(listing.below.list, searchable) } }),
    })),
    ...(confirm && { confirm: { ...confirm, get: reading(confirm.get, searchable) } }),
  }
}

function reading<O extends ListOperation | GetOperation>(operation: O, searchable: Searchable): O {
  const byType = Object.entries(searchable).map(([field, type]): [string, TSchema] => [field, typed[type]])
  const { properties, required = [] } = operation.record
  const fields = {
    ...Object.fromEntries(byType),
    ...Object.fromEntries(required.map((name) => [name, properties[name]!])),
  }
  const open = Object.entries(fields).map(([field, schema]) => [field, orNull(schema)])
  return { ...operation, record: Type.Object(Object.fromEntries(open)) }
}

const typed: Readonly<Record<FieldType, TSchema>> = {
  string: text(),
  integer: integer(),
  number: number(),
  boolean: boolean(),
  object: object(),
  array: array(),
}

/** Without its identifier, only that record is left out. */
const orNull = (schema: TSchema): TSchema =>
  'anyOf' in schema ? schema : { ...nullable(schema), ...('x-identifier' in schema && { 'x-identifier': true }) }
