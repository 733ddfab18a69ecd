import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import Database from 'better-sqlite3'
import { copySuite } from '../copy.suite.ts'
import { copyLeasesSuite } from '../copy-leases.suite.ts'
import { ledgerSuite } from '../ledgers.suite.ts'
import { openStore, sqliteFile } from '../open.ts'
import { overviewSuite } from '../overview.suite.ts'
import { rolloutSuite } from '../rollout.suite.ts'
import { scheduleSuite } from '../schedule.suite.ts'
import { searchSuite } from '../search.suite.ts'
import { searchNumbersSuite } from '../search-numbers.suite.ts'
import { searchValuesSuite } from '../search-values.suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-copies-'))
after(() => rmSync(folder, { recursive: true }))

copySuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'copies.db')}`, catalog))
ledgerSuite('SQLite', () => openStore(`sqlite:${join(folder, 'ledgers.db')}`))
overviewSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'overview.db')}`, catalog))
scheduleSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'schedule.db')}`, catalog))
searchSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'search.db')}`, catalog))
copyLeasesSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'leases.db')}`, catalog))
searchValuesSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'values.db')}`, catalog))
searchNumbersSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'numbers.db')}`, catalog))

let rollouts = 0
rolloutSuite(
  'SQLite',
  async () => `sqlite:${join(folder, `rollout-${++rollouts}.db`)}`,
  async (url, sql) => {
    const database = new Database(sqliteFile(url)!)
    try {
      return database.prepare(sql).all() as object[]
    } finally {
      database.close()
    }
  },
)
