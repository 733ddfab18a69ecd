/** The token endpoint of a simulated system: it gives tokens for the codes of a consent page, and for refresh tokens. */
import type { GivenCode } from './consent-codes.ts'
import type { CodeFault, ConsentPage } from './consent-page.ts'
import { orRefusal } from './refusal.ts'
import type { Application, Reply } from './system.ts'
import type { Issued, Tokens } from './tokens.ts'

type Form = ReadonlyMap<string, string>

/** What is wrong with a call for tokens; the system words it. */
export type TokenFault = 'client id' | 'client secret' | 'grant type' | 'refresh token' | CodeFault

export interface TokenEndpointOptions<Grant> {
  readonly consent: ConsentPage
  readonly tokens: Tokens<Grant>
  /** How long access tokens are valid (null: until revoked), and whether refreshing replaces the refresh token. */
  readonly settings: { readonly seconds: number | null; readonly rotates: boolean }
  /** What a person has allowed. May refuse it. */
  readonly grant: (given: GivenCode) => Grant
  /** `isNew`: for a code. */
  readonly answer: (issued: Issued, grant: Grant, isNew: boolean) => Reply
  readonly refuse: (fault: TokenFault) => Reply
}

/** Answers calls by their forms, and the header in which the client may authenticate instead (HTTP Basic). */
export function createTokenEndpoint<Grant>(options: TokenEndpointOptions<Grant>) {
  const { consent, tokens, settings, answer, refuse } = options

  function tokensFor(form: Form): Reply {
    const sent = (name: string) => form.get(name) ?? ''
    if (sent('grant_type') === 'refresh_token') {
      const renewed = tokens.refresh(sent('refresh_token'), settings.seconds, settings.rotates)
      return renewed === undefined ? refuse('refresh token') : answer(renewed, renewed.grant, false)
    }
    if (sent('grant_type') !== 'authorization_code') return refuse('grant type')
    const given = consent.redeem(sent('code'), sent('redirect_uri'), form.get('code_verifier'))
    if (typeof given === 'string') return refuse(given)
    const grant = options.grant(given)
    return answer(tokens.issue(grant, settings.seconds), grant, true)
  }

  return (form: Form, authorization?: string): Reply =>
    orRefusal(() => {
      const fault = clientFault(consent.application, form, authorization)
      return fault === undefined ? tokensFor(form) : refuse(fault)
    })
}

/** What is wrong with the client of a call, if anything. */
export function clientFault(
  { client_id, client_secret }: Application,
  form: Form,
  authorization?: string,
): 'client id' | 'client secret' | undefined {
  const [, pair = ''] = /^Basic (.+)$/.exec(authorization ?? '') ?? []
  const inHeader = Buffer.from(pair, 'base64').toString().split(':')
  const [id, secret] = pair === '' ? [form.get('client_id'), form.get('client_secret')] : inHeader
  if (id !== client_id) return 'client id'
  return secret === client_secret ? undefined : 'client secret'
}
