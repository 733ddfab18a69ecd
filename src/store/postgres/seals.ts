/** Everything sealed, in PostgreSQL. A sealed text begins with the form and the id of its key: `v1.<key>.…`. */
import { type RawBuilder, sql } from 'kysely'
import type { SealedRow, SealStore } from '../seals.ts'
import { type Database, db, type Value } from './database.ts'

/** Where sealed texts stand, and by what their rows are found. */
const places = [
  { place: 'connector', table: 'connector_credentials', key: 'connector_id' },
  { place: 'consent', table: 'consents', key: 'state_hash' },
  { place: 'grant', table: 'grants', key: 'secret_hash' },
] as const

export function sealStore(database: Database): SealStore {
  // Compared by its beginning rather than with LIKE, for which letters have no case and an underscore is anything.
  const notBy = (keyId: string) => {
    const beginning = `v1.${keyId}.`
    return sql<boolean>`sealed is not null and left(sealed, ${sql.lit(beginning.length)}) <> ${beginning}`
  }

  return {
    async countOthers(keyId) {
      let sum = 0
      for (const { table } of places) {
        const query = sql`select count(*)::int as count from ${sql.table(table)} where ${notBy(keyId)}`
        sum += (await database.first<{ count: number }>(...written(query)))!.count
      }
      return sum
    },

    async others(keyId, limit, after) {
      const found: SealedRow[] = []
      const first = after === null ? 0 : places.findIndex(({ place }) => place === after.place)
      for (const { place, table, key } of places.slice(first)) {
        const start = after?.place === place ? after.id : ''
        const query = sql`
          select ${sql.ref(key)} as id, organization_id as "organizationId", sealed from ${sql.table(table)}
          where ${sql.ref(key)} > ${start} and ${notBy(keyId)} order by ${sql.ref(key)} limit ${limit - found.length}`
        const rows = await database.all<Omit<SealedRow, 'place'>>(...written(query))
        found.push(...rows.map((row) => ({ place, ...row })))
        if (found.length >= limit) break
      }
      return found
    },

    async reseal({ place, id, sealed: before }, sealed) {
      const { table, key } = places.find((one) => one.place === place)!
      const query = sql`
        update ${sql.table(table)} set sealed = ${sealed} where ${sql.ref(key)} = ${id} and sealed = ${before}`
      return (await database.run(...written(query))) > 0
    },
  }
}

function written(query: RawBuilder<unknown>): readonly [sql: string, ...values: Value[]] {
  const { sql: text, parameters } = query.compile(db)
  return [text, ...(parameters as readonly Value[])]
}
