/** `npm run docs`: prints the pages that come from code. With `--check`, it fails if a committed page differs. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalog } from '../../connectors/index.ts'
import { connectorPage } from './connector-page.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { metricsPage } from './metrics-page.ts'

const pages: Record<string, string> = {
  'docs/errors.md': errorsPage(),
  'docs/events.md': eventsPage(),
  'docs/metrics.md': metricsPage(),
}
for (const connector of Object.values(catalog)) pages[`docs/connectors/${connector.kind}.md`] = connectorPage(connector)

const root = fileURLToPath(new URL('../../..', import.meta.url))
const check = process.argv.includes('--check')
for (const [path, page] of Object.entries(pages)) {
  const file = join(root, path)
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known === page) continue
  if (check) {
    process.stderr.write(`${path} differs from the code; run npm run docs and commit it\n`)
    process.exitCode = 1
  } else {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, page)
    process.stdout.write(`printed ${path}\n`)
  }
}
