import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { copySuite } from '../copy.suite.ts'
import { ledgerSuite } from '../ledgers.suite.ts'
import { openStore } from '../open.ts'
import { searchSuite } from '../search.suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-copies-'))
after(() => rmSync(folder, { recursive: true }))

copySuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'copies.db')}`, catalog))
ledgerSuite('SQLite', () => openStore(`sqlite:${join(folder, 'ledgers.db')}`))
searchSuite('SQLite', (catalog) => openStore(`sqlite:${join(folder, 'search.db')}`, catalog))
