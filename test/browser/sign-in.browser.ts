/** How a person connects a program of an agent: the sign-in page in a real browser, from the program and back to it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Hosted, startHosted } from '../hosted.ts'
import { startBrowser } from './browser.ts'
import { openThemed } from './themed-page.ts'

describe('the sign-in page in a browser', () => {
  let hosted: Hosted
  let browser: Browser
  const program = createServer((_request, response) => response.end('<!doctype html><title>The program</title>'))
  let returnsTo: string

  before(async () => {
    browser = await startBrowser()
    hosted = await startHosted()
    await once(program.listen(0, '127.0.0.1'), 'listening')
    returnsTo = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
  })
  after(async () => {
    await browser?.close()
    await hosted?.close()
    program.closeAllConnections()
    program.close()
  })

  async function pageAddress(): Promise<string> {
    const body = { client_name: 'Agent Desk', redirect_uris: [returnsTo] }
    const { client_id } = (await hosted.call('POST', '/oauth/register', { body })).body
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: returnsTo,
      state: 'xyz',
      code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return `${hosted.server.origin}/oauth/authorize?${query}`
  }

  for (const colorScheme of ['light', 'dark'] as const)
    it(`lets a person allow with a code, by keyboard, in the ${colorScheme} theme`, async () => {
      const token = (await hosted.server.issueToken()).token
      const made = await hosted.call('POST', '/v1/integrations/end-users/ann/sign-in-codes', { token, body: {} })
      const { page, complaints, shot, close } = await openThemed(browser, colorScheme)
      await page.goto(await pageAddress())
      assert.equal(await page.title(), 'Connect Agent Desk?')
      await shot('sign-in')
      // The field has the focus, and Enter allows.
      await page.keyboard.type('0000-0000-0000-0000')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await shot('sign-in-fault')
      await page.getByLabel('Sign-in code').fill(made.body.sign_in_code)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/callback\?/)
      assert.equal(await page.title(), 'The program')
      assert.ok(new URL(page.url()).searchParams.has('code'))
      assert.deepEqual(
        complaints.filter((text) => !/422/.test(text)),
        [],
      )
      await close()
    })

  it('lets a person refuse without a code', async () => {
    const page = await browser.newPage()
    await page.goto(await pageAddress())
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL(/\/callback\?error=access_denied/)
    await page.close()
  })
})
