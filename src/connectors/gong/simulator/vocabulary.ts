/** The words of the simulated company, which sells planning software to harbours and carriers. */

export const company = { name: 'Keelworks', domain: 'keelworks.example', number: 17 } as const

export const titles = (
  'Account Executive,Sales Development Representative,Customer Success Manager,Solutions Engineer,' +
  'Account Manager,Onboarding Specialist'
).split(',')

export const customers = (
  'Port of Aberwen,Meridian Lines,Hallgrim Bulk,Oceanic Reefer Group,Santo Ferry,Blue Anchor Logistics,' +
  'Kestrel Feeder Services,Nordlys Terminals,Pacific Barge & Tow,Gulfstream Stevedores,Windward Cargo,' +
  'Tern Island Harbours'
).split(',')

/** Customers' people on calls. */
export const guests = ['Marit Vance', 'Joaquin Brandao', 'Siobhan Keane', 'Tomoko Ueda'] as const

export const subjects = (
  'Berth planning walkthrough,Discovery call,Pricing and rollout,Quarterly review,Crane scheduling demo,' +
  'Onboarding kick-off,Security questions,Renewal,Integration with the yard system,Pilot results'
).split(',')

export const topics = ['Call Setup', 'Pricing', 'Product Fit', 'Next Steps', 'Integration', 'Small Talk'] as const

export const sentences = [
  'Thanks for making the time today.',
  'We lose about two hours a day waiting for a free berth.',
  'Could you show us how the plan changes when a vessel is late?',
  'The schedule updates as soon as the new arrival time comes in.',
  'What would it cost for three terminals instead of one?',
  'Our yard system is fifteen years old, so the interface matters a lot.',
  'I will send you the summary and the two documents you asked for.',
  'Who else must be convinced on your side?',
  'That is exactly the report our harbour master wants to see.',
  'Let us meet again once the pilot has run for two weeks.',
  'Last winter we had four cranes down at the same time.',
  'It is not the price that worries me, it is the training.',
  'We can train the night shift on site in the first week.',
  'Does the data stay in the region?',
  'Yes, and you choose who may see it.',
] as const

export const briefs = [
  'The customer wants to cut waiting times and asked for a price for three terminals.',
  'The pilot went well; open points are training for the night shift and the interface to the yard system.',
  'Renewal is likely; the customer compares with one competitor and decides next month.',
  'First talk; the need is clear, the budget is not.',
] as const

export const trackerWords = [
  { name: 'Competitors', keywords: ['harbourly', 'dockwise', 'other vendors'], said: 'Anytime' },
  { name: 'Pricing', keywords: ['price', 'discount', 'budget'], said: 'First' },
  { name: 'Next steps', keywords: ['next week', 'follow up', 'send you'], said: 'Last' },
  { name: 'Risk words', keywords: ['worried', 'not sure', 'delay'], said: 'Anytime' },
  { name: 'Introduction', keywords: ['my name is', 'nice to meet'], said: 'First' },
] as const

export const comments = [
  'Good question, let them finish.',
  'Mention the pilot earlier next time.',
  'Great summary at the end.',
] as const
