/** The hosted service and client for a command: from flags, the environment or the profile. */
import type { Command } from 'commander'
import { checkedAddress, checkedSecret } from '../../client/check-access.ts'
import { type Conex, conex } from '../../client/conex.ts'
import { ConexError } from '../../errors.ts'
import type { Io } from '../io.ts'
import { readSecretOption } from '../read-option-value.ts'
import { canPrompt, promptSecret } from '../terminal/prompt.ts'
import { type Profile, readProfile } from './profile.ts'

export interface ServiceOptions {
  readonly url?: string
  readonly clientId?: string
  readonly clientSecret?: string
}

/** A hosted service and its client, as options of the client library. */
export interface HostedService {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Adds the flags for the service. */
export const withService = (command: Command): Command =>
  command
    .optionsGroup('The hosted service:')
    .option('--url <address>', 'its address; by default CONEX_URL or the profile')
    .option('--client-id <id>', 'the client; by default CONEX_CLIENT_ID or the profile')
    .option(
      '--client-secret <secret>',
      'its secret: "-" reads standard input, "@file" a file; by default CONEX_CLIENT_SECRET, the profile or a prompt',
    )
    .optionsGroup('Options:')

/** The service for these options. */
export const openService = async (options: ServiceOptions, io: Io): Promise<Conex> =>
  conex(await hostedService(options, io))

/** Flags override the environment, and the environment overrides the profile. Writing a profile ignores the old one. */
export async function hostedService(
  options: ServiceOptions,
  io: Io,
  { useProfile = true }: { readonly useProfile?: boolean } = {},
): Promise<HostedService> {
  const said = options.url ?? nonEmpty(io.env.CONEX_URL)
  const given = {
    clientId: options.clientId ?? nonEmpty(io.env.CONEX_CLIENT_ID),
    clientSecret: options.clientSecret ?? nonEmpty(io.env.CONEX_CLIENT_SECRET),
  }
  const complete = said !== undefined && given.clientId !== undefined && given.clientSecret !== undefined
  const profile = complete || !useProfile ? null : await readProfile(io.env)
  const baseUrl = address(said ?? profile?.url)
  return { baseUrl, ...(await client(given, options, fromProfile(profile, baseUrl, given.clientId), io)) }
}

/** The profile's secret belongs to the profile's service and client, and must not go anywhere else. */
const fromProfile = (profile: Profile | null, url: string, clientId: string | undefined): Profile | null =>
  profile !== null && address(profile.url) === url && (clientId ?? profile.client_id) === profile.client_id
    ? profile
    : null

async function client(
  given: { readonly clientId: string | undefined; readonly clientSecret: string | undefined },
  options: ServiceOptions,
  profile: Profile | null,
  io: Io,
): Promise<Pick<HostedService, 'clientId' | 'clientSecret'>> {
  const clientId = given.clientId ?? profile?.client_id
  if (clientId === undefined)
    throw new ConexError('invalid_request', 'Name the client: --client-id, CONEX_CLIENT_ID, or "conex profile set".')
  const secret = options.clientSecret
  if (secret !== undefined) return { clientId, clientSecret: await readSecretOption('--client-secret', secret, io) }
  if (given.clientSecret !== undefined)
    return { clientId, clientSecret: checkedSecret('CONEX_CLIENT_SECRET', given.clientSecret) }
  if (profile !== null)
    return { clientId, clientSecret: checkedSecret('The secret in the profile', profile.client_secret) }
  if (canPrompt(io)) {
    const asked = await promptSecret(`Secret of the client ${clientId}`, io)
    return { clientId, clientSecret: checkedSecret('The secret', asked) }
  }
  throw new ConexError(
    'invalid_request',
    `The secret of the client ${clientId} is missing; pass --client-secret -, or set CONEX_CLIENT_SECRET or "conex profile set".`,
  )
}

/** An address without a path, query or user; a trailing slash is allowed. */
export function address(given: string | undefined): string {
  if (given === undefined)
    throw new ConexError('invalid_request', 'Set the address of the service: --url, CONEX_URL, or "conex profile set".')
  return checkedAddress('The address of the service', given)
}

const nonEmpty = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined)
