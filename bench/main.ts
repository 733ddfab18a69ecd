/** `npm run bench`: measures Conex beside the least that could do the same work, in one run, and prints the ratios. */
import { parseArgs } from 'node:util'
import { benchAgent } from './agent.ts'
import { benchBesidePostgres, benchBesideSqlite } from './beside-search.ts'
import { benchDownload } from './download.ts'
import { benchExecute } from './execute.ts'
import type { Row } from './row.ts'
import { benchSearch, type SearchOptions } from './search.ts'
import { placePostgres, placeSqlite } from './search-place.ts'
import { benchStart } from './start.ts'
import { benchSyncPostgres, benchSyncSqlite } from './sync-copy.ts'

const benches: Record<string, (options: SearchOptions) => Promise<Row>> = {
  execute: benchExecute,
  download: benchDownload,
  start: benchStart,
  agent: benchAgent,
  'search-sqlite': (options) => benchSearch(placeSqlite, options),
  'search-postgres': (options) => benchSearch(placePostgres, options),
  'beside-sqlite': benchBesideSqlite,
  'beside-postgres': benchBesidePostgres,
  'sync-sqlite': benchSyncSqlite,
  'sync-postgres': benchSyncPostgres,
}

const { values: given, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many records are searched. */
    records: { type: 'string', default: '1000000' },
    questions: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '10' },
    only: { type: 'string' },
    sqlite: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    /** A folder for filled databases, which takes minutes once. */
    keep: { type: 'string' },
    /** After a change of the tables of copies. */
    refill: { type: 'boolean', default: false },
  },
})
const options: SearchOptions = {
  records: Number(given.records),
  questions: Number(given.questions),
  seed: Number(given.seed),
  worst: Number(given.worst),
  refill: given.refill,
  ...(given.only !== undefined && { only: given.only.split(',').map(Number) }),
  ...(given.keep !== undefined && { keep: given.keep }),
}
const unknown = chosen.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.\n`)
  process.exit(2)
}

process.stdout.write(`Node ${process.version}, ${process.platform} ${process.arch}\n\n`)
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  if (given.sqlite !== given.postgres && !name.endsWith(given.sqlite ? '-sqlite' : '-postgres')) continue
  process.stderr.write(`${name}…\n`)
  const { what, against, ratio, wanted, reached, details } = await bench(options)
  process.stdout.write(
    `${reached ? 'reached' : 'MISSED '}  ${ratio.toFixed(2)} (wanted ${wanted})  ${what}, against ${against}\n`,
  )
  for (const detail of details) process.stdout.write(`           ${detail}\n`)
}
