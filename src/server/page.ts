/** Pages for people with a browser: one style, no script, no external resource. */
import { createHash } from 'node:crypto'
import { Html, html } from './html.ts'
import { cardStyle } from './page-style.ts'

export interface Card {
  /** The system or product that the page is about. */
  readonly from: string
  readonly title: string
  /** The outcome of an attempt, if there was one. */
  readonly mark?: 'done' | 'failed'
  readonly body: Html
}

/** A policy that allows the page's own style, by hash, and nothing else; a form only if it says where forms may lead. */
export const policyFor = (style: string, formAction = "'none'"): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action ${formAction}`

/** The headers of a page with a single message. */
export const cardHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(cardStyle),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A page with a single message, for example the outcome of a consent. */
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

/** A complete HTML document around a body. */
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
