/** The page on which an end user signs in and allows a program of an agent what it asks for. */
import { type CheckedRequest, isOfOwnMachine } from './authorization-request.ts'
import { html } from './html.ts'
import { card, cardHeaders, policyFor } from './page.ts'
import { cardStyle } from './page-style.ts'

export interface SignInPage {
  readonly request: CheckedRequest
  /** The same request, signed. */
  readonly signed: string
  /** What was wrong with the last try. */
  readonly fault?: string
}

export function signInPage({ request, signed, fault }: SignInPage): string {
  const { clientName, clientHost, redirectUri } = request
  const local = isOfOwnMachine(redirectUri)
  return card({
    from: 'Conex',
    title: `Connect ${clientName}?`,
    body: html`<p><strong>${clientName}</strong> asks to read the business systems that are connected for you. It cannot change anything in them.</p>
<dl><dt>Program</dt><dd>${clientHost ?? 'known only by the name that it gives itself'}</dd>
<dt>Returns to</dt><dd>${local ? html`a program on this computer (${new URL(redirectUri).host})` : new URL(redirectUri).host}</dd></dl>
<form method="post" action="authorize" autocomplete="off">
<input type="hidden" name="request" value="${signed}">
<label for="code">Sign-in code</label>
<input id="code" name="sign_in_code" required maxlength="64" autofocus autocapitalize="characters" autocomplete="one-time-code" spellcheck="false" placeholder="XXXX-XXXX-XXXX-XXXX" aria-describedby="${fault === undefined ? 'hint' : 'fault hint'}"${fault === undefined ? null : html` aria-invalid="true"`}>
${fault === undefined ? null : html`<p class="fault" id="fault" role="alert">${fault}</p>`}
<p class="quiet" id="hint">Your organization gives you this code. It works once.</p>
<div class="choice"><button class="button" name="decision" value="allow">Allow</button>
<button class="button other" name="decision" value="refuse" formnovalidate>Refuse</button></div>
</form>
<p class="quiet"><small>Allow this only if you have just connected ${clientName} yourself.</small></p>`,
  })
}

/** The page of a request that cannot be granted, for a program that is not on the person's own machine. */
export const requestRefusedPage = (message: string, location: string): string =>
  card({
    from: 'Conex',
    title: 'The program was not connected',
    mark: 'failed',
    body: html`<p>${message}</p>
<p><a href="${location}" rel="noreferrer">Back to ${new URL(location).host}</a></p>`,
  })

/**
 * The headers of the page. Its form leads to this server and from there to the program, and browsers check both; they
 * know no IPv6 address in a policy.
 */
export function signInHeaders(redirectUri: string): Readonly<Record<string, string>> {
  const { protocol, origin, hostname } = new URL(redirectUri)
  const target = hostname.startsWith('[') ? protocol : origin
  return {
    ...cardHeaders,
    'content-security-policy': policyFor(cardStyle, `'self' ${target}`),
    'x-frame-options': 'DENY',
  }
}
