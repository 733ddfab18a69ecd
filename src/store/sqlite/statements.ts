/** Runs statements of callers on a SQLite file, in processes of their own. */
import { Semaphore } from '../../semaphore.ts'
import type { SearchableEntity } from '../entity-tables.ts'
import { Helper, TookTooLong, TookTooMuch } from '../statements/helper.ts'
import { type SelectFromCopies, type StatementBounds, tooMuchMemory, tooSlow } from '../statements/statement.ts'
import type { SelectedBytes, StatementJob } from './statement-process.ts'

/** More at once would slow down requests, and each may take much memory. */
const mostAtOnce = 2

/** Longer texts stay the bytes that they are. */
const longText = 64 * 1024

export function sqliteStatements(file: string, entities: readonly SearchableEntity[], bounds: StatementBounds) {
  const helper = new Helper('statement-process', import.meta.url)
  const slots = new Semaphore(mostAtOnce)
  const select: SelectFromCopies = (tenant, connector, statement, signal) =>
    slots.run(
      connector.connectorId,
      async () => {
        const own = entities.filter(({ kind }) => kind === connector.kind)
        const job: StatementJob = { file, tenant, connector, entities: own, statement }
        try {
          const { rows, ...selected } = await helper.run<SelectedBytes>(job, bounds.limitMs, signal)
          const bytes = Buffer.from(rows.buffer as ArrayBuffer, rows.byteOffset, rows.byteLength)
          return { ...selected, rows: bytes.length > longText ? bytes : bytes.toString() }
        } catch (error) {
          if (error instanceof TookTooLong) throw tooSlow(bounds)
          throw error instanceof TookTooMuch ? tooMuchMemory() : error
        }
      },
      signal,
    )
  return { select, close: () => helper.close() }
}
