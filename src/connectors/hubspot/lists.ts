/** Lists of records (segments), and their members ("Lists API v3"). */
import {
  arrayOf,
  boolean,
  cursorPaging,
  entity,
  get,
  id,
  integer,
  list,
  mapOf,
  nullable,
  object,
  objectOf,
  oneOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { objectType, pagesOf, recordId } from './fields.ts'

const may = (description?: string) => nullable(text(description))

const segment = {
  listId: id(),
  name: text(),
  objectTypeId: text('The type of its members, for example 0-1.'),
  processingType: text('MANUAL, DYNAMIC or SNAPSHOT.'),
  processingStatus: text('For example COMPLETE.'),
  listVersion: integer('Grows with every change of the list.'),
  createdAt: may(),
  updatedAt: may(),
  filtersUpdatedAt: may(),
  deletedAt: may(),
  createdById: may('The user who created it.'),
  updatedById: may('The user who changed it last.'),
} as const

const scopes = ['crm.lists.read'] as const

/** The offset that HubSpot answers is that of the next page. */
const offsets = cursorPaging({
  params: {
    count: optional(integer('Records per page, 1 to 500; 20 by default.', { minimum: 1, maximum: 500 })),
    offset: optional(integer('next_cursor of the previous page.', { minimum: 0 })),
  },
  cursor: 'offset',
  next: ['offset'],
  more: ['hasMore'],
  counts: true,
  limit: { param: 'count', default: 20, smallest: 1, largest: 500 },
  block: { name: 'next_cursor', holds: 'token', beside: { total: ['total'] } },
  total: ['total'],
})

export const lists = entity({
  description: 'Lists of records, also called segments.',
  list: list({
    description: 'List the lists of the account, by name or by kind.',
    method: 'POST',
    path: '/crm/v3/lists/search',
    params: {
      query: optional(text('Words in the name.', { minLength: 1, maxLength: 1000 })),
      listIds: optional(arrayOf(text(), 'Only these lists.')),
      objectTypeId: optional(objectType('Only lists of this type, for example 0-1.')),
      processingTypes: optional(arrayOf(oneOf(['MANUAL', 'DYNAMIC', 'SNAPSHOT']), 'Only lists of these kinds.')),
      additionalProperties: optional(arrayOf(text(), 'More facts about each list, for example hs_list_size.')),
      sort: optional(text('The property to sort by, with - in front for the reverse, for example -HS_LIST_ID.')),
    },
    // HubSpot requires both ("Lists API v3", search).
    prepare: async (params) => ({ additionalProperties: [], offset: 0, ...params }),
    recordsAt: ['lists'],
    record: { ...segment, additionalProperties: mapOf(text(), 'The facts in additionalProperties, as text.') },
    paging: offsets,
    scopes,
  }),
  get: get({
    description: 'Get one list.',
    path: '/crm/v3/lists/{listId}',
    params: { listId: recordId('The list.'), includeFilters: optional(boolean('Whether to return its filters.')) },
    recordsAt: ['list'],
    record: {
      ...segment,
      size: optional(nullable(integer('How many members it has.'))),
      filterBranch: optional(nullable(object('The filters of a dynamic list.'))),
      listPermissions: optional(nullable(object('The users and teams that may edit it.'))),
      membershipSettings: optional(nullable(objectOf({}, 'How members are added.'))),
    },
    scopes,
  }),
})

export const listMemberships = entity({
  description: 'The members of one list.',
  list: list({
    description: 'List the members of a list.',
    path: '/crm/v3/lists/{listId}/memberships',
    params: {
      listId: recordId('The list.'),
      before: optional(text('The page before this cursor; not used together with after.', { minLength: 1 })),
    },
    prepare: async ({ before, ...params }) =>
      before === undefined || params.after !== undefined ? params : { ...params, before },
    recordsAt: ['results'],
    record: { recordId: id('The member.'), membershipTimestamp: text('When it became a member.') },
    paging: pagesOf({ default: 100, largest: 250 }),
    scopes,
  }),
})
