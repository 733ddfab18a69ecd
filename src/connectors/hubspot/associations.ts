/** Which records belong together, and under which labels ("Associations API v4"). */
import { arrayOf, entity, id, integer, list, nullable, objectOf, text } from '../../kit/connector.ts'
import { objectType, pagesOf, recordId } from './fields.ts'

const label = {
  category: text('HUBSPOT_DEFINED, INTEGRATOR_DEFINED, USER_DEFINED or WORK.'),
  typeId: integer('The number of the label, which differs between the two directions.'),
  label: nullable(text('The name for people; null for an association without a label.')),
} as const

const scopes = ['crm.objects.contacts.read', 'crm.objects.companies.read'] as const

export const associations = entity({
  description: 'The records of a type that are associated with one record.',
  list: list({
    description: 'List the records of a type that are associated with a record.',
    path: '/crm/v4/objects/{objectType}/{objectId}/associations/{toObjectType}',
    params: {
      objectType: objectType('The type of the record.'),
      objectId: recordId('The record.'),
      toObjectType: objectType('The type of the associated records.'),
    },
    recordsAt: ['results'],
    record: {
      toObjectId: id('The associated record.'),
      associationTypes: arrayOf(objectOf(label), 'The labels of the association.'),
    },
    paging: pagesOf({ default: 500, largest: 500 }),
    scopes,
  }),
})

export const associationLabels = entity({
  description: 'The labels of associations from one type to another.',
  list: list({
    description: 'List the labels of associations from one type to another.',
    path: '/crm/v4/associations/{fromObjectType}/{toObjectType}/labels',
    params: {
      fromObjectType: objectType('The type from which the associations lead.'),
      toObjectType: objectType('The type to which they lead.'),
    },
    recordsAt: ['results'],
    record: label,
    scopes,
  }),
})
