/** Handlers for consents: where to send an end user, and where their browser goes when it comes back. */
import { text } from '../catalog/fields.ts'
import { endUserNames, kindNames } from '../service/aliases.ts'
import { beginConsent as begin, consentInitiation } from '../service/begin-consent.ts'
import { consentReturn, finishConsent as finish } from '../service/finish-consent.ts'
import { consentBegunSchema } from '../wire.ts'
import { browserOf } from './browser-cookie.ts'
import type { Endpoint } from './endpoint.ts'
import { callerOf } from './handler.ts'

export const beginConsent: Endpoint = {
  summary: 'Begin the consent of an end user',
  body: consentInitiation,
  largestBody: 16 * 1024,
  oneOfEach: [
    [...endUserNames, 'connector_id'],
    [...kindNames, 'connector_id'],
  ],
  answers: { 200: { description: 'The address to send the browser to.', schema: consentBegunSchema } },
  errors: ['not_found', 'connector_unavailable'],
  handle: ({ service }, request) => begin(service, callerOf(request), request.body),
}

export const finishConsent: Endpoint = {
  summary: 'Receive the browser of an end user from a consent page',
  query: consentReturn,
  answers: {
    302: {
      description: 'Redirects to the redirect_url of the consent.',
      headers: {
        Location: text(
          'The redirect_url with secret_id (also as server_side_oauth_secret_id), and with connector_id if there is a connector; after a failure, with error and error_description.',
        ),
      },
    },
  },
  errors: ['not_found', 'connector_unavailable'],
  refusalTitle: 'Your account was not connected',
  handle: async ({ service }, request, reply) => {
    const browser = browserOf(request.headers, service.settings.publicUrl())
    return reply.redirect(await finish(service, request.query, browser), 302)
  },
}
