/** The facts about the types of CRM records ("Understanding the CRM"; default properties from the reference of each). */

const created = 'When the record was created.'
const changed = 'When the record was last changed.'
const ownId = 'The id of the record.'

/** Most types have no other properties by default. */
const ofAnyType = { hs_createdate: created, hs_lastmodifieddate: changed, hs_object_id: ownId } as const
const base = { createdate: created, hs_lastmodifieddate: changed, hs_object_id: ownId } as const

export const contactFacts = {
  type: 'contacts',
  plural: 'contacts',
  one: 'contact',
  idParam: 'contactId',
  defaults: {
    createdate: created,
    email: 'The e-mail address, which is unique among contacts.',
    firstname: 'The first name.',
    hs_object_id: ownId,
    lastmodifieddate: changed,
    lastname: 'The last name.',
  },
  scopes: ['crm.objects.contacts.read'],
} as const

export const companyFacts = {
  type: 'companies',
  plural: 'companies',
  one: 'company',
  idParam: 'companyId',
  defaults: { ...base, domain: 'The domain of the company’s website.', name: 'The name.' },
  scopes: ['crm.objects.companies.read'],
} as const

export const dealFacts = {
  type: 'deals',
  plural: 'deals',
  one: 'deal',
  idParam: 'dealId',
  defaults: {
    ...base,
    amount: 'The value of the deal.',
    closedate: 'When it was, or is expected to be, closed.',
    dealname: 'The name.',
    dealstage: 'The id of its stage.',
    pipeline: 'The id of its pipeline.',
  },
  scopes: ['crm.objects.deals.read'],
} as const

export const ticketFacts = {
  type: 'tickets',
  plural: 'tickets',
  one: 'ticket',
  idParam: 'ticketId',
  defaults: {
    ...base,
    content: 'The description.',
    hs_pipeline: 'The id of its pipeline.',
    hs_pipeline_stage: 'The id of its stage.',
    hs_ticket_category: 'The category.',
    hs_ticket_priority: 'The priority, for example HIGH.',
    subject: 'The subject.',
  },
  scopes: ['tickets'],
} as const

export const lineItemFacts = {
  type: 'line_items',
  plural: 'line items',
  one: 'line item',
  idParam: 'lineItemId',
  defaults: {
    ...base,
    amount: 'The price of all pieces.',
    price: 'The price of one piece.',
    quantity: 'How many pieces.',
  },
  scopes: ['crm.objects.line_items.read', 'e-commerce'],
} as const

export const productFacts = {
  type: 'products',
  plural: 'products',
  one: 'product',
  idParam: 'productId',
  defaults: { ...base, description: 'The description.', name: 'The name.', price: 'The price of one piece.' },
  scopes: ['crm.objects.products.read', 'e-commerce'],
} as const

export const quoteFacts = {
  type: 'quotes',
  plural: 'quotes',
  one: 'quote',
  idParam: 'quoteId',
  defaults: {
    ...ofAnyType,
    hs_expiration_date: 'Until when it is valid.',
    hs_public_url_key: 'The key of its public page.',
    hs_status: 'The status, for example APPROVAL_NOT_NEEDED.',
    hs_title: 'The title.',
  },
  scopes: ['crm.objects.quotes.read', 'e-commerce'],
} as const

/** A type whose default properties are those of any type. */
const plain = <const I extends string>(
  type: string,
  plural: string,
  one: string,
  idParam: I,
  ...scopes: readonly string[]
) => ({ type, plural, one, idParam, defaults: ofAnyType, scopes })

const contacts = 'crm.objects.contacts.read'

export const leadFacts = plain('leads', 'leads', 'lead', 'leadId', 'crm.objects.leads.read')
export const callFacts = plain('calls', 'calls', 'call', 'callId', contacts)
export const emailFacts = plain('emails', 'e-mails', 'e-mail', 'emailId', contacts, 'sales-email-read')
export const meetingFacts = plain('meetings', 'meetings', 'meeting', 'meetingId', contacts)
export const noteFacts = plain('notes', 'notes', 'note', 'noteId', contacts)
export const taskFacts = plain('tasks', 'tasks', 'task', 'taskId', contacts)
export const communicationFacts = plain(
  'communications',
  'messages by SMS, WhatsApp and LinkedIn',
  'message',
  'communicationId',
  contacts,
)
export const postalMailFacts = plain('postal_mail', 'postal mail', 'piece of postal mail', 'postalMailId', contacts)
export const goalTargetFacts = plain('goal_targets', 'goals', 'goal', 'goalTargetId', 'crm.objects.goals.read')
export const feedbackSubmissionFacts = plain(
  'feedback_submissions',
  'answers to feedback surveys',
  'answer to a feedback survey',
  'feedbackSubmissionId',
  'crm.objects.feedback_submissions.read',
)
export const invoiceFacts = plain('invoices', 'invoices', 'invoice', 'invoiceId', 'crm.objects.invoices.read')
export const orderFacts = plain('orders', 'orders', 'order', 'orderId', 'crm.objects.orders.read')
export const cartFacts = plain('carts', 'carts', 'cart', 'cartId', 'crm.objects.carts.read')
export const subscriptionFacts = plain(
  'subscriptions',
  'subscriptions',
  'subscription',
  'subscriptionId',
  'crm.objects.subscriptions.read',
)
export const paymentFacts = plain(
  'commerce_payments',
  'payments',
  'payment',
  'commercePaymentId',
  'crm.objects.commercepayments.read',
)
export const userFacts = plain('users', 'users of the account', 'user', 'userId', 'crm.objects.users.read')
