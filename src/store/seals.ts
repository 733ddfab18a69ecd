/** Everything sealed, of all tenants, for sealing it anew under another key. A sealed text begins with the form and the id of its key: `v1.<key>.…`. */
import { sql } from 'kysely'
import { all, change, first, type Queries, type Steps } from './sql/steps.ts'

/** Where sealed texts stand, and by what their rows are found. */
const places = [
  { place: 'connector', table: 'connectorCredentials', key: 'connectorId' },
  { place: 'consent', table: 'consents', key: 'stateHash' },
  { place: 'grant', table: 'grants', key: 'secretHash' },
  { place: 'webhook', table: 'webhooks', key: 'id' },
] as const

/** A sealed text and its row, without the end user. */
export interface SealedRow {
  readonly place: (typeof places)[number]['place']
  /** The id of the connector or the webhook, or the hash that finds the consent or the grant. */
  readonly id: string
  readonly organizationId: string
  readonly sealed: string
}

export function sealStore(queries: Queries) {
  return {
    /** How many rows are not sealed with the key of this id. */
    async countOthers(keyId: string) {
      const count = sql.join(
        places.map(({ table }) => sql`(select count(*) from ${sql.table(table)} where ${notBy(keyId)})`),
        sql` + `,
      )
      const row = await queries.run(first(sql<{ count: number }>`select cast(${count} as integer) as count`))
      return row!.count
    },

    /** Rows that are not sealed with this key, in a fixed order, at most `limit`, after the given row. */
    others: (keyId: string, limit: number, after: Pick<SealedRow, 'place' | 'id'> | null) =>
      queries.run(others(keyId, limit, after)),

    /**
     * Puts the new text in the place of the one that was read; false when another has come there meanwhile. Versions stay: a
     * renewal that runs at the same time may still write over it, and nothing of the renewal is lost.
     */
    async reseal({ place, id, sealed: before }: SealedRow, sealed: string) {
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
      select ${sql.ref(key)} as id, organization_id, sealed from ${sql.table(table)}
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
