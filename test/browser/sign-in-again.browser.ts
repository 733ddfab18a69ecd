/** How a person signs in to a system again: the page of a link in a real browser, to the system and back. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Consenting, consentKinds, startConsenting } from '../consenting.ts'
import { connectors, type Hosted, isFine, startHosted } from '../hosted.ts'
import { startBrowser } from './browser.ts'
import { openThemed } from './themed-page.ts'

describe('the page of a link to sign in again', () => {
  let hosted: Hosted
  let consenting: Consenting
  let browser: Browser

  before(async () => {
    browser = await startBrowser()
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
  })
  after(async () => {
    await browser?.close()
    await hosted?.close()
  })

  async function newLink(kind: string): Promise<string> {
    const secret = await consenting.secretId({ connector_type: kind })
    const made = await consenting.create({
      connector_type: kind,
      name: `Work ${kind}, ${Date.now()}`,
      server_side_oauth_secret_id: secret,
      ...consentKinds[kind],
    })
    assert.equal(made.status, 201, made.text)
    const path = `${connectors}/${made.body.id}/consent-links`
    return isFine(await hosted.call('POST', path, { token: hosted.ann })).url
  }

  for (const colorScheme of ['light', 'dark'] as const)
    it(`leads to the system and back by keyboard, in the ${colorScheme} theme`, async () => {
      const { page, complaints, shot, close } = await openThemed(browser, colorScheme)
      const link = await newLink('asana')
      await page.goto(link)
      assert.equal(await page.title(), 'Sign in to Asana again')
      await shot('sign-in-again')
      await page.getByRole('button', { name: 'Continue to Asana' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.getByRole('alert').waitFor()
      await shot('sign-in-again-refused')
      await page.getByRole('button', { name: 'Continue to Asana' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(link)
      assert.equal(await page.title(), 'You are signed in to Asana again')
      await shot('signed-in-again')
      await page.reload()
      assert.equal(await page.title(), 'You are signed in to Asana again')
      await page.goto(`${link.slice(0, -4)}AAAA`)
      assert.equal(await page.title(), 'You cannot sign in with this link')
      await shot('sign-in-again-expired')
      assert.deepEqual(
        complaints.filter((text) => !/404/.test(text)),
        [],
      )
      await close()
    })

  for (const kind of Object.keys(consentKinds).filter((name) => name !== 'asana'))
    it(`leads to ${kind} and back`, async () => {
      const page = await browser.newPage()
      const link = await newLink(kind)
      await page.goto(link)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(link)
      assert.match(await page.title(), /^You are signed in to .+ again$/)
      await page.close()
    })
})
