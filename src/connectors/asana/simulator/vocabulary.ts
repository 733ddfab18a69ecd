/** The words of the simulated company, an outfitter for people who walk, climb and camp. */
import { pick } from '../../../kit/simulator.ts'

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

export const teamNames = (
  'Product Design,Sourcing,Brand & Catalog,Retail Operations,E-commerce,Logistics,Finance,People & Culture,' +
  'Customer Care,Quality Lab,Wholesale,Sustainability,Store Design,Data & Planning,Field Testing,Legal'
).split(',')

export const tagNames = (
  'urgent,waiting on vendor,spring,autumn,holiday,photo shoot,compliance,cost saving,store feedback,sample,' +
  'recall watch,quick win,blocked,needs legal,packaging,bluesign,pilot store,returns,wholesale,repair program'
).split(',')

const products = (
  'Ridgeline shell,Tarn 2 tent,Cairn 45 pack,Fjell down jacket,Switchback boot,Ember stove,Drift fleece,' +
  'Alder base layer,Summit trekking poles,Lowland sleeping bag,Kestrel headlamp,Basecamp duffel'
).split(',')
const cities = 'Denver,Portland,Burlington,Vancouver,Calgary,Oslo,Munich,Innsbruck,Grenoble,Edinburgh'.split(',')
export const vendors = 'Halden Mills,Porto Textil,Nagano Zipper,Baltic Down,Andes Merino,Kaunas Knit'.split(',')
const seasons = ['Spring', 'Summer', 'Autumn', 'Winter']

const works = 'launch,sourcing,redesign,field test,audit,rollout,site refresh,repair program,freight plan'.split(',')
const verbs =
  'Review,Confirm,Order,Draft,Compare,Approve,Update,Plan,Collect,Test,Translate,Schedule,Count,Check'.split(',')
const things = (
  'fabric samples,print proofs,size charts,store fixtures,freight quotes,lab reports,care labels,product photos,' +
  'price lists,training notes,customs papers,care guides,shelf plans,repair kits,budget figures'
).split(',')

/** Each part uses different digits of the drawn number, so that they vary independently. */
export const projectName = (drawn: number): string =>
  `${pick(products, drawn >>> 3)} ${pick(works, drawn >>> 8)}, ${pick(seasons, drawn >>> 15)} ${2025 + ((drawn >>> 19) & 1)}`

export const taskName = (drawn: number): string =>
  `${pick(verbs, drawn >>> 2)} ${pick(things, drawn >>> 7)} ${pick(
    [
      `for the ${pick(products, drawn >>> 13)}`,
      `with ${pick(vendors, drawn >>> 13)}`,
      `in ${pick(cities, drawn >>> 13)}`,
      `before ${pick(seasons, drawn >>> 13)}`,
    ],
    drawn >>> 17,
  )}`

export const note = (drawn: number): string =>
  pick(
    [
      `Talked it through with ${pick(vendors, drawn >>> 11)}; they need an answer by Friday.`,
      `See the comments on the last sample of the ${pick(products, drawn >>> 3)}.`,
      'Budget is agreed, only the dates are open.',
      `Keep the ${pick(cities, drawn >>> 7)} team in the loop.`,
      `If this slips, the ${pick(seasons, drawn >>> 15)} window slips with it.`,
    ],
    drawn >>> 2,
  )

export const subtaskNames = (
  'Draft,Get two quotes,Review with the team,Send for sign-off,Collect photos,Update the sheet,Call the vendor,' +
  'Write summary,Check against last season,Book the room,File the paperwork'
).split(',')

/** Preparations of volunteers for a day on the trail. */
export const trailDayTasks = (
  'Reserve tools at the county depot,Confirm head count with the school,Buy gloves and flagging tape,' +
  'Walk the lower loop and mark washouts,Ask the bakery for sandwiches,Print waiver forms,Share the parking plan,' +
  'Pick crew leads,Check first-aid kits,Order two yards of gravel,Write thank-you notes,Post photos from last year'
).split(',')
