/** A person who opens links to sign in again: their browser keeps cookies, and presses the buttons of pages. */
import assert from 'node:assert/strict'
import type { Consenting } from './consenting.ts'

export interface Page {
  readonly status: number
  readonly html: string
  readonly title: string
}

export interface LinkVisitor {
  /** The page at an address; redirects are followed. */
  open(address: string | URL): Promise<Page>
  /** Opens a link and goes on from its page: the address of the system's consent page. */
  leave(link: string): Promise<string>
  /** Opens a link, goes on, and presses a button of the consent page: the page that the browser ends at. */
  signIn(link: string, button?: 'allow' | 'deny'): Promise<Page>
}

export function linkVisitor(consenting: Consenting): LinkVisitor {
  const cookies = new Map<string, string>()

  async function ask(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...(cookie !== '' && { cookie }), ...init.headers }
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    return answer
  }

  const self: LinkVisitor = {
    async open(address) {
      const answer = await ask(address)
      const location = answer.headers.get('location')
      if (location !== null) return self.open(new URL(location, address))
      const html = await answer.text()
      return { status: answer.status, html, title: /<title>([^<]*)/.exec(html)?.[1] ?? '' }
    },

    async leave(link) {
      const { html } = await self.open(link)
      const form = /<form method="post" action="([^"]+)">\s*<input type="hidden" name="link" value="([^"]+)">/.exec(
        html,
      )
      assert.ok(form, html)
      const body = new URLSearchParams({ link: form[2]! })
      const answer = await ask(new URL(form[1]!, link), {
        method: 'POST',
        body,
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      assert.equal(answer.status, 303, await answer.text())
      return answer.headers.get('location')!
    },

    signIn: async (link, button = 'allow') => self.open(await consenting.press(await self.leave(link), button)),
  }
  return self
}
