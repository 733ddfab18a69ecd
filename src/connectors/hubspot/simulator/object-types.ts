/** The types of records in the simulated HubSpot, with the properties that each has. */

export interface PropertyDefinition {
  readonly name: string
  readonly type: 'string' | 'number' | 'datetime' | 'enumeration' | 'bool'
  readonly options: readonly string[]
  readonly isUnique: boolean
  readonly sensitivity: 'non_sensitive' | 'sensitive'
  readonly isArchived: boolean
}

export interface ObjectType {
  readonly typeId: string
  /** The plural in addresses, which is also the key of associations except that it has spaces there. */
  readonly plural: string
  readonly singular: string
  /** Any one of them is enough. */
  readonly scopes: readonly string[]
  readonly created: string
  readonly changed: string
  /** The properties of a record for which no others are named. */
  readonly defaults: readonly string[]
  readonly properties: readonly PropertyDefinition[]
  /** How many there are of them, as a part of the scale. */
  readonly share: number
  readonly custom?: { readonly name: string; readonly display: string }
}

/** `name`, `name:number`, `name:enumeration=A|B`; `name!` for unique values, `name*` for one that every answer has. */
function definition(text: string): PropertyDefinition {
  const [head = '', values = ''] = text.split('=')
  const [name = '', type = 'string'] = head.split(':')
  return {
    name: name.replaceAll(/[!*]/g, ''),
    type: type as PropertyDefinition['type'],
    options: values === '' ? [] : values.split('|'),
    isUnique: head.includes('!'),
    sensitivity: 'non_sensitive',
    isArchived: false,
  }
}

const wordsIn = (text: string): string[] => text.trim().split(/\s+/)

interface Facts {
  /** By default, the scope of the type's own name. */
  readonly scopes?: readonly string[]
  /** A twentieth by default. */
  readonly share?: number
  /** Older types have another name for the time of creation. */
  readonly isOld?: boolean
  readonly changed?: string
  readonly more?: readonly PropertyDefinition[]
  readonly custom?: ObjectType['custom']
}

const read = (name: string) => [`crm.objects.${name}.read`]

function type(typeId: string, plural: string, singular: string, properties: string, facts: Facts = {}): ObjectType {
  const created = facts.isOld ? 'createdate' : 'hs_createdate'
  const changed = facts.changed ?? 'hs_lastmodifieddate'
  const common = `hs_object_id!*:number ${created}*:datetime ${changed}*:datetime hubspot_owner_id hs_merged_object_ids`
  const all = wordsIn(`${common} ${properties}`)
  return {
    typeId,
    plural,
    singular,
    scopes: facts.scopes ?? read(plural),
    created,
    changed,
    defaults: all.filter((one) => one.includes('*')).map((one) => definition(one).name),
    properties: [...all.map(definition), ...(facts.more ?? [])],
    share: facts.share ?? 0.05,
    ...(facts.custom && { custom: facts.custom }),
  }
}

/** So many that their names fit into no address together, as accounts have them after some years. */
const surveyAnswers = Array.from({ length: 90 }, (_, n) =>
  definition(`survey_answer_on_camping_gear_${String(n + 1).padStart(3, '0')}`),
)

/** What people do with customers is read with the contacts. */
const activity: Facts = { scopes: read('contacts'), share: 0.1 }
const ofShop = (name: string) => [...read(name), 'e-commerce']
const custom = (name: string, display: string): Facts => ({ scopes: read('custom'), custom: { name, display } })

const ofContact = `
  email!* firstname* lastname* phone jobtitle lifecyclestage:enumeration=lead|customer|subscriber
  associatedcompanyid:number hs_lastmodifieddate:datetime newsletter:bool`

const ofCompany = 'name* domain* city industry:enumeration=RETAIL|SPORTS|TRAVEL numberofemployees:number'

const ofDeal = `
  dealname* amount*:number closedate*:datetime dealstage*:enumeration=appointment|qualified|closedwon|closedlost
  pipeline*:enumeration=default|48213378`

const ofTicket = `
  subject* content* hs_pipeline*:enumeration=0 hs_pipeline_stage*:enumeration=1|2|3|4
  hs_ticket_category*:enumeration=PRODUCT_ISSUE|BILLING_ISSUE hs_ticket_priority*:enumeration=LOW|MEDIUM|HIGH`

const ofQuote = 'hs_title* hs_status*:enumeration=DRAFT|APPROVED hs_expiration_date*:datetime hs_public_url_key*'

const ofTask = 'hs_task_subject hs_task_status:enumeration=NOT_STARTED|COMPLETED hs_timestamp:datetime'

const ofCommunication = 'hs_communication_body hs_communication_channel_type:enumeration=SMS|WHATS_APP'

const more: readonly PropertyDefinition[] = [
  ...surveyAnswers,
  { ...definition('passport_number'), sensitivity: 'sensitive' },
  { ...definition('fax_number'), isArchived: true },
]

export const objectTypes: readonly ObjectType[] = [
  type('0-1', 'contacts', 'contact', ofContact, { share: 1, isOld: true, changed: 'lastmodifieddate', more }),
  type('0-2', 'companies', 'company', ofCompany, { share: 0.3, isOld: true }),
  type('0-3', 'deals', 'deal', ofDeal, { share: 0.4, isOld: true }),
  type('0-5', 'tickets', 'ticket', ofTicket, { scopes: ['tickets'], share: 0.2, isOld: true }),
  type('0-7', 'products', 'product', 'name* description* price*:number hs_sku!', {
    scopes: ofShop('products'),
    share: 0.1,
    isOld: true,
  }),
  type('0-8', 'line_items', 'line_item', 'name quantity*:number price*:number amount*:number', {
    scopes: ofShop('line_items'),
    share: 0.3,
    isOld: true,
  }),
  type('0-14', 'quotes', 'quote', ofQuote, { scopes: ofShop('quotes') }),
  type('0-136', 'leads', 'lead', 'hs_lead_name hs_lead_label:enumeration=WARM|HOT|COLD'),
  type('0-48', 'calls', 'call', 'hs_call_title hs_call_body hs_call_duration:number hs_timestamp:datetime', activity),
  type('0-49', 'emails', 'email', 'hs_email_subject hs_email_text hs_timestamp:datetime', {
    ...activity,
    scopes: [...read('contacts'), 'sales-email-read'],
  }),
  type('0-47', 'meetings', 'meeting', 'hs_meeting_title hs_meeting_body hs_timestamp:datetime', activity),
  type('0-46', 'notes', 'note', 'hs_note_body hs_timestamp:datetime', activity),
  type('0-27', 'tasks', 'task', ofTask, activity),
  type('0-18', 'communications', 'communication', ofCommunication, { ...activity, share: 0.05 }),
  type('0-116', 'postal_mail', 'postal_mail', 'hs_postal_mail_body hs_timestamp:datetime', {
    ...activity,
    share: 0.05,
  }),
  type('0-74', 'goal_targets', 'goal_target', 'hs_goal_name hs_target_amount:number', { scopes: read('goals') }),
  type('0-19', 'feedback_submissions', 'feedback_submission', 'hs_survey_name hs_value:number'),
  type('0-53', 'invoices', 'invoice', 'hs_number hs_amount_billed:number'),
  type('0-123', 'orders', 'order', 'hs_order_name hs_total_price:number'),
  type('0-142', 'carts', 'cart', 'hs_cart_name hs_total_price:number'),
  type('0-69', 'subscriptions', 'subscription', 'hs_name hs_recurring_billing_total:number'),
  type('0-101', 'commerce_payments', 'commerce_payment', 'hs_customer_email hs_initial_amount:number', {
    scopes: read('commercepayments'),
  }),
  type('0-115', 'users', 'user', 'hs_email hs_job_title'),
  type(
    '2-48213',
    'p48213377_tents',
    'tent',
    'tent_name! places:number season:enumeration=summer|winter',
    custom('tents', 'tent_name'),
  ),
  type(
    '2-48214',
    'p48213377_campsites',
    'campsite',
    'campsite_name places:number',
    custom('campsites', 'campsite_name'),
  ),
]

/** Plural, singular and id are names of the same type. */
const byName = new Map(
  objectTypes.flatMap((one) =>
    [one.plural, one.singular, one.typeId, one.plural.replace('_', ' ')].map((name) => [name, one] as const),
  ),
)

export const findType = (name: string): ObjectType | undefined => byName.get(name)

export const typeOf = (name: string): ObjectType => {
  const found = byName.get(name)
  if (found === undefined) throw new Error(`There is no type "${name}".`)
  return found
}
