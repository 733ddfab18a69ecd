/** The CRM records of the simulated account: made from a seed, changed on demand, associated with each other. */
import { addressOf, type Clock, type Collection, createCollection, pick, seededRandom } from '../../../kit/simulator.ts'
import { type ObjectType, objectTypes, type PropertyDefinition, typeOf } from './object-types.ts'

export interface EarlierValue {
  readonly value: string
  readonly timestamp: string
  readonly sourceType: string
}

export interface CrmRecord {
  /** `<type id>/<id>`. */
  readonly key: string
  readonly typeId: string
  readonly id: string
  /** Unset properties are absent. */
  readonly properties: Readonly<Record<string, string>>
  readonly history: Readonly<Record<string, readonly EarlierValue[]>>
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt?: number
}

export interface CrmRecords {
  readonly all: Collection<CrmRecord>
  of(type: ObjectType): readonly CrmRecord[]
  find(type: ObjectType, id: string): CrmRecord | undefined
  /** The records of a type as the index of the search has them, which lags behind. */
  indexed(type: ObjectType): readonly CrmRecord[]
  /** So many alike; returns the last one. */
  create(type: ObjectType, properties: Readonly<Record<string, string>>, times?: number): CrmRecord
  /** Moves the time of change, and keeps the earlier values. */
  update(record: CrmRecord, properties: Readonly<Record<string, string>>, at?: number): CrmRecord
  archive(record: CrmRecord): void
  restore(record: CrmRecord): void
  remove(record: CrmRecord): void
  /** The loser goes; its id leads to the winner. */
  merge(winner: CrmRecord, loser: CrmRecord): void
  /** How far the index of the search is behind. */
  readonly index: { lagSeconds: number }
}

const minute = 60_000
const start = Date.UTC(2025, 2, 3, 9)

const firstNames = ['Ana', 'Bo', 'Chidi', 'Dana', 'Emre', 'Fatima', 'Goran', 'Hana', 'Iris', 'João', 'Kofi', 'Łukasz']
const lastNames = ['Adeyemi', 'Berg', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'García', 'Horvat', 'Ito', 'Jensen']
const words = 'Alder Birch Cedar Dune Ember Fjord Grove Harbor Inlet Juniper Kestrel Lark'.split(' ')

const iso = (moment: number): string => new Date(moment).toISOString()

export function makeCrmRecords(seed: number, scale: number, clock: Clock): CrmRecords {
  const all = createCollection<CrmRecord>({
    name: 'records',
    records: objectTypes.flatMap((type, place) => seededRecords(type, place, seed, scale)),
    key: ({ key }) => key,
    order: (a, b) => Number(a.id) - Number(b.id),
  })
  const merged = new Map<string, string>()
  const versions = new Map<string, { readonly at: number; readonly record: CrmRecord | null }[]>()
  const index = { lagSeconds: 0 }

  /** Remembers what the index still has. */
  function stale(key: string, record: CrmRecord | null): void {
    if (index.lagSeconds === 0) return
    const now = clock.now()
    const kept = (versions.get(key) ?? []).filter(({ at }) => at > now - index.lagSeconds * 1000)
    versions.set(key, [...kept, { at: now, record }])
  }

  function put(record: CrmRecord): CrmRecord {
    stale(record.key, all.find(record.key) ?? null)
    return all.add(record)
  }

  const of = (type: ObjectType): readonly CrmRecord[] => all.by('typeId', type.typeId)

  return {
    all,
    of,
    index,
    find(type, id) {
      const key = `${type.typeId}/${id}`
      return all.find(merged.get(key) ?? key)
    },
    indexed(type) {
      const since = clock.now() - index.lagSeconds * 1000
      // The oldest version that was replaced within the lag is what the index still has.
      const asIndexed = (record: CrmRecord) => {
        const earlier = versions.get(record.key)?.find(({ at }) => at > since)
        return earlier === undefined ? record : earlier.record
      }
      return of(type)
        .map(asIndexed)
        .filter((record) => record !== null)
        .filter(({ archivedAt }) => archivedAt === undefined)
    },
    create(type, properties, times = 1) {
      const now = clock.now()
      const last = of(type).at(-1)
      const first = last === undefined ? firstId(objectTypes.indexOf(type)) : Number(last.id) + 17
      const made = Array.from({ length: times }, (_, n) => put(recordOf(type, first + n * 17, now, properties)))
      return made.at(-1)!
    },
    update(record, properties, at = clock.now()) {
      const { changed } = typeOf(record.typeId)
      const values = { ...record.properties, ...properties, [changed]: iso(at) }
      const earlier = Object.keys(properties).map((name) => [
        name,
        [historyEntry(properties[name]!, iso(at)), ...(record.history[name] ?? [])],
      ])
      return put({
        ...record,
        properties: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
        history: { ...record.history, ...Object.fromEntries(earlier) },
        updatedAt: at,
      })
    },
    // Archiving changes no other time.
    archive: (record) => void put({ ...record, archivedAt: clock.now() }),
    restore(record) {
      const { archivedAt: _, ...rest } = record
      put(rest)
    },
    remove(record) {
      all.remove(record.key)
    },
    merge(winner, loser) {
      const ids = [winner.properties.hs_merged_object_ids, loser.id].filter(Boolean).join(';')
      this.update(winner, { hs_merged_object_ids: ids })
      all.remove(loser.key)
      merged.set(loser.key, winner.key)
    },
  }
}

const historyEntry = (value: string, timestamp: string): EarlierValue => ({ value, timestamp, sourceType: 'CRM_UI' })

/** Beyond 32 bits, as ids are by now. */
const firstId = (place: number): number => 21_000_000_501 + place * 10_000_000_000

function recordOf(
  type: ObjectType,
  id: number,
  createdAt: number,
  given: Readonly<Record<string, string>>,
  updatedAt = createdAt,
): CrmRecord {
  const created = iso(createdAt)
  const properties = {
    ...given,
    hs_object_id: String(id),
    [type.created]: created,
    [type.changed]: iso(updatedAt),
  }
  const history = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, [historyEntry(value, created)]]),
  )
  return { key: `${type.typeId}/${id}`, typeId: type.typeId, id: String(id), properties, history, createdAt, updatedAt }
}

/** Every type has a few, of which one in twelve is archived. */
function seededRecords(type: ObjectType, place: number, seed: number, scale: number): CrmRecord[] {
  const draw = seededRandom(seed, type.plural)
  return Array.from({ length: Math.max(4, Math.round(scale * type.share)) }, (_, n) => {
    const createdAt = start + n * 47 * minute + (draw(n * 5) % 60_000)
    const updatedAt = createdAt + (draw(n * 5 + 1) % 40_000) * minute
    const given = Object.fromEntries(
      type.properties.flatMap((property, index) => {
        const value = seededValue(property, n, draw(n * 1000 + index))
        return value === '' ? [] : [[property.name, value]]
      }),
    )
    const record = recordOf(type, firstId(place) + n * 17, createdAt, given, updatedAt)
    return n % 12 === 3 ? { ...record, archivedAt: updatedAt + 60 * minute } : record
  })
}

/** Empty where a record has no such value. */
function seededValue(
  { name, type, options, isArchived, sensitivity }: PropertyDefinition,
  n: number,
  drawn: number,
): string {
  const word = pick(words, drawn)
  if (name.startsWith('survey_answer')) return drawn % 40 === 0 ? word : ''
  switch (name) {
    case 'email':
      return addressOf(pick(firstNames, drawn), `${word.toLowerCase()}${n}.example`)
    case 'firstname':
      return pick(firstNames, drawn)
    case 'lastname':
      return n % 5 === 4 ? '' : pick(lastNames, drawn)
    case 'domain':
      return `${word.toLowerCase()}${n}.example`
    case 'hubspot_owner_id':
      return drawn % 3 === 0 ? '' : String(71_000_001 + (drawn % 6))
    case 'hs_merged_object_ids':
    case 'associatedcompanyid':
    case 'hs_object_id':
      return ''
  }
  // The one time of change that contacts have beside their own is empty ("Search the CRM").
  if (isArchived || sensitivity === 'sensitive' || /date$/.test(name.replace('hs_expiration_date', 'end'))) {
    if (name !== 'closedate') return ''
  }
  switch (type) {
    case 'number':
      return drawn % 7 === 0 ? '' : drawn % 2 === 0 ? String(drawn % 900) : `${drawn % 900}.5`
    case 'bool':
      return String(drawn % 2 === 0)
    case 'datetime':
      return iso(start + (drawn % 500_000) * minute)
    case 'enumeration':
      return pick(options, drawn)
    default:
      return drawn % 11 === 0 ? '' : `${word} ${name.replaceAll(/^hs_|_/g, ' ').trim()} ${n + 1}`
  }
}
