/** The account of the simulated HubSpot, and the scopes of its application. */
export const portal = {
  id: 48_213_377,
  domain: 'northwind-camping.hubspot.example',
  userId: 61_020_304,
  user: 'ana@northwind.example',
  appId: 3_141_592,
  scopes: [
    'oauth',
    'crm.objects.contacts.read',
    'crm.objects.companies.read',
    'crm.objects.deals.read',
    'crm.objects.owners.read',
    'crm.schemas.contacts.read',
    'crm.schemas.companies.read',
    'crm.schemas.deals.read',
    'crm.lists.read',
    'crm.objects.leads.read',
    'crm.objects.quotes.read',
    'tickets',
    'files.read',
    // Only on an Enterprise plan, which this account lacks: never granted, and a fault if it is required.
    'crm.schemas.custom.read',
    'crm.objects.custom.read',
  ],
  beyondPlan: ['crm.schemas.custom.read', 'crm.objects.custom.read'],
} as const
