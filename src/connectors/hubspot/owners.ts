/** Owners: the users and queues to whom records can be assigned ("Owners API"). */
import {
  arrayOf,
  boolean,
  entity,
  get,
  id,
  identifiedBy,
  integer,
  list,
  nullable,
  objectOf,
  oneOf,
  optional,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { archived, pagesOf } from './fields.ts'

const owner = {
  id: id(),
  type: text('PERSON or QUEUE.'),
  email: nullable(text()),
  firstName: nullable(text()),
  lastName: nullable(text()),
  userId: nullable(integer('The user; null for archived owners.')),
  userIdIncludingInactive: nullable(integer('The user, also if the owner is archived.')),
  teams: nullable(
    arrayOf(
      objectOf({ id: text(), name: text(), primary: boolean('Whether it is the main team.') }),
      'The owner’s teams.',
    ),
  ),
  archived: boolean('Whether the user was deactivated or removed.'),
  createdAt: text(),
  updatedAt: text(),
} as const

const scopes = ['crm.objects.owners.read'] as const

const listOwners = list({
  description: 'List the owners, or the archived ones.',
  path: '/crm/v3/owners',
  params: { email: optional(text('Only the owner with this address.', { minLength: 1 })), archived },
  recordsAt: ['results'],
  record: owner,
  paging: pagesOf({ default: 100, largest: 100 }),
  scopes,
})

const getOwner = get({
  description: 'Get one owner; an archived one only with archived: true.',
  path: '/crm/v3/owners/{ownerId}',
  params: {
    ownerId: integer('The owner, or with idProperty the user.', { minimum: 0 }),
    idProperty: optional(oneOf(['id', 'userId'], 'Whose id ownerId is; id by default.')),
    archived,
  },
  recordsAt: [],
  record: owner,
  scopes,
})

export const owners = entity({
  description: 'Users and queues to whom records can be assigned.',
  list: listOwners,
  get: getOwner,
  searchable: searchableFields(owner, [
    'archived',
    'createdAt',
    'email',
    'firstName',
    'id',
    'lastName',
    'teams',
    'type',
    'updatedAt',
    'userId',
  ]),
  sync: {
    listings: [{ list: listOwners }, { list: listOwners, params: { archived: true } }],
    identity: identifiedBy('id'),
    confirm: { get: getOwner, param: 'ownerId', field: 'id' },
  },
})
