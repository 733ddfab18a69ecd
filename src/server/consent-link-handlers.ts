/** Handlers for links with which an end user signs in again at a system: making one, and the page that it opens. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import { acceptOffer, linkedConnector, type OfferedConsent, offerConsent } from '../service/consent-links.ts'
import { newSecret } from '../service/one-time-secret.ts'
import type { Tenant } from '../store/tenant.ts'
import { type ConsentLink, consentLinkSchema } from '../wire.ts'
import { browserCookie, browserOf } from './browser-cookie.ts'
import { consentLinkHeaders, consentLinkPage, loginRenewedPage } from './consent-link-page.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf, connectorIdOf, type ServerContext } from './handler.ts'
import { checkOwnForm } from './own-forms.ts'
import { cardHeaders } from './page.ts'

const linkSeconds = 10 * 60

/** A link for the credentials that a connector of this tenant has now. */
export async function consentLink(
  { service, signedMessages }: ServerContext,
  tenant: Tenant,
  id: string,
): Promise<ConsentLink> {
  const offer = await offerConsent(service, tenant, id)
  const link = await signedMessages.sign('conex-consent-link', offer, linkSeconds)
  return { url: addressOf(service.settings.publicUrl(), link), expires_in: linkSeconds }
}

const addressOf = (publicUrl: string, link: string): string =>
  `${publicUrl}/v1/integrations/connectors/oauth/consent?link=${link}`

export const makeConsentLink: Endpoint = {
  summary: 'Make a link with which the end user of a connector signs in to its system again',
  answers: { 200: { description: 'A link for the end user’s browser.', schema: consentLinkSchema } },
  errors: ['invalid_request', 'connector_unavailable'],
  handle: (context, request) => consentLink(context, callerOf(request), connectorIdOf(request)),
}

async function offerOf({ signedMessages }: ServerContext, link: string): Promise<OfferedConsent> {
  const offer = await signedMessages.read<OfferedConsent>('conex-consent-link', link)
  if (offer !== null) return offer
  throw new ConexError(
    'not_found',
    'This link has expired or is not complete; repeat in your program what you asked it for, and it gives you a new one.',
  )
}

const refusalTitle = 'You cannot sign in with this link'

export const showConsentLink: Endpoint = {
  summary: 'Show an end user the page on which they sign in to a system again',
  query: Type.Object(
    {
      link: optional(text('From the link.')),
      error: optional(text('Why the last try failed.')),
      error_description: optional(text('The same in words, which are not shown.')),
    },
    { additionalProperties: false },
  ),
  answers: { 200: { description: 'The page.', mediaType: 'text/html' } },
  errors: ['not_found', 'connector_unavailable'],
  refusalTitle,
  async handle(context, request, reply) {
    const { link = '', error } = request.query as { readonly link?: string; readonly error?: string }
    const linked = await linkedConnector(context.service, await offerOf(context, link))
    if (linked.isRenewed) return reply.headers(cardHeaders).send(loginRenewedPage(linked))
    const { connector, kind } = linked
    const headers = consentLinkHeaders(context.service.settings.baseUrls[kind.kind] ?? kind.baseUrl)
    return reply.headers(headers).send(consentLinkPage({ connector, kind, link, error }))
  },
}

const linkForm = Type.Object({ link: optional(text('From the page.')) }, { additionalProperties: false })

export const useConsentLink: Endpoint = {
  summary: 'Send an end user from that page to the consent page of the system',
  form: linkForm,
  answers: {
    200: { description: 'A page that says that there is nothing more to do.', mediaType: 'text/html' },
    303: { description: 'Leads to the consent page of the system.' },
  },
  errors: ['not_found', 'forbidden', 'connector_unavailable'],
  refusalTitle,
  handle: leave,
}

async function leave(context: ServerContext, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  checkOwnForm(request)
  const { service } = context
  const publicUrl = service.settings.publicUrl()
  const { link = '' } = (request.body ?? {}) as { readonly link?: string }
  const offer = await offerOf(context, link)
  const linked = await linkedConnector(service, offer)
  if (linked.isRenewed) return reply.headers(cardHeaders).send(loginRenewedPage(linked))
  const browser = browserOf(request.headers, publicUrl) ?? newSecret()
  const address = await acceptOffer(service, offer, linked, { browser, redirectUrl: addressOf(publicUrl, link) })
  return reply.header('set-cookie', browserCookie(browser, publicUrl)).redirect(address, 303)
}
