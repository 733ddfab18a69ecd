/**
 * The programs of agents that ask for access: known by the address of a document about them (OAuth Client ID Metadata
 * Documents), or registered (RFC 7591). A registration is a signed client_id that contains it, so nothing is stored.
 */
import Type, { type Static } from 'typebox'
import { checkOf } from '../catalog/check.ts'
import { arrayOf, integer, optional, text } from '../catalog/fields.ts'
import { truncate } from '../catalog/truncate.ts'
import { ConexError } from '../errors.ts'
import { newId } from '../service/new-id.ts'
import { isLoopback, unsafeAddress } from '../service/redirect-url.ts'
import type { ServerContext } from './handler.ts'
import { errorFields } from './logger.ts'

export interface AgentClient {
  /** Its id in grants, tokens and the audit log. */
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** The host that vouches for the name; null for a program that registered itself. */
  readonly host: string | null
}

const redirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  description: 'Where browsers may return to: https, or http on a loopback host.',
  minItems: 1,
  maxItems: 10,
})

/** Programs send more than Conex reads, so other properties are ignored. */
export const registrationSchema = Type.Object({
  redirect_uris: redirectUris,
  client_name: optional(Type.String({ description: 'The name that people see.', maxLength: 200 })),
})

export const registeredSchema = Type.Object(
  {
    client_id: text(),
    client_id_issued_at: integer('Seconds since 1970.'),
    client_name: text(),
    redirect_uris: arrayOf(text()),
    grant_types: arrayOf(text()),
    response_types: arrayOf(text()),
    token_endpoint_auth_method: text('none: programs of agents keep no secret.'),
    scope: text(),
  },
  { title: 'AgentRegistration' },
)

/** A refusal of a registration, in the words of RFC 7591. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused'
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata'
  constructor(code: RegistrationRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

const faultsOfRegistration = checkOf(registrationSchema, '')

export async function registerAgent(
  { signedMessages, service }: ServerContext,
  body: unknown,
): Promise<Static<typeof registeredSchema>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RegistrationRefused('invalid_client_metadata', 'Send the metadata as a JSON object.')
  const [fault] = faultsOfRegistration(body)
  if (fault !== undefined)
    throw new RegistrationRefused(
      fault.path.startsWith('/redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      `${fault.path.slice(1)} ${fault.message}.`,
    )
  const { redirect_uris, client_name } = body as Static<typeof registrationSchema>
  for (const uri of redirect_uris) {
    const unsafe = unsafeAddress(uri)
    if (unsafe !== null) throw new RegistrationRefused('invalid_redirect_uri', `${truncate(uri)} ${unsafe}.`)
  }
  const now = service.now()
  const name = readableName(client_name)
  const client: AgentClient = { id: newId(now), name, redirectUris: redirect_uris, host: null }
  return {
    client_id: await signedMessages.sign('conex-agent', client),
    client_id_issued_at: Math.floor(now / 1000),
    client_name: name,
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: agentScope,
  }
}

/** What programs of agents may do. */
export const agentScope = 'read'

/** The id of a program in grants; null if its client_id is neither an address nor a registration. */
export async function agentIdOf({ signedMessages }: ServerContext, clientId: string): Promise<string | null> {
  if (isDocument(clientId)) return clientId
  return (await signedMessages.read<AgentClient>('conex-agent', clientId))?.id ?? null
}

const isDocument = (clientId: string): boolean => /^https?:\/\//.test(clientId)

/** The program with this client_id; a 422 if there is none. */
export async function findAgent(context: ServerContext, clientId: string): Promise<AgentClient> {
  if (isDocument(clientId)) return readAgentDocument(context, clientId)
  const client = await context.signedMessages.read<AgentClient>('conex-agent', clientId)
  if (client !== null) return client
  throw refused('The program has not registered here; remove the connection in it, and connect again.')
}

const documentSchema = Type.Object({
  client_id: Type.String(),
  client_name: Type.String({ minLength: 1, maxLength: 200 }),
  redirect_uris: redirectUris,
  token_endpoint_auth_method: optional(Type.Literal('none')),
})
const faultsOfDocument = checkOf(documentSchema, '')

const longestAddress = 500
const longestWaitMs = 5_000

async function readAgentDocument({ service }: ServerContext, clientId: string): Promise<AgentClient> {
  const url = URL.parse(clientId)
  const plain = url !== null && url.username === '' && url.password === '' && url.hash === '' && url.pathname !== '/'
  // A program is known by the text of its address, so one document has one spelling.
  if (!plain || url.href !== clientId || clientId.length > longestAddress)
    throw refused('The client_id is not the address of a document: https, with a path, without user and fragment.')
  let document: unknown
  try {
    const answer = await service.engine.readDocument(url, AbortSignal.timeout(longestWaitMs))
    document = answer.status === 200 ? answer.value : undefined
  } catch (error) {
    service.log.warn({ client_id: clientId, ...errorFields(error) }, 'the document about a program could not be read')
  }
  if (typeof document !== 'object' || document === null)
    throw refused(`The document about the program, at ${truncate(url.host)}, could not be read; try again later.`)
  const [fault] = faultsOfDocument(document)
  if (fault !== undefined)
    throw refused(`The document about the program cannot be used: ${fault.path.slice(1)} ${fault.message}.`)
  const { client_id, client_name, redirect_uris } = document as Static<typeof documentSchema>
  if (client_id !== clientId) throw refused('The document about the program is one about another program.')
  if (redirect_uris.some((uri) => unsafeAddress(uri) !== null))
    throw refused('The document about the program lists an address that browsers must not return to.')
  return { id: clientId, name: readableName(client_name), redirectUris: redirect_uris, host: url.host }
}

const refused = (detail: string): ConexError => new ConexError('invalid_request', detail)

/** The name as a person sees it: short, and without characters that hide or turn others around. */
function readableName(given: string | undefined): string {
  const name = (given ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  return name === '' ? 'A program without a name' : truncate(name.toWellFormed())
}

/**
 * Whether a browser may return to this address: one that the program listed, letter for letter. A program on the same
 * machine takes any free port, so a loopback address may have another one (RFC 8252, 7.3).
 */
export const mayReturnTo = ({ redirectUris }: AgentClient, given: string): boolean =>
  redirectUris.includes(given) ||
  (unsafeAddress(given) === null &&
    redirectUris.some((one) => withoutPort(one) !== null && withoutPort(one) === withoutPort(given)))

/** A loopback address without its port; null for any other. */
function withoutPort(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'http:' || !isLoopback(url.hostname)) return null
  url.port = ''
  return url.href
}
