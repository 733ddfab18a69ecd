/** Pages for people with a browser: one look, no script, nothing from elsewhere. */
import { createHash } from 'node:crypto'
import { Html, html } from './html.ts'
import { cardStyle } from './page-style.ts'

export interface Card {
  /** Whose page it is. */
  readonly from: string
  readonly title: string
  /** How it went, where something was tried. */
  readonly mark?: 'done' | 'failed'
  readonly body: Html
}

/** Lets the page's own style in, by its hash, and nothing else. */
export const policyFor = (style: string): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** What a page that says one thing is sent with. */
export const cardHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(cardStyle),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A page that says one thing, for example how a consent went. */
export const card = ({ from, title, mark, body }: Card): string =>
  wholePage(
    title,
    cardStyle,
    html`<main>
<p class="from">${from}</p>
<h1${mark === undefined ? null : html` class="${mark}"`}>${title}</h1>
${body}
</main>`,
  )

/** A whole document around what stands in it. */
export const wholePage = (title: string, style: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.toString()
