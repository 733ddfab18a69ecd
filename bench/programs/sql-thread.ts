/** A thread that runs SQL by hand for whoever must not wait for it: the text of the one value it gives goes back as bytes, uncopied. */
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
    statement = database.prepare<[], Uint8Array<ArrayBuffer>>(`select cast((${sql}) as blob)`).pluck()
    statements.set(sql, statement)
  }
  const bytes = statement.get()!
  parentPort!.postMessage(bytes, [bytes.buffer])
})
