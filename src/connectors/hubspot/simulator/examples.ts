/** Params for every operation with which it finds something, for any seed and scale. */
import type { SystemExamples } from '../../../kit/simulator.ts'
import { typeOf } from './object-types.ts'
import type { World } from './world.ts'

/** Each type with its own entity: the param with the id of a record. */
const idParams: Readonly<Record<string, string>> = {
  contacts: 'contactId',
  companies: 'companyId',
  deals: 'dealId',
  tickets: 'ticketId',
  line_items: 'lineItemId',
  products: 'productId',
  quotes: 'quoteId',
  leads: 'leadId',
  calls: 'callId',
  emails: 'emailId',
  meetings: 'meetingId',
  notes: 'noteId',
  tasks: 'taskId',
  communications: 'communicationId',
  postal_mail: 'postalMailId',
  goal_targets: 'goalTargetId',
  feedback_submissions: 'feedbackSubmissionId',
  invoices: 'invoiceId',
  orders: 'orderId',
  carts: 'cartId',
  subscriptions: 'subscriptionId',
  commerce_payments: 'commercePaymentId',
  users: 'userId',
}

const searched = {
  contact_search: 'contacts',
  company_search: 'companies',
  deal_search: 'deals',
  ticket_search: 'tickets',
}

/** By name, the records that examples read. */
export function landmarksOf({ records, owners, lists, files, links }: World): Readonly<Record<string, string>> {
  const first = (plural: string): string =>
    records.of(typeOf(plural)).find(({ archivedAt }) => archivedAt === undefined)!.id
  const deals = records.of(typeOf('deals')).filter(({ archivedAt }) => archivedAt === undefined)
  return {
    ...Object.fromEntries(Object.keys(idParams).map((plural) => [plural, first(plural)])),
    custom_type: '2-48213',
    custom_record: first('2-48213'),
    owner: owners.rows[0]!.id,
    list: lists.rows.find(({ members }) => members.length > 0)!.listId,
    file: files.rows[0]!.id,
    associated_deal: deals.find((deal) => links.from(deal, typeOf('contacts')).length > 0)!.id,
    archived_contact: records.of(typeOf('contacts')).find(({ archivedAt }) => archivedAt !== undefined)!.id,
  }
}

export function examplesOf(at: Readonly<Record<string, string>>): SystemExamples {
  const objectType = at.custom_type
  const pipeline = { objectType: 'deals', pipelineId: 'default' }
  return {
    ...Object.fromEntries(
      Object.entries(idParams).map(([plural, param]) => [
        plural === 'users' ? 'crm_users' : plural,
        { list: {}, get: { [param]: at[plural] } },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(searched).map(([entity, plural]) => [
        entity,
        {
          list: { filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'GTE', value: at[plural] }] }] },
        },
      ]),
    ),
    schemas: { list: {}, get: { objectType } },
    objects: { list: { objectType }, get: { objectType, objectId: at.custom_record } },
    object_search: {
      list: { objectType, filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'HAS_PROPERTY' }] }] },
    },
    owners: { list: {}, get: { ownerId: Number(at.owner) } },
    pipelines: { list: { objectType: 'deals' }, get: pipeline },
    pipeline_stages: { list: pipeline, get: { ...pipeline, stageId: 'appointment' } },
    properties: { list: { objectType: 'contacts' }, get: { objectType: 'contacts', propertyName: 'email' } },
    property_groups: { list: { objectType: 'contacts' }, get: { objectType: 'contacts', groupName: 'survey' } },
    associations: { list: { objectType: 'deals', objectId: at.associated_deal, toObjectType: 'contacts' } },
    association_labels: { list: { fromObjectType: 'contacts', toObjectType: 'companies' } },
    lists: { list: {}, get: { listId: at.list } },
    list_memberships: { list: { listId: at.list } },
    account: { get: {} },
    files: { list: {}, get: { fileId: at.file }, download: { fileId: at.file } },
  }
}
