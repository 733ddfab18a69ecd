/** Everything sealed. A sealed text begins with the form and the id of its key: `v1.<key>.…`. */
import { sql } from 'kysely'
import type { SealedRow, SealStore } from '../seals.ts'
import { all, change, first, type Queries, type Steps } from './steps.ts'

/** Where sealed texts stand, and by what their rows are found. */
const places = [
  { place: 'connector', table: 'connector_credentials', key: 'connector_id' },
  { place: 'consent', table: 'consents', key: 'state_hash' },
  { place: 'grant', table: 'grants', key: 'secret_hash' },
] as const

export function sealStore(queries: Queries): SealStore {
  return {
    async countOthers(keyId) {
      const count = sql.join(
        places.map(({ table }) => sql`(select count(*) from ${sql.table(table)} where ${notBy(keyId)})`),
        sql` + `,
      )
      const row = await queries.run(first(sql<{ count: number | string }>`select ${count} as count`))
      return Number(row!.count)
    },

    others: (keyId, limit, after) => queries.run(others(keyId, limit, after)),

    async reseal({ place, id, sealed: before }, sealed) {
      const { table, key } = places.find((one) => one.place === place)!
      const query = sql`
        update ${sql.table(table)} set sealed = ${sealed} where ${sql.ref(key)} = ${id} and sealed = ${before}`
      return (await queries.run(change(query))) > 0
    },
  }
}

function* others(keyId: string, limit: number, after: Pick<SealedRow, 'place' | 'id'> | null): Steps<SealedRow[]> {
  const found: SealedRow[] = []
  const start = after === null ? 0 : places.findIndex(({ place }) => place === after.place)
  for (const { place, table, key } of places.slice(start)) {
    const last = after?.place === place ? after.id : ''
    const rows = yield* all(sql<Omit<SealedRow, 'place'>>`
      select ${sql.ref(key)} as id, organization_id as "organizationId", sealed from ${sql.table(table)}
      where ${sql.ref(key)} > ${last} and ${notBy(keyId)} order by ${sql.ref(key)} limit ${limit - found.length}`)
    found.push(...rows.map((row) => ({ place, ...row })))
    if (found.length >= limit) break
  }
  return found
}

/** Compared by its beginning rather than with LIKE, for which letters may have no case and an underscore is anything. */
const notBy = (keyId: string) => {
  const beginning = `v1.${keyId}.`
  return sql<boolean>`sealed is not null and substr(sealed, 1, ${sql.lit(beginning.length)}) <> ${beginning}`
}
