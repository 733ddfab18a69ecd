/** Everything sealed, in SQLite. A sealed text begins with the form and the id of its key: `v1.<key>.…`. */
import { sql } from 'kysely'
import type { SealedRow, SealStore } from '../seals.ts'
import { db, type Queries } from './database.ts'

/** Where sealed texts stand, and by what their rows are found. */
const places = [
  { place: 'connector', table: 'connector_credentials', key: 'connector_id' },
  { place: 'consent', table: 'consents', key: 'state_hash' },
  { place: 'grant', table: 'grants', key: 'secret_hash' },
] as const

export function sealStore(queries: Queries): SealStore {
  // Compared by its beginning rather than with LIKE, for which letters have no case and an underscore is anything.
  const notBy = (keyId: string) => {
    const beginning = `v1.${keyId}.`
    return sql<boolean>`sealed is not null and substr(sealed, 1, ${beginning.length}) <> ${beginning}`
  }

  return {
    async countOthers(keyId) {
      const counts = places.map(({ table }) => {
        const query = sql<{ count: number }>`select count(*) as count from ${sql.table(table)} where ${notBy(keyId)}`
        return queries.first({ compile: () => query.compile(db) })?.count ?? 0
      })
      return counts.reduce((sum, count) => sum + count, 0)
    },

    async others(keyId, limit, after) {
      const found: SealedRow[] = []
      const first = after === null ? 0 : places.findIndex(({ place }) => place === after.place)
      for (const { place, table, key } of places.slice(first)) {
        const start = after?.place === place ? after.id : ''
        const query = sql<Omit<SealedRow, 'place'>>`
          select ${sql.ref(key)} as id, organization_id as "organizationId", sealed from ${sql.table(table)}
          where ${sql.ref(key)} > ${start} and ${notBy(keyId)} order by ${sql.ref(key)} limit ${limit - found.length}`
        found.push(...queries.all({ compile: () => query.compile(db) }).map((row) => ({ place, ...row })))
        if (found.length >= limit) break
      }
      return found
    },

    async reseal({ place, id, sealed: before }, sealed) {
      const { table, key } = places.find((one) => one.place === place)!
      const query = sql`
        update ${sql.table(table)} set sealed = ${sealed} where ${sql.ref(key)} = ${id} and sealed = ${before}`
      return queries.run({ compile: () => query.compile(db) }) > 0
    },
  }
}
