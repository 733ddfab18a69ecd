/** Common to all CRM entities: names and ids as params, the pages of lists, and the shape of a CRM record. */
import {
  arrayOf,
  boolean,
  cursorPaging,
  id,
  integer,
  mapOf,
  nullable,
  object,
  objectOf,
  optional,
  type PagingBlock,
  rule,
  text,
} from '../../kit/connector.ts'
import { tokenPattern } from './search-window.ts'

/** The id of a record, or the value of the property that idProperty names. */
export const recordId = (description: string) => text(description, { minLength: 1, maxLength: 512 })

/** `contacts`, `contact`, `0-1`, `2-3456` and `p123_cars` are all names of types ("Understanding the CRM"). */
export const objectType = (
  description = 'The type: its plural, its id such as 0-1, or of custom objects 2-<number>.',
) =>
  ({
    ...text(description, { pattern: '^[A-Za-z0-9_-]{1,128}$' }),
    'x-form': 'the name or the id of a type',
  }) as ReturnType<typeof text>

/** Names separated by commas. */
export const names = (description: string) => optional(text(description, { minLength: 1, maxLength: 100_000 }))

export const archived = optional(boolean('true reads only archived records, false (the default) only the others.'))

/** The params that choose the parts of a record. */
export const chosenParts = {
  properties: names(
    'The properties to return, by their internal names, separated by commas; * for all of them. By default HubSpot’s own few; names that it does not know are left out.',
  ),
  propertiesWithHistory: names('Properties to return with their earlier values, separated by commas.'),
  associations: names(
    'The types whose associated ids to return, separated by commas: contacts, line_items, 2-<number>.',
  ),
  archived,
} as const

/** `next_cursor`, and what else HubSpot tells of the list beside it. */
const beside = (more: Readonly<Record<string, readonly string[]>>): PagingBlock => ({
  name: 'next_cursor',
  holds: 'token',
  beside: { next_link: ['paging', 'next', 'link'], ...more },
})

interface PageSizes {
  readonly default: number
  readonly largest: number
}

/** HubSpot's token is opaque; an answer without `paging.next` is the last one. */
export const pagesOf = (size: PageSizes) =>
  cursorPaging({
    params: {
      limit: optional(
        integer(`Records per page, 1 to ${size.largest}; ${size.default} by default.`, {
          minimum: 1,
          maximum: size.largest,
        }),
      ),
      after: optional(text('next_cursor of the previous page.', { minLength: 1, maxLength: 8192 })),
    },
    cursor: 'after',
    next: ['paging', 'next', 'after'],
    limit: { param: 'limit', default: size.default, smallest: 1, largest: size.largest },
    block: beside({}),
  })

export const pages = pagesOf({ default: 25, largest: 100 })

/** The token of a search is the number of results before the page; beyond HubSpot's window, Conex adds to it. */
export const searchPages = cursorPaging({
  params: {
    limit: optional(integer('Records per page, 1 to 200; 25 by default.', { minimum: 1, maximum: 200 })),
    after: optional({
      ...text('next_cursor of the previous page.', { pattern: tokenPattern }),
      'x-form': 'next_cursor of the previous page, unchanged',
    } as ReturnType<typeof text>),
  },
  cursor: 'after',
  next: ['paging', 'next', 'after'],
  limit: { param: 'limit', default: 25, smallest: 1, largest: 200 },
  block: beside({ total: ['total'] }),
})

/** With earlier values, HubSpot returns at most 50 records per page. */
export const historyNeedsSmallPages = rule(
  'With propertiesWithHistory, limit can be at most 50.',
  ({ propertiesWithHistory, limit }) =>
    propertiesWithHistory !== undefined && typeof limit === 'number' && limit > 50 ? ['limit'] : null,
)

/** A value is text whatever the type of the property, such as "12.5", "true" or "2026-01-31"; null if there is none. */
const value = nullable(text())

/** The properties of a record by their internal names; those that HubSpot returns by default are listed. */
const propertiesOf = <const N extends string>(defaults: Readonly<Record<N, string>>) =>
  mapOf(
    value,
    'The chosen properties by their internal names; values are text whatever their type, and null if the record has none.',
    Object.fromEntries(
      Object.entries<string>(defaults).map(([name, description]) => [name, optional(nullable(text(description)))]),
    ) as { readonly [P in N]: ReturnType<typeof optional<typeof value>> },
  )

const earlierValues = arrayOf(
  objectOf({
    value: text(),
    timestamp: text(),
    sourceType: text(),
    sourceId: optional(text()),
    sourceLabel: optional(text()),
    updatedByUserId: optional(integer()),
  }),
)

const associatedIds = objectOf({
  results: arrayOf(objectOf({ id: text(), type: text() })),
  paging: optional(object()),
})

/** A CRM record, with the properties that HubSpot returns by default ("CRM API", objects). */
export const crmRecord = <const N extends string>(defaults: Readonly<Record<N, string>>) =>
  ({
    id: id(),
    properties: propertiesOf(defaults),
    createdAt: text('When the record was created, in ISO 8601.'),
    updatedAt: text('When the record was last changed, in ISO 8601.'),
    archived: boolean('Whether the record is in the recycling bin, from which HubSpot removes it after 90 days.'),
    archivedAt: optional(nullable(text('When it was archived.'))),
    propertiesWithHistory: optional(
      mapOf(earlierValues, 'The values that the properties in propertiesWithHistory have had, newest first.'),
    ),
    associations: optional(
      mapOf(
        associatedIds,
        'The ids of associated records by the plural of their type; `paging` if there are more, which associations list returns.',
      ),
    ),
    objectWriteTraceId: optional(nullable(text('The trace of the last write, if its writer set one.'))),
    url: optional(nullable(text('The address of the record in HubSpot.'))),
  }) as const
