/** The hosted mode in browsers and edge runtimes: it is small, and nothing of it needs Node. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { belongsInBrowsers, belongsToTools, bundleForBrowsers } from './bundle.ts'

const root = join(import.meta.dirname, '..')

/** What the library may weigh in a browser, minified: a little more than it did when it learned to read events and to manage webhooks, and its tools came to be loaded later. */
const mostBytes = 28_000

/** What the tools of agents may add when a program first asks for them. Nine tenths of it are TypeBox. */
const mostBytesOfTools = 190_000

it('the library for browsers has no engine, no connector, no other package and nothing of Node in it', async (t) => {
  const { start, later } = await bundleForBrowsers('./src/hosted.ts', root)
  for (const path of start.inputs) assert.ok(belongsInBrowsers(path), path)
  assert.ok(start.inputs.includes('src/client/conex.ts') && !start.inputs.includes('src/client/local.ts'))
  assert.ok(
    start.bytes <= mostBytes,
    `${start.bytes} bytes; find what made it larger, or raise the ceiling with a reason`,
  )
  for (const path of later.inputs) assert.ok(belongsToTools(path), path)
  assert.ok(later.bytes <= mostBytesOfTools, `${later.bytes} bytes of tools`)
  t.diagnostic(`${start.bytes} bytes, minified, and ${later.bytes} for tools`)
})

it('the library for Node cannot be bundled for browsers, so that the test above can fail', async () => {
  await assert.rejects(bundleForBrowsers('./src/index.ts', root), /node:|Could not resolve/)
})
