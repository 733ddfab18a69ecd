/** The account of the simulated HubSpot, and the scopes of its application. */
export const portal = {
  id: 48_213_377,
  domain: 'northwind-camping.hubspot.example',
  userId: 61_020_304,
  user: 'ana@northwind.example',
  appId: 3_141_592,
  scopes: `
    oauth crm.objects.contacts.read crm.objects.companies.read crm.objects.deals.read crm.objects.owners.read
    crm.schemas.contacts.read crm.schemas.companies.read crm.schemas.deals.read crm.lists.read
    crm.objects.leads.read crm.objects.quotes.read tickets files.read crm.objects.line_items.read
    crm.objects.products.read crm.objects.goals.read crm.objects.feedback_submissions.read crm.objects.invoices.read
    crm.objects.orders.read crm.objects.carts.read crm.objects.subscriptions.read crm.objects.commercepayments.read
    crm.objects.users.read sales-email-read crm.schemas.custom.read crm.objects.custom.read
  `
    .trim()
    .split(/\s+/) as readonly string[],
} as const

export type Plan = 'enterprise' | 'professional'

export function planOf(name: unknown): Plan {
  if (name !== 'enterprise' && name !== 'professional') throw new Error('A plan is enterprise or professional.')
  return name
}

/** Scopes that a plan lacks: they are never granted, and a fault if they are required. */
export const beyond = (plan: Plan): readonly string[] =>
  plan === 'enterprise' ? [] : ['crm.schemas.custom.read', 'crm.objects.custom.read']
