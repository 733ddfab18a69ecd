/** The declaration of a connector as a schema, for declarations that no compiler has checked. */
import Type, { type TSchema } from 'typebox'
import type { AuthMethod, RefreshableStyle } from './authorization.ts'
import type { Connector, Examples } from './connector.ts'
import type { Consent } from './consent.ts'
import type { Entity } from './entity.ts'
import {
  anyOf,
  array,
  arrayOf,
  boolean,
  closedObjectOf,
  exactly,
  number,
  object,
  oneOf,
  optional,
  text,
} from './fields.ts'
import type { CallLimit } from './limit.ts'
import type { DownloadOperation, GetOperation, ListOperation, Selection } from './operation.ts'
import type { CursorPaging, NumberedPages, PagingBlock, TimePaging, WalkPaging, WholePaging } from './paging.ts'
import type { RawReads } from './raw-reads.ts'
import type { Revocation } from './revocation.ts'
import type { Listing, Parents, Stream, Windows } from './stream.ts'
import type { SystemAddress } from './system-address.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** Every field of a type, so that a new one in the language is also one here. */
type Every<T> = { readonly [F in keyof Required<T>]: TSchema }

/** A function; a schema cannot say more about it. */
const code = Type.Unsafe<never>({ 'x-form': 'a function', 'x-function': true })
/** Checked elsewhere. */
const anything = Type.Any()
const word = text(undefined, { minLength: 1 })
const words = arrayOf(word)
const seconds = number(undefined, { minimum: 1 })
const textsByName = Type.Record(Type.String(), Type.String(), { 'x-form': 'an object with texts' })
const objectOrNull = anyOf([object(), Type.Null()])

const shape = <const P extends Record<string, TSchema>>(fields: P) => closedObjectOf(fields)

const systemAddress = shape({ url: word, relativeToBase: word } satisfies Every<SystemAddress>)

const tokenEndpoint = {
  tokenAddress: systemAddress,
  clientAuthentication: oneOf(['body', 'basic']),
  grantAt: optional(arrayOf(words)),
  refusals: optional(object()),
} satisfies Every<TokenEndpoint>

/** The styles of authorization, by name; each names credential fields. */
export const authorizationShapes: Readonly<Record<string, TSchema>> = {
  bearer: shape({ style: exactly('bearer'), token: word, proof: optional(word) }),
  basic: shape({ style: exactly('basic'), user: word, password: word }),
  refreshable: shape({
    ...tokenEndpoint,
    style: exactly('refreshable'),
    customerAddress: optional(word),
  } satisfies Every<RefreshableStyle>),
}

export const authMethodShape = shape({
  name: word,
  title: word,
  credentials: object(),
  authorization: anything,
  consent: optional(
    shape({
      ...tokenEndpoint,
      consentAddress: systemAddress,
      scopes: words,
      scopeSeparator: oneOf([' ', ',']),
      parameters: optional(textsByName),
      pkce: boolean(),
      exchange: optional(object()),
    } satisfies Every<Consent>),
  ),
  revocation: optional(
    shape({
      address: systemAddress,
      token: word,
      tokenIn: oneOf(['form', 'bearer']),
      application: boolean(),
      gone: optional(words),
    } satisfies Every<Revocation>),
  ),
} satisfies Every<AuthMethod>)

export const connectorShape = shape({
  kind: text(undefined, {
    pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    ...{ 'x-form': 'a name of small letters and digits, with single dashes between its words' },
  }),
  definitionId: text(undefined, {
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    ...{ 'x-form': 'an id of letters, digits, "_" and "-", for example a UUID' },
  }),
  title: word,
  baseUrl: word,
  authMethods: array(),
  replicationConfig: objectOrNull,
  check: shape({
    entity: word,
    action: oneOf(['list', 'get']),
    params: object(),
    operation: optional(object()),
  } satisfies Every<Connector['check']>),
  readRefusal: code,
  limits: optional(
    arrayOf(
      shape({
        calls: number(undefined, { minimum: 1 }),
        seconds,
        reserve: optional(number(undefined, { minimum: 0, maximum: 0.99 })),
        smallestPlan: optional(number(undefined, { minimum: 1 })),
        only: optional(object()),
      } satisfies Every<CallLimit>),
    ),
  ),
  atOnce: optional(number(undefined, { minimum: 1 })),
  usage: optional(code),
  notice: optional(code),
  rawReads: optional(
    shape({ get: words, post: optional(words), refusedQuery: optional(words) } satisfies Every<RawReads>),
  ),
  entities: object(),
  examples: optional(
    shape({ values: object(), entities: optional(object()), params: optional(object()) } satisfies Every<Examples>),
  ),
} satisfies Every<Connector>)

export const entityShape = shape({
  description: word,
  list: optional(object()),
  get: optional(object()),
  download: optional(object()),
  alias: optional(shape({ entity: word, action: word } satisfies Every<NonNullable<Entity['alias']>>)),
  searchable: optional(object()),
  indexed: optional(words),
  sync: optional(object()),
} satisfies Every<Entity>)

const request = {
  description: word,
  method: optional(oneOf(['GET', 'POST'])),
  path: text(undefined, { pattern: '^(/[^?#]*)?$', ...{ 'x-form': 'a path that begins with "/", without a query' } }),
  send: optional(object()),
  fixedQuery: optional(textsByName),
  select: optional(
    shape({
      send: word,
      default: optional(words),
      inner: optional(oneOf(['dots', 'braces'])),
      param: optional(word),
      names: optional(object()),
      restricted: optional(words),
    } satisfies Every<Selection>),
  ),
  rules: optional(arrayOf(shape({ sentence: word, broken: code }))),
  scopes: optional(words),
  prepare: optional(code),
  params: object(),
}

const reading = { ...request, recordsAt: words, choose: optional(code), reshape: optional(code), record: object() }

export const operationShapes = {
  list: shape({
    ...reading,
    action: exactly('list', 'made with list()'),
    paging: object(),
    entriesAs: optional(words),
    readRefusal: optional(code),
    detour: optional(shape({ owns: code, answer: code })),
    stepOver: optional(code),
  } satisfies Every<ListOperation>),
  get: shape({ ...reading, action: exactly('get') } satisfies Every<GetOperation>),
  download: shape({
    ...request,
    action: exactly('download'),
    locate: code,
    refusedTypes: optional(words),
    authorized: optional(exactly(true)),
  } satisfies Every<DownloadOperation>),
}

const block = anyOf([
  shape({
    name: word,
    holds: exactly('token'),
    beside: optional(object()),
  } satisfies Every<Extract<PagingBlock, { holds: 'token' }>>),
  shape({
    name: word,
    holds: exactly('object'),
    at: words,
    token: optional(word),
    counted: optional(code),
  } satisfies Every<Extract<PagingBlock, { holds: 'object' }>>),
])

/** The styles of paging, by name. */
export const pagingShapes: Readonly<Record<string, TSchema>> = {
  none: shape({ style: exactly('none'), params: object() }),
  cursor: shape({
    style: exactly('cursor'),
    params: object(),
    cursor: word,
    next: anyOf([words, shape({ page: words, pages: words } satisfies Every<NumberedPages>)]),
    lastOf: optional(word),
    blankEnds: optional(exactly(true)),
    more: optional(words),
    counts: optional(boolean()),
    moreQuery: optional(word),
    limit: optional(
      shape({
        param: word,
        default: number(),
        smallest: number(),
        largest: optional(number()),
      } satisfies Every<NonNullable<CursorPaging['limit']>>),
    ),
    block,
    total: optional(words),
  } satisfies Every<CursorPaging>),
  walk: shape({
    style: exactly('walk'),
    params: object(),
    cursor: word,
    next: anyOf([words, shape({ page: words, pages: words } satisfies Every<NumberedPages>)]),
    blankEnds: optional(exactly(true)),
    block,
    total: optional(words),
  } satisfies Every<WalkPaging>),
  whole: shape({
    style: exactly('whole'),
    params: object(),
    limit: word,
    offset: word,
    cut: optional(shape({ at: number(), warning: word })),
    blockName: word,
  } satisfies Every<WholePaging>),
  time: shape({
    style: exactly('time'),
    params: object(),
    limit: word,
    offset: word,
    size: number(),
    time: shape({ field: word, before: word, after: word }),
    sort: shape({ param: word, byTime: word, ascending: word }),
    cutWarning: word,
    blockName: word,
  } satisfies Every<TimePaging>),
}

/** Seconds, or a function of the connector's settings. */
const lookBack = anyOf([number(), code])

const parents = shape({
  entity: word,
  where: optional(object()),
  fields: optional(words),
  params: code,
  children: code,
  changed: optional(shape({ field: word, lookBack, write: optional(code) })),
} satisfies Every<Parents>)

const windows = shape({
  length: seconds,
  history: seconds,
  mostHistory: optional(seconds),
  lookBack,
  farLookBack: optional(shape({ lookBack: number(), every: number() })),
  step: seconds,
  zone: optional(word),
  params: code,
  field: word,
  margin: number(),
  write: code,
} satisfies Every<Windows>)

export const streamShape = shape({
  listings: arrayOf(
    shape({
      list: object(),
      params: optional(object()),
      over: optional(parents),
      windows: optional(windows),
      since: optional(
        shape({
          list: optional(object()),
          lookBack: number(),
          params: code,
        } satisfies Every<NonNullable<Listing['since']>>),
      ),
      below: optional(shape({ list: object(), has: code, params: code })),
    } satisfies Every<Listing>),
  ),
  identity: code,
  note: optional(word),
  confirm: optional(
    shape({ get: object(), param: word, field: optional(word) } satisfies Every<NonNullable<Stream['confirm']>>),
  ),
  closed: optional(shape({ entity: word, field: word, fields: words, is: code })),
  fullEvery: optional(seconds),
} satisfies Every<Stream>)
