/** Associations between records, in both directions. They are no part of a record, and change no time of change. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import type { CrmRecord, CrmRecords } from './crm-records.ts'
import { type ObjectType, objectTypes, typeOf } from './object-types.ts'

export interface Link {
  readonly id: string
  readonly isPrimary: boolean
}

export interface Links {
  /** By ascending id. */
  from(record: Pick<CrmRecord, 'key'>, to: ObjectType): readonly Link[]
  add(one: CrmRecord, other: CrmRecord, isPrimary?: boolean): void
  remove(one: CrmRecord, other: CrmRecord): void
}

export function makeLinks(records: CrmRecords, seed: number): Links {
  const links = new Map<string, Map<string, Link>>()
  const place = (record: Pick<CrmRecord, 'key'>, to: string) => `${record.key}>${to}`

  function put(from: CrmRecord, to: CrmRecord, isPrimary: boolean): void {
    const at = place(from, to.typeId)
    const found = links.get(at) ?? new Map<string, Link>()
    links.set(at, found.set(to.id, { id: to.id, isPrimary }))
  }

  const self: Links = {
    from: (record, to) =>
      [...(links.get(place(record, to.typeId))?.values() ?? [])].sort((a, b) => Number(a.id) - Number(b.id)),
    add(one, other, isPrimary = false) {
      put(one, other, isPrimary)
      put(other, one, isPrimary)
    },
    remove(one, other) {
      links.get(place(one, other.typeId))?.delete(other.id)
      links.get(place(other, one.typeId))?.delete(one.id)
    },
  }
  seedLinks(records, seed, self)
  return self
}

/** Contacts belong to companies; deals and tickets to both; everything else to one or the other. */
function seedLinks(records: CrmRecords, seed: number, links: Links): void {
  const draw = seededRandom(seed, 'links')
  const of = (name: string) => records.of(typeOf(name))
  const [contacts, companies, deals, tickets] = [of('contacts'), of('companies'), of('deals'), of('tickets')]
  let drawn = 0
  const any = (some: readonly CrmRecord[]) => pick(some, draw(drawn++))
  for (const contact of contacts) if (draw(drawn++) % 6 > 0) links.add(contact, any(companies), true)
  for (const record of [...deals, ...tickets]) {
    links.add(record, any(contacts))
    links.add(record, any(companies), true)
    if (draw(drawn++) % 3 === 0) links.add(record, any(contacts))
  }
  for (const item of of('line_items')) links.add(item, any(deals))
  for (const plural of ['quotes', 'leads', 'calls', 'emails', 'meetings', 'notes', 'tasks', '2-48213'])
    for (const record of of(plural)) {
      links.add(record, any(draw(drawn++) % 2 === 0 ? deals : contacts))
      if (draw(drawn++) % 3 === 0) links.add(record, any(tickets))
    }
}

/** The number of an association, which differs between its directions. */
const known: Readonly<Record<string, number>> = {
  'contact>company': 279,
  'company>contact': 280,
  'deal>contact': 3,
  'contact>deal': 4,
  'deal>company': 341,
  'company>deal': 342,
  'deal>line_item': 19,
  'line_item>deal': 20,
  'ticket>contact': 16,
  'contact>ticket': 15,
  'ticket>company': 339,
  'company>ticket': 340,
}

export interface Label {
  readonly category: 'HUBSPOT_DEFINED'
  readonly typeId: number
  readonly label: string | null
}

/** The labels of associations from one type to another: with and without "primary", where there is such a thing. */
export function labelsOf(from: ObjectType, to: ObjectType): { readonly plain: Label; readonly primary: Label | null } {
  const number =
    known[`${from.singular}>${to.singular}`] ?? 1000 + objectTypes.indexOf(from) * 100 + objectTypes.indexOf(to)
  const category = 'HUBSPOT_DEFINED'
  const hasPrimary = [from.plural, to.plural].includes('companies')
  return {
    plain: { category, typeId: number, label: null },
    primary: hasPrimary ? { category, typeId: number + 10_000, label: 'Primary' } : null,
  }
}
