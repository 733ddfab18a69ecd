/** What the simulated account holds, its settings, and the functions that declare its routes. */
import {
  type Ask,
  type Clock,
  cursorPages,
  param,
  type Reply,
  readQuery,
  routesOver,
  SimulatedRefusal,
} from '../../../kit/simulator.ts'
import { type CrmRecords, makeCrmRecords } from './crm-records.ts'
import { type Links, makeLinks } from './links.ts'
import { findType, type ObjectType } from './object-types.ts'
import { refused } from './replies.ts'
import { makeSetup, type Setup } from './setup.ts'

export interface Settings {
  /** Associations of one record on a page: of version 4, and inside of a record. */
  associationPage: number
  /** Some versions of the associations write ids as texts. */
  associationIdsAsText: boolean
  /** The longest path with its query; longer ones get an HTML page. */
  longestAddress: number
  /** Whether a refusal for too many calls says when to come back. */
  saysRetryAfter: boolean
  callsPerDay: number | null
}

export interface World extends Setup {
  readonly records: CrmRecords
  readonly links: Links
  readonly settings: Settings
  readonly filesOrigin: string
}

export interface Caller {
  readonly scopes: readonly string[]
  /** The headers that tell of the limits. */
  readonly headers: Readonly<Record<string, string>>
}

export const makeWorld = (seed: number, scale: number, clock: Clock, filesOrigin: string): World => {
  const records = makeCrmRecords(seed, scale, clock)
  return {
    records,
    links: makeLinks(records, seed),
    ...makeSetup(records),
    settings: {
      associationPage: 500,
      associationIdsAsText: false,
      // Users report limits from 8,000 to 16,000.
      longestAddress: 8_000,
      saysRetryAfter: false,
      callsPerDay: null,
    },
    filesOrigin,
  }
}

export const { route, list, filter } = routesOver<World, Caller>()

export type AnyAsk = Ask<World, Caller, unknown>

export function refuse(reply: Reply): never {
  throw new SimulatedRefusal(reply, String(reply.status))
}

export const invalid = (message: string): never => refuse(refused(400, 'VALIDATION_ERROR', message))

export const notFound = (message = 'resource not found'): never => refuse(refused(404, 'OBJECT_NOT_FOUND', message))

/** The type of a name in the path. Unknown ones are refused before scopes are looked at. */
export function typeNamed(name: string): ObjectType {
  const found = findType(name)
  if (found !== undefined) return found
  const message = /^\d+-\d+$/.test(name)
    ? `The object type id ${name} does not exist or is not accessible.`
    : `Unable to infer object type from: ${name}`
  return refuse(refused(400, undefined, message))
}

/** Any one of the scopes is enough. */
export function needScope({ caller }: Pick<AnyAsk, 'caller'>, scopes: readonly string[]): void {
  if (!scopes.some((scope) => caller.scopes.includes(scope))) refuse(missingScopes(scopes))
}

export const missingScopes = (scopes: readonly string[]): Reply =>
  refused(403, 'MISSING_SCOPES', 'This app hasn’t been granted all required scopes to make this call.', {
    links: { scopes: 'https://developers.hubspot.example/scopes' },
    errors: [
      { message: 'One or more of the following scopes are required.', context: { requiredGranularScopes: scopes } },
    ],
  })

/** Checks the types that the placeholders name, and the scopes to read them. */
export const needTypes =
  (...placeholders: readonly string[]) =>
  (ask: AnyAsk): void => {
    for (const type of placeholders.map((name) => typeNamed(ask.path[name]!))) needScope(ask, type.scopes)
  }

/** A list in the query: separated by commas, or repeated. */
export const listed = ({ call }: Pick<AnyAsk, 'call'>, name: string): string[] | undefined => {
  const given = readQuery(call.query).filter((pair) => pair.name === name)
  return given.length === 0 ? undefined : given.flatMap(({ value }) => value.split(',')).filter(Boolean)
}

/** Pages of records with ids, which are numbers. */
export const byAfter = <R extends { readonly id: string }>(usual: number) =>
  cursorPages<R>({ cursor: 'after', size: 'limit', usual, most: 100, position: ({ id }) => id.padStart(20, '0') })

/** A list of texts in a body. */
export const texts = param.json((given) =>
  Array.isArray(given) && given.every((one) => typeof one === 'string') ? (given as string[]) : undefined,
)

/** `paging`, where there is a next page. */
export const paging = (call: AnyAsk['call'], after: string | null): object =>
  after === null
    ? {}
    : { paging: { next: { after, link: `https://api.hubapi.com${call.path}?after=${encodeURIComponent(after)}` } } }
