/**
 * What end users allow programs of agents. A person signs in with a code that the operator's program made; the program
 * gets an authorization code, and exchanges it for a refresh token that every use replaces.
 */
import { createHash, randomInt } from 'node:crypto'
import { ConexError } from '../errors.ts'
import type { AgentGrant } from '../store/agent-grants.ts'
import type { Tenant } from '../store/tenant.ts'
import type { AgentList, SignInCode } from '../wire.ts'
import { stillAuthorized } from './authenticate-client.ts'
import { hashOf, newSecret } from './one-time-secret.ts'
import { type Service, timestamp } from './service.ts'

type Parts = Pick<Service, 'store' | 'now' | 'log'>

const signInSeconds = 10 * 60
const codeMs = 60_000
/** An unused refresh token ends after 30 days. */
const refreshMs = 30 * 24 * 60 * 60_000

/** Letters and digits that nobody takes for one another. Sixteen of them are 80 random bits. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Makes a code with which an end user signs in once. */
export async function createSignInCode(service: Parts, tenant: Tenant, externalUserId: string): Promise<SignInCode> {
  const code = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
  const now = service.now()
  const expiresAt = new Date(now + signInSeconds * 1000).toISOString()
  await service.store.agentGrants.addCode(
    tenant,
    { codeHash: hashOf(code), externalUserId, expiresAt },
    new Date(now).toISOString(),
  )
  return { sign_in_code: code.match(/.{4}/g)!.join('-'), expires_in: signInSeconds }
}

/** The code as it was made, whatever its typist has made of it. */
const typed = (text: string): string =>
  text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

/** What a program asks for. */
export interface AgentRequest {
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  /** The hash of a text that only the program knows (PKCE, S256). */
  readonly codeChallenge: string
}

/** Uses up a sign-in code for an authorization code; null if there is no such sign-in code. */
export async function allowAgent(service: Parts, signInCode: string, asked: AgentRequest): Promise<string | null> {
  const [grant, secret] = [newSecret(), newSecret()]
  const now = service.now()
  const row = {
    ...asked,
    grantHash: hashOf(grant),
    secretHash: hashOf(secret),
    expiresAt: new Date(now + codeMs).toISOString(),
  }
  const details = { redirect_host: new URL(asked.redirectUri).host }
  const at = new Date(now).toISOString()
  return (await service.store.agentGrants.allow(hashOf(typed(signInCode)), row, details, at))
    ? `${grant}.${secret}`
    : null
}

/** Whose agent it is, and the refresh token with which it goes on. */
export interface Agent extends Pick<AgentGrant, 'organizationId' | 'externalUserId' | 'clientId'> {
  readonly refreshToken: string
}

export interface ShownCode {
  readonly clientId: string
  readonly redirectUri: string | undefined
  readonly codeVerifier: string
}

/** Exchanges an authorization code. Null if it is not good; one that was shown wrongly is good for nothing any more. */
export const redeemAgentCode = (service: Parts, code: string, shown: ShownCode): Promise<Agent | null> =>
  exchange(service, code, (grant) => {
    if (grant.codeChallenge === null) return 'code reused'
    if (grant.clientId !== shown.clientId) return 'another program'
    if (shown.redirectUri !== undefined && shown.redirectUri !== grant.redirectUri) return 'another redirect_uri'
    const challenge = createHash('sha256').update(shown.codeVerifier).digest('base64url')
    return challenge === grant.codeChallenge ? null : 'wrong code_verifier'
  })

/** Exchanges a refresh token. Null if it is not good; if it was replaced before, somebody has stolen one, so the grant ends. */
export const refreshAgent = (service: Parts, token: string, clientId: string): Promise<Agent | null> =>
  exchange(service, token, (grant) => {
    if (grant.codeChallenge !== null) return 'no refresh token'
    return grant.clientId === clientId ? null : 'another program'
  })

async function exchange(
  service: Parts,
  shown: string,
  faultOf: (grant: AgentGrant) => string | null,
): Promise<Agent | null> {
  const { agentGrants } = service.store
  const [first = '', second = ''] = shown.split('.')
  const grant = await agentGrants.find(hashOf(first), timestamp(service))
  if (grant === null) return null
  // Only who was once given a secret of this grant knows the first part.
  const fault =
    hashOf(second) === grant.secretHash ? (faultOf(grant) ?? (await revokedFault(service, grant))) : 'reused'
  const next = newSecret()
  const expiresAt = new Date(service.now() + refreshMs).toISOString()
  if (fault === null && (await agentGrants.replaceSecret(grant, { secretHash: hashOf(next), expiresAt }))) {
    const { organizationId, externalUserId, clientId } = grant
    return { organizationId, externalUserId, clientId, refreshToken: `${first}.${next}` }
  }
  await agentGrants.end(grant, fault ?? 'reused', timestamp(service))
  service.log.warn(
    { organization_id: grant.organizationId, reason: fault ?? 'reused' },
    'the grant of an agent has ended',
  )
  return null
}

/** The most agents of an end user that are listed; each of them was let in by a person within 30 days. */
const mostAgents = 1000

/** The programs that an end user let in, newest first. */
export async function listAgents(service: Parts, tenant: Tenant, externalUserId: string): Promise<AgentList> {
  const grants = await service.store.agentGrants.list(tenant, externalUserId, mostAgents, timestamp(service))
  return {
    agents: grants.map(({ grantHash, clientName, clientId, allowedAt, expiresAt }) => ({
      // Not base64, because a command would take a dash at the beginning for an option.
      id: Buffer.from(grantHash, 'base64url').toString('hex'),
      name: clientName,
      client_id: clientId,
      allowed_at: allowedAt,
      expires_at: expiresAt,
    })),
  }
}

/** Ends what an end user allowed a program. */
export async function endAgent(service: Parts, tenant: Tenant, externalUserId: string, id: string): Promise<void> {
  const grantHash = Buffer.from(id, 'hex').toString('base64url')
  const grant = { grantHash, organizationId: tenant.organizationId, externalUserId }
  if (await service.store.agentGrants.end(grant, 'ended by the organization', timestamp(service))) return
  throw new ConexError(
    'not_found',
    'This end user has let in no such agent, or it has ended; list those that there are.',
  )
}

/** Ends the grant of a refresh token, for its own program; false if it is the token of another one. */
export async function revokeAgent(service: Parts, token: string, clientId: string): Promise<boolean> {
  const { agentGrants } = service.store
  const [first = ''] = token.split('.')
  const grant = await agentGrants.find(hashOf(first), timestamp(service))
  if (grant === null) return true
  if (grant.clientId !== clientId) return false
  await agentGrants.end(grant, 'revoked by the program', timestamp(service))
  return true
}

/** A client that was revoked gets no more tokens, and neither do the agents that it let in. */
async function revokedFault(service: Parts, { createdBy }: AgentGrant): Promise<string | null> {
  if (createdBy === null) return null
  try {
    await stillAuthorized(service, createdBy)
    return null
  } catch (error) {
    if (error instanceof ConexError) return 'client revoked'
    throw error
  }
}
