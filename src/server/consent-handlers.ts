/** Answers for consents: where to send an end user, and where their browser goes after it came back. */
import { beginConsent as begin } from '../service/begin-consent.ts'
import { finishConsent as finish } from '../service/finish-consent.ts'
import { callerOf, type Handler } from './handler.ts'

export const beginConsent: Handler = ({ service }, request) => begin(service, callerOf(request), request.body)

export const finishConsent: Handler = async ({ service }, request, reply) =>
  reply.redirect(await finish(service, request.query), 302)
