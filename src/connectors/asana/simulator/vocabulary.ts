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

/** Preparations of volunteers for a day on the trail. */
export const trailDayTasks = [
  'Reserve tools at the county depot',
  'Confirm head count with the school',
  'Buy gloves and flagging tape',
  'Walk the lower loop and mark washouts',
  'Ask the bakery for sandwiches',
  'Print waiver forms',
  'Share the parking plan',
  'Pick crew leads',
  'Check first-aid kits',
  'Order two yards of gravel',
  'Write thank-you notes',
  'Post photos from last year',
] as const
