/** The page on which an end user signs in again at a system whose login has ended, and to which they return. */
import type { Connector } from '../catalog/connector.ts'
import { type ErrorCode, errorCodes } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import { html } from './html.ts'
import { card, cardHeaders, policyFor } from './page.ts'
import { cardStyle } from './page-style.ts'

export interface ConsentLinkPage {
  readonly connector: StoredConnector
  readonly kind: Connector
  /** The link that led here. */
  readonly link: string
  /** The word with which the last try failed. */
  readonly error: string | undefined
}

export const consentLinkPage = ({ connector, kind: { title }, link, error }: ConsentLinkPage): string =>
  card({
    from: 'Conex',
    title: `Sign in to ${title} again`,
    body: html`<p>${title} no longer accepts the login of this connection. Sign in there once more, and your program can go on.</p>
${error === undefined ? null : html`<p class="fault" role="alert">${faultOf(title, error)}</p>`}
<dl><dt>Connection</dt><dd>${connector.name}</dd><dt>Belongs to</dt><dd>${connector.externalUserId}</dd></dl>
<p>Continue only if you are <strong>${connector.externalUserId}</strong>, and your own program has just sent you here.</p>
<form method="post" action="consent">
<input type="hidden" name="link" value="${link}">
<button class="button wide">Continue to ${title}</button>
</form>
<p class="quiet"><small>The programs of ${connector.externalUserId} will read what the account with which you sign in can see.</small></p>`,
  })

/** Anybody can write the address of this page, so nothing from it is shown but our own words. */
function faultOf(title: string, error: string): string {
  if (error === 'access_denied') return `You did not allow access at ${title}. Nothing has changed; you can try again.`
  const code = errorCodes.includes(error as ErrorCode) ? ` (${error})` : ''
  return `This did not work${code}, and nothing has changed. Try again; if it fails once more, tell the people who run Conex for you.`
}

export const loginRenewedPage = ({ connector, kind: { title } }: Pick<ConsentLinkPage, 'connector' | 'kind'>): string =>
  card({
    from: 'Conex',
    title: `You are signed in to ${title} again`,
    mark: 'done',
    body: html`<p>Go back to your program and let it repeat what it was doing. You can close this page.</p>
<dl><dt>Connection</dt><dd>${connector.name}</dd><dt>Belongs to</dt><dd>${connector.externalUserId}</dd></dl>`,
  })

/**
 * The headers of the page. Its form leads to this server and on to the system, which may lead to further hosts of its own
 * to sign in, and browsers check each of them.
 */
export const consentLinkHeaders = (consentAddress: string): Readonly<Record<string, string>> => ({
  ...cardHeaders,
  'content-security-policy': policyFor(cardStyle, `'self' ${new URL(consentAddress).protocol}`),
  'x-frame-options': 'DENY',
})
