/** The words of the simulated company, an outfitter for people who walk, climb and camp. */
import { pick } from '../../../kit/simulator.ts'

export const teamNames = 'Product Design,Sourcing,Brand & Catalog,Retail,E-commerce,Logistics,Finance,Legal'.split(',')
export const tagNames = 'urgent,waiting on vendor,spring,autumn,holiday,photo shoot,blocked,needs legal'.split(',')
export const vendors = 'Halden Mills,Porto Textil,Nagano Zipper,Baltic Down,Andes Merino,Kaunas Knit'.split(',')
const products = 'Ridgeline shell,Tarn 2 tent,Cairn 45 pack,Switchback boot,Ember stove,Drift fleece'.split(',')
const seasons = ['spring', 'summer', 'autumn', 'winter']
const works = 'launch,sourcing,redesign,field test,audit,rollout,site refresh,repair program'.split(',')
const verbs = 'Review,Confirm,Order,Draft,Compare,Approve,Update,Plan,Collect,Test,Translate,Count,Check'.split(',')
const things = 'samples,proofs,size charts,fixtures,quotes,lab reports,labels,photos,prices,papers,kits'.split(',')

/** Each part uses different digits of the drawn number, so that they vary independently. */
export const projectName = (drawn: number): string =>
  `${pick(products, drawn >>> 3)} ${pick(works, drawn >>> 8)}, ${pick(seasons, drawn >>> 15)} ${2025 + (drawn & 1)}`

export const taskName = (drawn: number): string =>
  `${pick(verbs, drawn >>> 2)} ${pick(things, drawn >>> 7)} of the ${pick(products, drawn >>> 13)}`

export const note = (drawn: number): string =>
  `${pick(vendors, drawn >>> 11)} need an answer by Friday, or the ${pick(seasons, drawn >>> 15)} window slips.`
