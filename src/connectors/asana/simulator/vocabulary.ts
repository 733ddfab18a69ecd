/** The words of the simulated company, an outfitter for people who walk, climb and camp. */

export const firstNames = (
  'Maya,Tomás,Imani,Walter,Greta,Dana,Priya,Lukas,Amara,Hiroshi,Sofia,Marcus,Elif,Noah,Chloé,Rafael,' +
  'Ingrid,Kwame,Leila,Owen,Yuki,Fatima,Jonas,Beatriz,Callum,Aiko,Nadia,Theo,Zoë,Samuel,Anneke,Diego,' +
  'Hanna,Viktor,Rosa,Jamal,Astrid,Mateo,Freya,Kenji,Olivia,Pavel,Simone,Arjun,Clara,Emeka,Juliette,Henrik,' +
  'Mei,Patrick,Salma,Gustav,Renata,Isaac,Tove,Andre,Miriam,Caleb,Lucía,Stefan,Nia,Gordon,Eun-ji,Baptiste'
).split(',')

export const lastNames = (
  'Lindqvist,Herrera,Okafor,Brandt,Nyström,Whitaker,Raman,Vogel,Mensah,Tanaka,Moretti,Bell,Yılmaz,Carter,Dubois,Almeida,' +
  'Halvorsen,Asante,Haddad,Fletcher,Mori,Benali,Weiss,Souza,Mackenzie,Sato,Petrova,Lawson,Łukasiewicz,Reyes,De Vries,Castillo,' +
  'Koskinen,Novak,Delgado,Washington,Berg,Quintero,Sørensen,Nakamura,Hughes,Dvořák,Laurent,Iyer,Fischer,Eze,Garnier,Lund,' +
  'Zhang,Gallagher,Khalil,Ekström,Barros,Feldman,Holm,Thompson,Goldberg,Navarro,Ríos,Keller,Baker,Munro,Park,Lefèvre,' +
  'Schneider,Ortega,Kimani,Rossi,Larsen,Pereira,Chen,Donovan,Abadi,Winters,Ferrari,Haas,Mbeki,O’Connor,Suzuki,Vasquez'
).split(',')

export const teamNames = [
  'Product Design',
  'Sourcing',
  'Brand & Catalog',
  'Retail Operations',
  'E-commerce',
  'Logistics',
  'Finance',
  'People & Culture',
  'Customer Care',
  'Quality Lab',
  'Wholesale',
  'Sustainability',
  'Store Design',
  'Data & Planning',
  'Field Testing',
  'Legal',
] as const

export const tagNames = [
  'urgent',
  'waiting on vendor',
  'spring',
  'autumn',
  'holiday',
  'photo shoot',
  'compliance',
  'cost saving',
  'store feedback',
  'sample',
  'recall watch',
  'quick win',
  'blocked',
  'needs legal',
  'packaging',
  'bluesign',
  'pilot store',
  'returns',
  'wholesale',
  'repair program',
] as const

export const products = [
  'Ridgeline shell',
  'Tarn 2 tent',
  'Cairn 45 pack',
  'Fjell down jacket',
  'Switchback boot',
  'Ember stove',
  'Drift fleece',
  'Alder base layer',
  'Summit trekking poles',
  'Lowland sleeping bag',
  'Kestrel headlamp',
  'Basecamp duffel',
] as const

export const cities = [
  'Denver',
  'Portland',
  'Minneapolis',
  'Salt Lake City',
  'Burlington',
  'Vancouver',
  'Calgary',
  'Oslo',
  'Munich',
  'Innsbruck',
  'Grenoble',
  'Edinburgh',
  'Bergen',
  'Turin',
] as const

export const vendors = [
  'Halden Mills',
  'Porto Textil',
  'Nagano Zipper',
  'Taichung Alloy',
  'Baltic Down',
  'Andes Merino',
  'Cascade Foam',
  'Kaunas Knit',
  'Da Nang Sewing',
  'Veneto Sole',
] as const

/** Names of projects by theme; `{…}` is filled in. */
export const themes = [
  {
    team: 2,
    projects: ['{season} {year} catalog', '{product} launch campaign', '{season} {year} lookbook'],
    tasks: [
      'Pick cover photo for the {season} catalog',
      'Write product copy for the {product}',
      'Book photographer for the {city} shoot',
      'Proofread page spread {n}',
      'Send print file to the press',
      'Collect sizing charts for the {product}',
      'Agree on print run with the printer',
      'Retouch lifestyle shots from {city}',
      'Confirm prices with Finance',
      'Translate the {product} page into German',
      'Gather athlete quotes for the {product}',
      'Approve final colour proofs',
    ],
  },
  {
    team: 1,
    projects: ['{quarter} supplier audit', '{vendor} onboarding', '{product} fabric sourcing'],
    tasks: [
      'Confirm fabric lead times with the mill',
      'Request test reports from {vendor}',
      'Schedule site visit at {vendor}',
      'Compare quotes for the {product} zips',
      'Renew restricted substances declaration from {vendor}',
      'Negotiate minimum order for the {product}',
      'Check certificates of {vendor} against the registry',
      'Follow up on late swatches from {vendor}',
      'Rate {vendor} on delivery and quality',
      'Order lab dips for the {season} palette',
      'Write corrective action plan with {vendor}',
      'File signed supplier agreement of {vendor}',
    ],
  },
  {
    team: 3,
    projects: ['Retail rollout: {city}', '{city} store refit', '{season} window display'],
    tasks: [
      'Sign off floor plan for {city}',
      'Order fixtures for the boot wall',
      'Train opening crew in {city}',
      'Set up tills and card readers',
      'Hang {season} window display',
      'Plan opening night guest list',
      'Count stock before opening in {city}',
      'Fix lighting above the tent area',
      'Hire two weekend associates for {city}',
      'Photograph the finished {product} shelf',
      'Agree on delivery slot with the mall',
      'Collect first week feedback from {city}',
    ],
  },
  {
    team: 4,
    projects: ['Checkout redesign', '{season} site refresh', 'Size finder for the {product}'],
    tasks: [
      'Measure drop-off on the shipping step',
      'Add pick-up in {city} as delivery option',
      'Fix image zoom on the {product} page',
      'Test gift card flow on small screens',
      'Rewrite the returns page',
      'Tune search results for "{product}"',
      'Draft the {season} landing page',
      'Review accessibility findings, part {n}',
      'Retire the old wishlist',
      'Move product reviews to the new page',
      'Set up price test for the {product}',
      'Check page weight before launch',
    ],
  },
  {
    team: 0,
    projects: ['{product} redesign', '{product} colorways {year}', 'Repairable {product}'],
    tasks: [
      'Sketch three pocket layouts for the {product}',
      'Review second prototype of the {product}',
      'Weigh sample and compare with target',
      'Choose seam tape for the {product}',
      'Run rain room test {n}',
      'Update tech pack for the {product}',
      'Ask field testers in {city} for feedback',
      'Pick {season} colours with Sourcing',
      'Simplify buckle so that it can be repaired at home',
      'Measure fit on five testers',
      'Hand tech pack over to {vendor}',
      'Write care label for the {product}',
    ],
  },
  {
    team: 5,
    projects: ['{city} warehouse move', '{quarter} freight plan', 'Returns center {city}'],
    tasks: [
      'Book containers for the {product} shipment',
      'Clear customs papers for {vendor}',
      'Label racks in aisle {n}',
      'Renegotiate parcel rates to {city}',
      'Plan cut-over weekend in {city}',
      'Count damaged {product} returns',
      'Write packing guide for the {product}',
      'Shift safety stock to {city}',
      'Trial reusable mailers with 200 orders',
      'Close the old gate system in {city}',
      'Agree on pick-up times with the carrier',
      'Report landed cost of the {product}',
    ],
  },
  {
    team: 6,
    projects: ['{quarter} close', '{year} budget', 'Lease review: {city}'],
    tasks: [
      'Reconcile store deposits of {city}',
      'Collect accruals from all teams',
      'Review open invoices of {vendor}',
      'Update margin model for the {product}',
      'Prepare board slides, section {n}',
      'Check currency exposure for {vendor}',
      'Approve travel budget for {city}',
      'Close purchase orders older than a year',
      'Compare rent in {city} with the market',
      'Explain variance on the {product}',
      'File sales tax return',
      'Send budget template to team leads',
    ],
  },
  {
    team: 7,
    projects: ['{season} hiring plan', 'Onboarding in {city}', 'Volunteer days {year}'],
    tasks: [
      'Interview candidates for {city}',
      'Write job description: store lead {city}',
      'Order staff discount cards',
      'Plan first-aid course in {city}',
      'Renew health plan comparison',
      'Collect ideas for the volunteer day',
      'Prepare welcome kit with a {product}',
      'Update the handbook chapter {n}',
      'Check in with new hires after 30 days',
      'Publish shift calendar for {city}',
      'Thank mentors of the {season} group',
      'Draft survey about remote days',
    ],
  },
] as const

export const seasons = ['Spring', 'Summer', 'Autumn', 'Winter'] as const

export const noteSentences = [
  'Talked it through with {vendor}; they need an answer by Friday.',
  'See the comments on the last sample of the {product}.',
  'Budget is agreed, only the dates are open.',
  'Keep the {city} team in the loop.',
  'Numbers are in the shared sheet, tab {n}.',
  'If this slips, the {season} window slips with it.',
  'Last time this took two weeks longer than planned.',
  'Ask for photos before anything is shipped.',
] as const
