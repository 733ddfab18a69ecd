/** `npm run bench`: measures Conex beside the least that could do the same work, in one run, and prints the ratios. */
import { benchBesidePostgres, benchBesideSqlite } from './beside-search.ts'
import { benchDownload } from './download.ts'
import { benchExecute } from './execute.ts'
import type { Row } from './row.ts'
import { benchSearchPostgres, benchSearchSqlite, type SearchOptions } from './search.ts'
import { benchStart } from './start.ts'
import { benchSyncPostgres, benchSyncSqlite } from './sync-copy.ts'

const benches: Record<string, (options: SearchOptions) => Promise<Row>> = {
  execute: benchExecute,
  download: benchDownload,
  start: benchStart,
  'search-sqlite': benchSearchSqlite,
  'search-postgres': benchSearchPostgres,
  'beside-sqlite': benchBesideSqlite,
  'beside-postgres': benchBesidePostgres,
  'sync-sqlite': benchSyncSqlite,
  'sync-postgres': benchSyncPostgres,
}

// A copy takes minutes to fill, so that a SQLite file may be given: --file=…; and --records=… takes another number of them.
const given = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(`--${name}=`.length)
const file = given('file')
const options: SearchOptions = { ...(file && { file }), records: Number(given('records') ?? 1_000_000) }
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = chosen.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.\n`)
  process.exit(2)
}

process.stdout.write(`Node ${process.version}, ${process.platform} ${process.arch}\n\n`)
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  process.stderr.write(`${name}…\n`)
  const { what, against, ratio, wanted, reached, details } = await bench(options)
  process.stdout.write(
    `${reached ? 'reached' : 'MISSED '}  ${ratio.toFixed(2)} (wanted ${wanted})  ${what}, against ${against}\n`,
  )
  for (const detail of details) process.stdout.write(`           ${detail}\n`)
}
