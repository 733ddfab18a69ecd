/** The entities of CRM records: all can be read live, and those that people search most have a copy. */
import { entity } from '../../kit/connector.ts'
import { anyOperations, type CrmType, crmOperations, crmSearch } from './crm-object.ts'
import { crmStream, customObjectStream, searchableWith } from './crm-stream.ts'
import * as facts from './records.ts'

/** A type that is only read live. */
const live = <const I extends string, const N extends string>(type: CrmType<I, N>, description: string) => {
  const { list, get } = crmOperations(type)
  return entity({ description, list, get })
}

/** A type with a copy, whose records have the ids of associated records of the target types. */
const copied = <const I extends string, const N extends string, const T extends string>(
  type: CrmType<I, N>,
  description: string,
  targets: readonly T[],
  /** Properties by which people often search. */
  ...indexed: readonly (NoInfer<N> | 'hubspot_owner_id')[]
) => {
  const { list, get } = crmOperations(type)
  return entity({
    description,
    list,
    get,
    searchable: searchableWith(targets),
    indexed: indexed.map((name): `properties.${string}` => `properties.${name}`),
    sync: crmStream(list, type, targets),
  })
}

const searched = <const N extends string>(type: CrmType<string, N>) =>
  entity({
    description: `Live search for ${type.plural} by HubSpot itself; ${type.type} api_search is the same.`,
    list: crmSearch(type),
    alias: { entity: type.type, action: 'api_search' },
  })

const people = ['companies', 'contacts', 'deals', 'tickets'] as const

export const contacts = copied(
  facts.contactFacts,
  'People, with the companies that they belong to.',
  ['companies'],
  'email',
  'hubspot_owner_id',
)
export const contactSearch = searched(facts.contactFacts)
export const companies = copied(
  facts.companyFacts,
  'Companies, with the people who belong to them.',
  ['contacts'],
  'domain',
  'hubspot_owner_id',
)
export const companySearch = searched(facts.companyFacts)
export const deals = copied(
  facts.dealFacts,
  'Deals with their amounts, stages and pipelines.',
  ['companies', 'contacts', 'line_items'],
  'dealstage',
  'pipeline',
  'hubspot_owner_id',
)
export const dealSearch = searched(facts.dealFacts)
export const tickets = copied(
  facts.ticketFacts,
  'Tickets of customer service.',
  ['companies', 'contacts'],
  'hs_pipeline_stage',
  'hubspot_owner_id',
)
export const ticketSearch = searched(facts.ticketFacts)

export const objects = entity({
  description: 'Records of any type, above all of custom objects.',
  list: anyOperations.list,
  get: anyOperations.get,
  searchable: { ...searchableWith(people), objectType: 'string' },
  sync: customObjectStream(anyOperations.list, people),
})
export const objectSearch = entity({
  description: 'Live search for records of any type by HubSpot itself.',
  list: anyOperations.search,
})

export const lineItems = copied(facts.lineItemFacts, 'Line items of deals and quotes.', people)
export const products = copied(facts.productFacts, 'Products of the library.', people)
export const quotes = copied(facts.quoteFacts, 'Quotes for buyers.', people)
export const leads = copied(facts.leadFacts, 'Leads; needs Sales Hub Professional.', people)
export const calls = copied(facts.callFacts, 'Calls that were logged on records.', people)
export const emails = copied(facts.emailFacts, 'E-mails that were logged on records.', people)
export const meetings = copied(facts.meetingFacts, 'Meetings that were logged on records.', people)
export const notes = copied(facts.noteFacts, 'Notes on records.', people)
export const tasks = copied(facts.taskFacts, 'Tasks of users.', people)

export const communications = live(facts.communicationFacts, 'Messages by SMS, WhatsApp and LinkedIn.')
export const postalMail = live(facts.postalMailFacts, 'Letters that were logged on records.')
export const goalTargets = live(facts.goalTargetFacts, 'Goals of users.')
export const feedbackSubmissions = live(
  facts.feedbackSubmissionFacts,
  'Answers to feedback surveys; needs Service Hub Professional.',
)
export const invoices = live(facts.invoiceFacts, 'Invoices.')
export const orders = live(facts.orderFacts, 'Orders.')
export const carts = live(facts.cartFacts, 'Carts of shops.')
export const subscriptions = live(facts.subscriptionFacts, 'Subscriptions with recurring payments.')
export const commercePayments = live(facts.paymentFacts, 'Payments.')
export const crmUsers = live(facts.userFacts, 'Users of the account, as CRM records.')
