/** Opens the system that a command reads: locally with credentials, or through a hosted service. */
import type { Command } from 'commander'
import type { Connector } from '../catalog/connector.ts'
import { checkedAddress } from '../client/check-access.ts'
import { connect } from '../client/connect.ts'
import type { Uniform } from '../client/connector-types.ts'
import type { LocalOptions as ModeOptions } from '../client/local-options.ts'
import type { ReadOptions } from '../client/with-timeout.ts'
import type { Answer } from '../engine/call/call.ts'
import { ConexError } from '../errors.ts'
import { hostedService, type ServiceOptions, withService } from './hosted/service.ts'
import type { Io } from './io.ts'
import { readObjectFile } from './read-option-value.ts'
import { collect, readPairs } from './read-pairs.ts'

export interface CredentialOptions {
  readonly credential?: readonly string[]
  readonly credentials?: string
}

export interface LocalOptions extends CredentialOptions {
  readonly baseUrl?: string
  readonly allowPrivateNetwork?: boolean
}

export interface HostedOptions extends ServiceOptions {
  readonly connector?: string
  readonly user?: string
  readonly connectorName?: string
}

/** Adds the options for credentials. */
export const withCredentials = (command: Command): Command =>
  command
    .option(
      '--credentials <file>',
      'a JSON file with the credential fields, which keeps secrets off the command line; "-" reads standard input',
    )
    .option('--credential <name=value>', 'one credential field; repeat for more', collect)

/** Adds the options for local mode. */
export function withLocal(command: Command): Command {
  return withCredentials(command.optionsGroup('From this machine, with your own credentials:'))
    .option('--base-url <address>', 'another address of the system, for example a simulator')
    .option('--allow-private-network', 'allow private addresses and plain http')
    .optionsGroup('Options:')
}

/** Adds the options for hosted mode. */
export function withHosted(command: Command): Command {
  command
    .optionsGroup('Through a hosted service:')
    .option('--connector <id>', 'the connector')
    .option('--user <external_user_id>', 'the end user who has a connector of this type')
    .option('--connector-name <name>', "the connector's name, if the end user has several of this type")
  return withService(command)
}

/** The limit for each call, in seconds. */
export interface TimeOptions {
  readonly timeout?: number
}

/** Opens it with credentials in local mode, or with the id of a connector or an end user in hosted mode. */
export async function openSystem(
  connector: Connector,
  options: LocalOptions & HostedOptions & TimeOptions,
  io: Io,
): Promise<Uniform> {
  const hosted = options.connector !== undefined || options.user !== undefined
  const local = options.credential !== undefined || options.credentials !== undefined
  if (hosted === local)
    throw new ConexError(
      'invalid_request',
      `Pass ${hosted ? 'only one of them' : 'one'}: --credentials to read from this machine, or --connector or --user to read through a hosted service.`,
    )
  if (hosted) return openHosted(connector, options, io)
  return openLocal(connector, options, await localAccess(options, io))
}

/** What local mode needs, from the options of the command. */
export async function localAccess(options: LocalOptions, io: Io) {
  const { baseUrl, allowPrivateNetwork } = options
  if (baseUrl !== undefined) checkedAddress('--base-url', baseUrl)
  return {
    credentials: await credentialsFrom(options, io),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(allowPrivateNetwork === undefined ? {} : { allowPrivateNetwork }),
  }
}

export async function openHosted(connector: Connector, options: HostedOptions & TimeOptions, io: Io): Promise<Uniform> {
  const { connector: connectorId, user: externalUserId } = options
  if ((connectorId === undefined) === (externalUserId === undefined))
    throw new ConexError('invalid_request', 'Pass either --connector, the id of a connector, or --user, its end user.')
  const { connectorName } = options
  if (connectorName !== undefined && externalUserId === undefined)
    throw new ConexError('invalid_request', '--connector-name selects a connector of --user; pass both.')
  const choice =
    connectorId === undefined
      ? { externalUserId, ...(connectorName !== undefined && { connectorName }) }
      : { connectorId }
  return open(connector, options, { ...(await hostedService(options, io)), ...choice })
}

/** Opens it in this process. */
export const openLocal = (
  connector: Connector,
  options: TimeOptions,
  access: Awaited<ReturnType<typeof localAccess>> & Omit<ModeOptions, 'credentials'>,
): Uniform => open(connector, options, access)

const open = (connector: Connector, { timeout }: TimeOptions, mode: object): Uniform =>
  connect(connector, { ...mode, ...(timeout === undefined ? {} : { timeout: timeout * 1000 }) } as never)

/**
 * Iterates over the answers of a list or a search. The client has every entity as a property, but its type is not known
 * here.
 */
export const pagesOf = (system: Uniform, entity: string, action: 'list' | 'search'): Pages =>
  (system as unknown as Record<string, Record<'list' | 'search', { readonly pages: Pages }>>)[entity]![action].pages

type Pages = (params: object, options: ReadOptions) => AsyncIterable<Answer>

/** Combines the fields from the file with those given one by one, which override them. */
export async function credentialsFrom({ credential, credentials: file }: CredentialOptions, io: Io): Promise<object> {
  const pairs = readPairs('--credential', credential)
  return file === undefined ? pairs : { ...(await readObjectFile('--credentials', file, io)), ...pairs }
}
