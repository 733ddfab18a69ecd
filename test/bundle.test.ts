/** The hosted mode in browsers and edge runtimes: it is small, and nothing of it needs Node. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { belongsInBrowsers, bundleForBrowsers } from './bundle.ts'

const root = join(import.meta.dirname, '..')

/** What the whole library may weigh in a browser, minified: a little more than it did when it learned to read events and to manage webhooks. */
const mostBytes = 32_000

it('the library for browsers has no engine, no connector, no other package and nothing of Node in it', async (t) => {
  const { inputs, bytes } = await bundleForBrowsers('./src/hosted.ts', root)
  const files = inputs.filter((path) => path !== '<stdin>')
  for (const path of files) assert.ok(belongsInBrowsers(path), path)
  assert.ok(files.includes('src/client/conex.ts') && !files.includes('src/client/local.ts'))
  assert.ok(bytes <= mostBytes, `${bytes} bytes; find what made it larger, or raise the ceiling with a reason`)
  t.diagnostic(`${bytes} bytes, minified`)
})

it('the library for Node cannot be bundled for browsers, so that the test above can fail', async () => {
  await assert.rejects(bundleForBrowsers('./src/index.ts', root), /node:|Could not resolve/)
})
