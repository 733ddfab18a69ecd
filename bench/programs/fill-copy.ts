/** Fills an empty copy with so many tasks, and says how far the memory of the process went up over that of a small copy. */
import { readFileSync } from 'node:fs'
import { openStore } from '../../src/store/open.ts'
import { beginCopy, catalog, writeTasks } from '../search-records.ts'

const { url, records } = JSON.parse(process.argv[2]!) as { url: string; records: number }

/** What the process holds for itself, in MiB: not the files that it has mapped into memory. */
const held = (): number => Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024

const store = await openStore(url, catalog)
const lease = await beginCopy(store)
/** The most that is held while these are written. */
async function most(from: number, to: number): Promise<number> {
  let highest = 0
  for (let at = from; at < to; at += 1000) {
    await writeTasks(store, lease, at, at + 1000)
    highest = Math.max(highest, held())
  }
  return highest
}
const small = records / 10
const before = await most(0, small)
const after = await most(small, records)
await store.close()
process.stdout.write(`${JSON.stringify({ small, before, after })}\n`)
