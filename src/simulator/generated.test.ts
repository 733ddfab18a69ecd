import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGenerated } from './generated.ts'
import { lazyRecords, plain } from './lazy-records.ts'
import { numberedIds } from './numbered-ids.ts'
import { addressOf, personName } from './people.ts'
import { afterAll, recordsOf } from './rows.ts'

interface Parcel {
  readonly id: string
  readonly rank: number
  readonly town: string
  readonly marks: readonly string[]
}

const ids = numberedIds({ parcel: '71', box: '712' }, { base: 100_000_000_000_000, step: 1_000 })
let worked = 0
const parcelFrom = lazyRecords<number, Parcel>({
  id: (n) => ids.idOf('parcel', n),
  rank: (n) => n,
  town: (n) => {
    worked += 1
    return n % 2 === 0 ? 'Oslo' : 'Bergen'
  },
  marks: [],
})

const parcels = () =>
  createGenerated<Parcel>(
    { name: 'parcels', records: [], key: ({ id }) => id },
    {
      at: (place) => (place < 10 ? parcelFrom(place) : undefined),
      placeOf: (id) => (ids.read(id)?.space === 'parcel' ? ids.indexOf(id) : undefined),
    },
  )
const places = { first: 0, step: 1, length: 10 }
const ranks = (town: string, from: ReturnType<typeof parcels>) =>
  recordsOf(from.by('town', town, places)).map(({ rank }) => rank)

test('a field of a generated record is worked out when it is read, and only then', () => {
  worked = 0
  const record = parcels().find(ids.idOf('parcel', 4))!
  assert.equal(record.rank, 4)
  assert.equal(worked, 0)
  assert.deepEqual(plain(record), { id: ids.idOf('parcel', 4), rank: 4, town: 'Oslo', marks: [] })
  assert.equal(worked, 1)
})

test('a changed record stays in its place, one with another value leaves the list, one of another rank moves', () => {
  const some = parcels()
  const change = (n: number, fields: Partial<Parcel>) =>
    some.add({ ...plain(some.find(ids.idOf('parcel', n))!), ...fields })
  change(4, { marks: ['fragile'] })
  change(2, { town: 'Bergen' })
  change(6, { rank: -1 })
  some.add({ id: 'new', rank: afterAll, town: 'Oslo', marks: [] })
  assert.deepEqual(ranks('Oslo', some), [-1, 0, 4, 8, afterAll])
  assert.deepEqual(ranks('Bergen', some), [1, 2, 3, 5, 7, 9])
  assert.deepEqual(some.find(ids.idOf('parcel', 4))!.marks, ['fragile'])
  assert.deepEqual(
    recordsOf(some.by('marks', 'fragile', places)).map(({ rank }) => rank),
    [4],
  )
})

test('an id says which record it is, and no other number does', () => {
  for (const space of ['parcel', 'box'] as const)
    for (const index of [0, 7, 20_000]) {
      const id = ids.idOf(space, index)
      assert.deepEqual(ids.read(id), { space, index })
      assert.equal(ids.read(String(BigInt(id) + 1n)), undefined)
    }
  assert.equal(ids.read('71'), undefined)
})

test('no two people have the same name, and their addresses are in plain letters', () => {
  const names = Array.from({ length: 4_900 }, (_, n) => personName(n))
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(addressOf(name, 'a.example'), /^[a-z.-]+@a\.example$/)
})
