/** The operations of an entity: list, get and download, each declared as data. */
import Type, { type Static, type TObject, type TOptional, type TSchema, type TString } from 'typebox'
import { optional, text } from './fields.ts'
import { type NoPaging, noPaging, type Paging } from './paging.ts'
import type { ReadListRefusal } from './refusal.ts'
import { type Params, type Rule, rule } from './rules.ts'

type Fields = Record<string, TSchema>

/** The place of a param, if it is not the default one: path placeholder, else query, else body of a POST. */
export type Place =
  /** Under each of the names. */
  | { readonly in: 'query'; readonly names: readonly string[] }
  | {
      readonly in: 'body'
      readonly at: readonly string[]
      /** Converts the caller's value to the system's; `now` is milliseconds since 1970. */
      readonly as?: (value: unknown, now: number) => unknown
    }
  /** A field of a form, as which the whole request is then sent. */
  | { readonly in: 'form'; readonly name: string }
  | { readonly in: 'nowhere' }

export const query = (...names: [string, ...string[]]): Place => ({ in: 'query', names })
export const body = (...at: string[]): Place => ({ in: 'body', at })
export const form = (name: string): Place => ({ in: 'form', name })
export const nowhere: Place = { in: 'nowhere' }

/** Makes further requests to the same system, with the same credentials and deadline. */
export interface Reader {
  read(request: {
    readonly method?: 'GET' | 'POST'
    readonly path: string
    readonly query?: Readonly<Record<string, string>>
    /** Sent as JSON. */
    readonly body?: unknown
    /** Sent as a form instead of a body. */
    readonly form?: Readonly<Record<string, string>>
  }): Promise<unknown>
  /** Milliseconds since 1970. */
  now(): number
  /** Whether callers may read records that the system marks as private; the operator decides. */
  readonly privateRecords: boolean
  /** Waits. Returns false at once if too little time would be left before the call's deadline. */
  wait(milliseconds: number): Promise<boolean>
}

export interface ReshapeContext extends Reader {
  readonly answer: unknown
  readonly params: Params
  /** The fields that the caller selected; undefined for the default fields. */
  readonly asked: ReadonlySet<string> | undefined
}

/** Selects the record fields of an answer through a query parameter. */
export interface Selection {
  /** The query parameter. */
  readonly send: string
  /** Sent if the caller chooses none; without it, the system returns what it returns by itself. */
  readonly default?: readonly string[]
  /** How the system writes fields inside a field: `owner.name`, or `owner{name}`; without it, only whole fields are sent. */
  readonly inner?: 'dots' | 'braces'
  /** The param with which the caller selects fewer fields: names separated by commas. */
  readonly param?: string
  /**
   * The system's own names for fields with another name here; null for fields that the system does not have and that
   * are never sent.
   */
  readonly names?: Readonly<Record<string, string | null>>
  /**
   * Default fields for which the system refuses the whole request of some callers; Conex repeats it once without them.
   */
  readonly restricted?: readonly string[]
}

/** Returns an answer in the shape of the list. `query` is the query of the usual request. */
export type AnswerPage = (
  context: Reader & { readonly params: Params; readonly query: Readonly<Record<string, string>> },
) => Promise<unknown>

/** Another way to read a page of the same list, for pages that are too large for the usual one. */
export interface Detour {
  /** Whether the params contain a page token of the detour. */
  readonly owns: (params: Params) => boolean
  readonly answer: AnswerPage
}

/** The part of a request that all operations share. */
interface Request {
  readonly description: string
  readonly method?: 'GET' | 'POST'
  /** Below the base address; `{name}` is the placeholder of the param with that name. */
  readonly path: string
  readonly send?: Readonly<Record<string, Place>>
  /** Query parameters to send always. */
  readonly fixedQuery?: Readonly<Record<string, string>>
  readonly select?: Selection
  readonly rules?: readonly Rule[]
  /** The scopes that a grant needs, as the system names them. */
  readonly scopes?: readonly string[]
  /** Fills in params that the caller may leave out but the system needs; runs after the params are checked. */
  readonly prepare?: (params: Params, reader: Reader) => Promise<Params>
}

interface Reading extends Request {
  /** The place of the records in the answer; empty if the answer is the record itself. */
  readonly recordsAt: readonly string[]
  /**
   * Adds to the params what makes the system return these fields (paths with dots), for systems that select fields by
   * something else than `select`. Params of the caller that select fields themselves win.
   */
  readonly choose?: (params: Params, paths: readonly string[]) => Params
  /** Renames, reshapes, composes or drops records before they get their declared types. */
  readonly reshape?: (
    records: readonly unknown[],
    context: ReshapeContext,
  ) => readonly unknown[] | Promise<readonly unknown[]>
}

export interface ListOperation<P extends Fields = Fields, R extends Fields = Fields> extends Reading {
  readonly action: 'list'
  readonly params: TObject<P>
  readonly record: TObject<R>
  readonly paging: Paging
  /** For answers with an object in place of the list: the fields that get the key and the value of each entry. */
  readonly entriesAs?: readonly [key: string, value: string]
  /** Interprets refusals that mean something else for this list than for the kind. */
  readonly readRefusal?: ReadListRefusal
  /** Used if even the smallest first page is too large for the system, and for the pages after it. */
  readonly detour?: Detour
  /** Returns a page with the one record that fails every page it is on, as far as it can be read. */
  readonly stepOver?: AnswerPage
}

export interface GetOperation<P extends Fields = Fields, R extends Fields = Fields> extends Reading {
  readonly action: 'get'
  readonly params: TObject<P>
  readonly record: TObject<R>
}

/** The location of a file, read from its record. */
export interface FileLocation {
  readonly url: string
  /** The file name, if the record contains one. */
  readonly name?: string
  /** The media type, for hosts that report none, and to tell the file from a page of `refusedTypes`. */
  readonly type?: string
  /** The size in bytes, if the record contains it; the received bytes are checked against it. */
  readonly size?: number
}

export interface DownloadOperation<P extends Fields = Fields> extends Request {
  readonly action: 'download'
  readonly params: TObject<P>
  /** Reads the file's address from the answer. If there is none, throws `file_unavailable` with the reason. */
  readonly locate: (answer: unknown, params: Params, reader: Reader) => FileLocation
  /**
   * Media types of pages that explain why there is no file, for systems that never store such files. If they include
   * `text/html`, a body that begins like an HTML page is refused under any type. A file whose own type is one of them
   * is not refused.
   */
  readonly refusedTypes?: readonly string[]
  /**
   * The system's own hosts keep the files and want the credentials: they are sent to the host of the base address and
   * to those below it, and to no other.
   */
  readonly authorized?: true
}

export type Operation = ListOperation | GetOperation | DownloadOperation

/** Declares a list; the paging style adds its own params. */
export function list<
  const R extends Fields,
  // A list without params declares none: NoInfer keeps the type from coming from the bound or from the entity.
  const P extends Fields = Record<never, never>,
  const G extends Paging = NoPaging,
>(
  declaration: Omit<ListOperation, 'action' | 'params' | 'record' | 'paging'> & { params?: P; record: R; paging?: G },
): ListOperation<NoInfer<P> & G['params'], R> {
  const paging = declaration.paging ?? noPaging
  const params: Fields = { ...declaration.params, ...paging.params }
  return {
    ...declaration,
    action: 'list',
    params: closed(params as P & G['params']),
    record: Type.Object(declaration.record),
    paging,
  }
}

/** Declares a get of one record. */
export function get<const R extends Fields, const P extends Fields = Record<never, never>>(
  declaration: Omit<GetOperation, 'action' | 'params' | 'record'> & { params?: P; record: R },
): GetOperation<NoInfer<P>, R> {
  return {
    ...declaration,
    action: 'get',
    params: closed((declaration.params ?? {}) as P),
    record: Type.Object(declaration.record),
  }
}

const rangeHeader = optional(
  text('Part of the file: bytes=<first>-<last>, bytes=<first>- or bytes=-<count>.', {
    pattern: '^bytes=([0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$',
  }),
)

const rangeHoldsBytes = rule(
  'A range must contain at least one byte: its last byte cannot come before its first, and a count cannot be 0.',
  ({ range_header: range }) => {
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(typeof range === 'string' ? range : '') ?? []
    if (first === undefined || last === undefined) return null
    const empty = first === '' ? Number(last) === 0 : last !== '' && Number(last) < Number(first)
    return empty ? ['range_header'] : null
  },
)

/** Declares a download; every download takes `range_header`. */
export function download<const P extends Fields>(
  declaration: Omit<DownloadOperation, 'action' | 'params'> & { params: P },
): DownloadOperation<P & { range_header: TOptional<TString> }> {
  return {
    ...declaration,
    action: 'download',
    params: closed({ ...declaration.params, range_header: rangeHeader }),
    rules: [...(declaration.rules ?? []), rangeHoldsBytes],
  }
}

function closed<P extends Fields>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false })
}

/** The params of an operation, as callers write them. */
export type ParamsOf<O> = O extends { readonly params: infer P extends TObject } ? Static<P> : never

/**
 * A record of an operation: the declared fields (decision 31). The object has all other fields that the system sent as
 * well; a program that reads one says so with a cast.
 */
export type RecordOf<O> = O extends { readonly record: infer R extends TObject } ? Static<R> : never
