/** A thread that runs SQL by hand for whoever must not wait for it. The bytes that it gives go back uncopied. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Statement } from 'better-sqlite3'
import { openForReading } from '../search-sqlite.ts'

// As the threads that search.
if (process.platform === 'linux') setPriority(10)
const database = openForReading((workerData as { readonly file: string }).file)
const statements = new Map<string, Statement<[], Uint8Array<ArrayBuffer>>>()

parentPort!.on('message', (sql: string) => {
  let statement = statements.get(sql)
  if (statement === undefined) {
    statement = database.prepare<[], Uint8Array<ArrayBuffer>>(sql).pluck()
    statements.set(sql, statement)
  }
  const bytes = statement.get()!
  parentPort!.postMessage(bytes, [bytes.buffer])
})
