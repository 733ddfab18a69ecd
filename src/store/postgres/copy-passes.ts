/** Passes over an entity in PostgreSQL: how they begin, how far they have got, how they end. */
import { parseJson, stringifyJson } from '../../json.ts'
import type { Json } from '../../search/query.ts'
import type { Checkpoint, CopyStore, EntityState, Progress } from '../copy.ts'
import { partHash } from '../sql/part-hash.ts'
import { type CopyRow, checkLease, copyToWrite, findCopies, findCopy, lastErrorOf } from './copy-owner.ts'
import type { Database, Session } from './database.ts'

export function copyPasses(
  database: Database,
): Pick<CopyStore, 'begin' | 'checkpoint' | 'report' | 'finish' | 'fail' | 'states'> {
  return {
    async begin(tenant, copy, lease, full, now) {
      return database.transaction(async (session) => {
        await checkLease(session, tenant, lease)
        await session.run(
          `insert into copies (connector_id, kind, entity, status) values ($1, $2, $3, 'waiting')
          on conflict (connector_id, entity) do nothing`,
          copy.connectorId,
          copy.kind,
          copy.entity,
        )
        const before = await copyToWrite(session, tenant, copy, lease)
        // A pass that ended well, or was given up, has no start any more.
        const continued = before.pass_started_at !== null && (before.pass_is_full || !full)
        if (continued) await session.run(`update copies set status = 'running' where ${own}`, ...ownOf(copy))
        else {
          await session.run('delete from copy_checkpoints where copy = $1', before.number)
          await session.run(
            `update copies set status = 'running', pass = pass + 1, pass_is_full = $3, pass_started_at = $4,
              progress = null where ${own}`,
            ...ownOf(copy),
            full,
            now,
          )
        }
        const row = await copyToWrite(session, tenant, copy, lease)
        return {
          number: row.pass,
          full: row.pass_is_full,
          startedAt: row.pass_started_at!,
          continued,
          mark: parseJson(row.mark) as Json,
        }
      })
    },

    async checkpoint(tenant, copy, part) {
      const row = await findCopy(database, tenant, copy)
      if (row === null) return null
      const sql = 'select value from copy_checkpoints where copy = $1 and part_hash = $2'
      const found = await database.first<{ value: string }>(sql, row.number, partHash(part))
      return found === undefined ? null : (parseJson(found.value) as Json)
    },

    async report(tenant, copy, lease, progress) {
      await database.transaction(async (session) => {
        await copyToWrite(session, tenant, copy, lease)
        await session.run(`update copies set progress = $3 where ${own}`, ...ownOf(copy), JSON.stringify(progress))
      })
    },

    async finish(tenant, copy, lease, mark, now, complete) {
      await database.transaction(async (session) => {
        const { number, pass_started_at: startedAt } = await copyToWrite(session, tenant, copy, lease)
        if (startedAt === null) return
        await session.run('delete from copy_checkpoints where copy = $1', number)
        await session.run(
          `update copies set status = 'finished', complete = coalesce($5, complete or pass_is_full), synced_at = pass_started_at,
            pass_started_at = null, mark = $3, finished_at = $4, error_code = null, error_detail = null,
            error_at = null, progress = null where ${own}`,
          ...ownOf(copy),
          stringifyJson(mark),
          now,
          complete ?? null,
        )
      })
    },

    async fail(tenant, copy, lease, error, now, giveUp = false) {
      await database.transaction(async (session) => {
        const { number } = await copyToWrite(session, tenant, copy, lease)
        await session.run(
          `update copies set status = 'failed', complete = complete and not pass_is_full, error_code = $3,
            error_detail = $4, error_at = $5 where ${own}`,
          ...ownOf(copy),
          error.code,
          error.detail,
          now,
        )
        if (!giveUp) return
        await session.run('delete from copy_checkpoints where copy = $1', number)
        await session.run(`update copies set pass_started_at = null where ${own}`, ...ownOf(copy))
      })
    },

    async states(tenant, connectorId) {
      return (await findCopies(database, tenant, connectorId)).map(stateOf)
    },
  }
}

/** The row of a copy, found by the key that leads with the connector. */
export const own = 'connector_id = $1 and entity = $2'
export const ownOf = ({ connectorId, entity }: { readonly connectorId: string; readonly entity: string }) =>
  [connectorId, entity] as const

/** Writes where a part of the running pass got to. */
export async function writeCheckpoint(session: Session, copy: number, { part, value }: Checkpoint): Promise<void> {
  const hash = partHash(part)
  if (value === null) await session.run('delete from copy_checkpoints where copy = $1 and part_hash = $2', copy, hash)
  else
    await session.run(
      `insert into copy_checkpoints (copy, part_hash, value) values ($1, $2, $3)
      on conflict (copy, part_hash) do update set value = excluded.value`,
      copy,
      hash,
      stringifyJson(value),
    )
}

function stateOf(row: CopyRow): EntityState {
  return {
    entity: row.entity,
    status: row.status,
    records: row.records,
    mark: parseJson(row.mark) as Json,
    complete: row.complete,
    syncedAt: row.synced_at,
    finishedAt: row.finished_at,
    lastError: lastErrorOf(row),
    progress: row.progress === null ? null : (JSON.parse(row.progress) as Progress),
  }
}
