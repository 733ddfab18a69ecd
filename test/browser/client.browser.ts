/** The client library in a page of a real browser: a scoped token, lists, pages, a download in part, and errors. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import type * as Library from '../../src/hosted.ts'
import { bundleForBrowsers } from '../bundle.ts'
import { type Hosted, startHosted } from '../hosted.ts'
import { startBrowser } from './browser.ts'

describe('the client library in a page', () => {
  let hosted: Hosted
  let browser: Browser
  let library: ReadonlyMap<string, string>
  const app = createServer(({ url }, response) => {
    const script = library.get(url!.slice(1).replace('conex.js', 'stdin.js'))
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? '<!doctype html><title>The program</title>')
  })
  let origin: string

  before(async () => {
    library = (await bundleForBrowsers('./src/hosted.ts', join(import.meta.dirname, '../..'))).files
    await once(app.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
    hosted = await startHosted({ settings: { allowedOrigins: [origin] } })
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await hosted?.close()
    app.closeAllConnections()
    app.close()
  })

  it('reads with the token of one end user', async () => {
    const page = await browser.newPage()
    await page.goto(origin)
    const given = {
      baseUrl: hosted.server.origin,
      token: hosted.ann,
      project: hosted.at.project!,
      file: hosted.at.attachment_text!,
    }
    const seen = await page.evaluate(async ({ baseUrl, token, project, file }) => {
      const { connect, ConexError, callTool, tools } = (await import('/conex.js' as string)) as typeof Library
      const asana = connect('asana', { baseUrl, token })
      const pages: number[] = []
      for await (const { result } of asana.tasks.list.pages({ project, limit: 4 })) pages.push(result.length)
      const download = await asana.attachments.download({ attachment_gid: file, range_header: 'bytes=0-5' })
      const refused = await asana.execute('tasks', 'list', { asignee: 'me' }).catch((error: unknown) => error)
      const local = await connect('asana', { credentials: { token } })
        .check()
        .catch((error: unknown) => error)
      return {
        pages,
        download: [download.status, download.headers.get('content-range'), await download.text()],
        refused: refused instanceof ConexError && [refused.code, refused.requestId?.length],
        local: local instanceof ConexError && local.message,
        told: await callTool(await tools(asana), 'asana_execute', { entity: 'workspaces', action: 'list' }),
      }
    }, given)
    assert.ok(seen.pages.length > 1)
    assert.deepEqual(seen.download, [206, 'bytes 0-5/77', 'Agreed'])
    assert.deepEqual(seen.refused, ['invalid_params', 36])
    assert.match(String(seen.local), /Node and Bun/)
    assert.match(seen.told, /^\[\{"gid":/)
  })

  it('is refused by the browser where the operator has not named the page', async () => {
    const page = await browser.newPage()
    await page.goto(origin.replace('127.0.0.1', 'localhost'))
    const message = await page.evaluate(
      async ({ baseUrl, token }) => {
        const { connect } = (await import('/conex.js' as string)) as typeof Library
        return connect('asana', { baseUrl, token }).check().then(String, String)
      },
      { baseUrl: hosted.server.origin, token: hosted.ann },
    )
    assert.match(message, /cannot be reached/)
  })
})
