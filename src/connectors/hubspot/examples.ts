/** Example values of HubSpot for the documents. The simulated HubSpot has these records. */
import type { Examples } from '../../kit/connector.ts'

const times = { createdAt: '2025-03-03T09:00:44.214Z', updatedAt: '2025-03-17T21:15:44.214Z', archived: false }

const record = (id: string, properties: Readonly<Record<string, string | null>>) => ({
  id,
  ...times,
  properties: { ...properties, hs_object_id: id },
})

/** The first record of each type, and the param with its id. */
const ofTypes = {
  contactId: record('21000000501', { email: 'bo0@birch.example', firstname: 'Bo', lastname: 'Ito' }),
  companyId: record('31000000501', { name: 'Birch name 1', domain: 'birch0.example' }),
  dealId: record('41000000501', {
    dealname: 'Lark dealname 1',
    amount: '790',
    closedate: '2025-04-29T18:38:00.000Z',
    dealstage: 'closedwon',
    pipeline: 'default',
  }),
  ticketId: record('51000000501', { subject: 'Cedar subject 1', hs_pipeline: '0', hs_pipeline_stage: '2' }),
  productId: record('61000000501', { name: 'Alder name 1', price: '103.5' }),
  lineItemId: record('71000000501', { quantity: '2', price: '461.5', amount: '923' }),
  quoteId: record('81000000501', { hs_title: 'Cedar title 1', hs_status: 'DRAFT' }),
  leadId: record('91000000501', {}),
  callId: record('101000000501', {}),
  emailId: record('111000000501', {}),
  meetingId: record('121000000501', {}),
  noteId: record('131000000501', {}),
  taskId: record('141000000501', {}),
  communicationId: record('151000000501', {}),
  postalMailId: record('161000000501', {}),
  goalTargetId: record('171000000501', {}),
  feedbackSubmissionId: record('181000000501', {}),
  invoiceId: record('191000000501', {}),
  orderId: record('201000000501', {}),
  cartId: record('211000000501', {}),
  subscriptionId: record('221000000501', {}),
  commercePaymentId: record('231000000501', {}),
  userId: record('241000000501', {}),
}

const { contactId: contact, companyId: company, dealId: deal, ticketId: ticket } = ofTypes
const customType = '2-48213'
const custom = { ...record('251000000501', {}), objectType: customType }

const stage = {
  id: 'appointment',
  label: 'Appointment',
  displayOrder: 0,
  metadata: { probability: '0.2', isClosed: 'false' },
  archived: false,
}
const email = { name: 'email', label: 'email', type: 'string', fieldType: 'text', groupName: 'contactinformation' }

const withName = (propertyName: string) => ({
  filterGroups: [{ filters: [{ propertyName, operator: 'HAS_PROPERTY' }] }],
})
const searchOf = (name: string, sort: string) => ({
  ...withName(name),
  sorts: [{ propertyName: sort, direction: 'DESCENDING' }],
})

export const examples: Examples = {
  values: {
    ...Object.fromEntries(Object.entries(ofTypes).map(([param, { id }]) => [param, id])),
    ...times,
    objectType: 'deals',
    pipelineId: 'default',
    stageId: stage.id,
    listId: '1',
    fileId: '91000000001',
  },
  entities: {
    contacts: { ...contact, companies: [company.id] },
    contact_search: contact,
    companies: { ...company, contacts: [contact.id] },
    company_search: company,
    deals: { ...deal, companies: [company.id], contacts: [contact.id], line_items: [ofTypes.lineItemId.id] },
    deal_search: deal,
    tickets: { ...ticket, companies: [company.id], contacts: [contact.id] },
    ticket_search: ticket,
    schemas: {
      id: '48213',
      name: 'tents',
      objectType: customType,
      objectTypeId: customType,
      fullyQualifiedName: 'p48213377_tents',
      labels: { singular: 'tent', plural: 'tents' },
      primaryDisplayProperty: 'tent_name',
    },
    objects: { ...custom, objectId: custom.id },
    object_search: custom,
    line_items: ofTypes.lineItemId,
    products: ofTypes.productId,
    quotes: ofTypes.quoteId,
    leads: ofTypes.leadId,
    calls: ofTypes.callId,
    emails: ofTypes.emailId,
    meetings: ofTypes.meetingId,
    notes: ofTypes.noteId,
    tasks: ofTypes.taskId,
    owners: {
      id: '71000001',
      ownerId: 71_000_001,
      type: 'PERSON',
      email: 'ana@northwind.example',
      firstName: 'Ana',
      lastName: 'Berg',
      userId: 61_020_304,
      teams: [{ id: '178588', name: 'Sales', primary: true }],
    },
    pipelines: {
      id: 'default',
      label: 'Sales',
      displayOrder: 0,
      stages: [stage],
      createdAt: '2025-01-15T08:30:00.000Z',
    },
    pipeline_stages: stage,
    properties: { ...email, objectType: 'contacts', propertyName: 'email' },
    property_groups: { name: 'survey', label: 'survey', objectType: 'contacts', groupName: 'survey' },
    associations: { objectType: 'deals', objectId: deal.id, toObjectType: 'contacts', toObjectId: contact.id },
    association_labels: { fromObjectType: 'contacts', toObjectType: 'companies', typeId: 279, label: null },
    lists: { name: 'Newsletter 2020', objectTypeId: '0-1', processingType: 'DYNAMIC', processingStatus: 'COMPLETE' },
    list_memberships: { recordId: contact.id, membershipTimestamp: '2025-01-15T08:30:00.000Z' },
    account: { portalId: 48_213_377, accountType: 'STANDARD', timeZone: 'Europe/Berlin', companyCurrency: 'EUR' },
    files: {
      id: '91000000001',
      name: 'newsletter-1',
      extension: 'pdf',
      type: 'DOCUMENT',
      access: 'PRIVATE',
      size: 3000,
      path: '/library/newsletter-1.pdf',
    },
  },
  params: {
    'contacts.list': { properties: 'email,firstname,lastname' },
    'contact_search.list': searchOf('email', 'lastmodifieddate'),
    'company_search.list': searchOf('domain', 'hs_lastmodifieddate'),
    'deal_search.list': searchOf('amount', 'amount'),
    'ticket_search.list': searchOf('hs_pipeline_stage', 'createdate'),
    'objects.list': { objectType: customType },
    'object_search.list': { objectType: customType, ...withName('tent_name') },
    'files.list': {},
    'lists.list': {},
    'owners.list': {},
    'deals.list': { properties: '*', associations: 'contacts,line_items' },
  },
}
