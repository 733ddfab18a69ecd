/** The page of documents as people see it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Hosted, startHosted } from '../hosted.ts'
import { startBrowser } from './browser.ts'

let hosted: Hosted
let browser: Browser

before(async () => {
  hosted = await startHosted()
  browser = await startBrowser()
})
after(async () => {
  await browser?.close()
  await hosted?.close()
})

it('shows routes and operations with its own style, and asks nobody else for anything', async () => {
  const page = await browser.newPage()
  const complaints: string[] = []
  const asked: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${hosted.server.origin}/docs`)
  const entity = page.locator('details', { has: page.locator('summary', { hasText: 'workspace_task_search' }) })
  assert.equal(await entity.locator('pre').first().isVisible(), false)
  await entity.locator('summary').click()
  assert.match((await entity.locator('pre').first().textContent())!, /^curl -s "http:.*\/execute" \\/)
  // The style is in force.
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.method')).fontWeight"), '700')
  const size = { width: 360, height: 700 }
  await page.setViewportSize(size)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), size.width)
  assert.deepEqual(complaints, [])
  assert.ok(asked.every((url) => new URL(url).origin === hosted.server.origin))
  await page.close()
})
