/** Whole consents as an end user sees them: from the program's page to the consent page and back, in a real browser. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type LandingOptions, startLanding } from '../../src/cli/demo/landing.ts'
import { catalog } from '../../src/connectors/index.ts'
import { type Consenting, consentKinds, startConsenting } from '../consenting.ts'
import { connectors, type Hosted, isFine, startHosted } from '../hosted.ts'
import { startBrowser } from './browser.ts'

describe('in a browser', () => {
  let hosted: Hosted
  let consenting: Consenting
  let browser: Browser
  const app = createServer((_request, response) => response.end('<!doctype html><title>The program</title>'))
  let appUrl: string

  before(async () => {
    browser = await startBrowser()
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
    await once(app.listen(0, '127.0.0.1'), 'listening')
    appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}/connected?from=settings`
  })
  after(async () => {
    await browser?.close()
    await hosted?.close()
    app.closeAllConnections()
    app.close()
  })

  async function inPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const context = await browser.newContext()
    try {
      return await work(await context.newPage())
    } finally {
      await context.close()
    }
  }

  for (const [kind, more] of Object.entries(consentKinds)) {
    const { title } = catalog[kind as keyof typeof catalog]

    it(`a person allows ${title}, and a connector is made of it`, async () => {
      const consentUrl = await consenting.consentUrl({ connector_type: kind, redirect_url: appUrl })
      const end = await inPage(async (page) => {
        await page.goto(consentUrl)
        assert.match(await page.title(), /: allow access\?$/)
        assert.ok((await page.locator('li').count()) > 0)
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(/\/connected/)
        assert.equal(await page.title(), 'The program')
        return new URL(page.url())
      })
      assert.equal(end.searchParams.get('from'), 'settings')
      const made = await consenting.create({
        connector_type: kind,
        server_side_oauth_secret_id: end.searchParams.get('secret_id'),
        ...more,
      })
      assert.equal(made.status, 201, made.text)
      const { token } = await hosted.server.issueToken('ann')
      const checked = await hosted.call('POST', `${connectors}/${made.body.id}/check`, { token, body: {} })
      assert.equal(isFine(checked).status, 'healthy')
    })

    it(`a person denies ${title}, and the program is told`, async () => {
      const consentUrl = await consenting.consentUrl({ connector_type: kind, redirect_url: appUrl })
      const end = await inPage(async (page) => {
        await page.goto(consentUrl)
        await page.getByRole('button', { name: 'Deny' }).click()
        await page.waitForURL(/\/connected/)
        return new URL(page.url())
      })
      assert.deepEqual(
        [end.searchParams.get('error'), end.searchParams.get('secret_id'), end.searchParams.get('from')],
        ['access_denied', null, 'settings'],
      )
    })
  }

  it('going back and allowing once more ends at an error that the person can read', async () => {
    const consentUrl = await consenting.consentUrl({ connector_type: 'asana', redirect_url: appUrl })
    await inPage(async (page) => {
      await page.goto(consentUrl)
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(/\/connected/)
      await page.goto(consentUrl)
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(/\/oauth\/callback/)
      assert.match((await page.textContent('body'))!, /start again/)
      assert.ok(page.url().startsWith(hosted.server.origin))
    })
  })

  it('the demo’s own page connects every kind by two clicks', async () => {
    const kinds: LandingOptions['kinds'] = Object.entries(consentKinds).map(([connector_type, more]) => ({
      connector_type,
      title: catalog[connector_type as keyof typeof catalog].title,
      ...more,
    }))
    const token = async () => (await hosted.server.issueToken()).token
    const landing = await startLanding({ origin: hosted.server.origin, endUser: 'demo', kinds, token })
    await inPage(async (page) => {
      for (const { title } of kinds) {
        await page.goto(landing.origin)
        await page.getByRole('link', { name: `Connect ${title}` }).click()
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(/\/connected/)
        assert.match((await page.textContent('body'))!, new RegExp(`${title} is connected[\\s\\S]*healthy`))
      }
      await page.goto(landing.origin)
      await page.getByRole('link', { name: 'Connect Slack' }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.waitForURL(/\/connected/)
      assert.match((await page.textContent('body'))!, /Slack was not connected/)
    })
    await landing.close()
  })
})
