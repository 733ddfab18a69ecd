/** What can be done with an entity: list, get and download, each declared as data. */
import Type, { type Static, type TObject, type TOptional, type TSchema, type TString } from 'typebox'
import { optional, text } from './fields.ts'
import { type NoPaging, noPaging, type Paging } from './paging.ts'
import type { ReadListRefusal } from './refusal.ts'
import { type Params, type Rule, rule } from './rules.ts'

type Fields = Record<string, TSchema>

/** Where a param goes when it does not go where its kind of request puts it: path placeholder, else query, else body of a POST. */
export type Place =
  | { readonly in: 'query'; readonly name: string }
  | {
      readonly in: 'body'
      readonly at: readonly string[]
      /** Turns the caller's value into the system's; `now` is milliseconds since 1970. */
      readonly as?: (value: unknown, now: number) => unknown
    }
  | { readonly in: 'nowhere' }

export const query = (name: string): Place => ({ in: 'query', name })
export const body = (...at: string[]): Place => ({ in: 'body', at })
export const nowhere: Place = { in: 'nowhere' }

/** More requests to the same system, with the same credentials and under the same deadline. */
export interface Reader {
  read(request: {
    readonly method?: 'GET' | 'POST'
    readonly path: string
    readonly query?: Readonly<Record<string, string>>
    /** Sent as JSON. */
    readonly body?: unknown
    /** Sent as a form, in place of a body. */
    readonly form?: Readonly<Record<string, string>>
  }): Promise<unknown>
  /** Milliseconds since 1970. */
  now(): number
  /** Whether callers may have records that the system marks as private; the operator decides it. */
  readonly privateRecords: boolean
  /** Waits; false, at once, when too little time would be left of the call's deadline. */
  wait(milliseconds: number): Promise<boolean>
}

export interface ReshapeContext extends Reader {
  readonly answer: unknown
  readonly params: Params
  /** The fields that the caller selected; undefined when the default ones were asked for. */
  readonly asked: ReadonlySet<string> | undefined
}

/** Which record fields an answer holds, chosen by a query parameter. */
export interface Selection {
  /** The query parameter. */
  readonly send: string
  readonly default: readonly string[]
  /** The param with which the caller narrows the default: names with commas between them. */
  readonly param?: string
  /** What the system calls fields that have another name here; null for those it has not, which are never sent. */
  readonly names?: Readonly<Record<string, string | null>>
  /** Default fields for which the system refuses some callers the whole request; it is repeated once without them. */
  readonly restricted?: readonly string[]
}

/** Gives an answer of the shape that a list usually has. `query` is what the usual request would carry. */
export type AnswerPage = (
  context: Reader & { readonly params: Params; readonly query: Readonly<Record<string, string>> },
) => Promise<unknown>

/** Another way to a page of the same list, where the usual one can fail for size alone. */
export interface Detour {
  /** Whether the params hold a page token that the detour gave out. */
  readonly owns: (params: Params) => boolean
  readonly answer: AnswerPage
}

/** The part of a request that all operations declare alike. */
interface Request {
  readonly description: string
  readonly method?: 'GET' | 'POST'
  /** Below the base address; `{name}` stands for the param of that name. */
  readonly path: string
  readonly send?: Readonly<Record<string, Place>>
  /** Query parameters that are always sent. */
  readonly fixedQuery?: Readonly<Record<string, string>>
  readonly select?: Selection
  readonly rules?: readonly Rule[]
  /** The scopes a grant needs, as the system names them. */
  readonly scopes?: readonly string[]
  /** Fills in what the caller may leave out but the system needs; runs after the params are checked. */
  readonly prepare?: (params: Params, reader: Reader) => Promise<Params>
}

interface Reading extends Request {
  /** Where the answer holds the records; empty when the answer is the record itself. */
  readonly recordsAt: readonly string[]
  /** Renames, reshapes, composes or leaves out records before they are given their declared types. */
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
  /** Where a refusal means something else to this list than to the kind. */
  readonly readRefusal?: ReadListRefusal
  /** Taken when even the smallest first page is too large for the system, and for the pages that then follow. */
  readonly detour?: Detour
  /** Gives a page of the one record that fails every page it is on, with as much of it as can be read. */
  readonly stepOver?: AnswerPage
}

export interface GetOperation<P extends Fields = Fields, R extends Fields = Fields> extends Reading {
  readonly action: 'get'
  readonly params: TObject<P>
  readonly record: TObject<R>
}

/** Where a file is, read from its record. */
export interface FileLocation {
  readonly url: string
  /** The name to save it under, where the record knows one. */
  readonly name?: string
  /** Its media type, for hosts that call everything a stream of bytes. */
  readonly type?: string
  /** How many bytes it has, where the record knows; what comes is counted against it. */
  readonly size?: number
}

export interface DownloadOperation<P extends Fields = Fields> extends Request {
  readonly action: 'download'
  readonly params: TObject<P>
  /** Reads the file's address from the answer; throws `file_unavailable` with the reason when there is none. */
  readonly locate: (answer: unknown, params: Params, reader: Reader) => FileLocation
  /**
   * Media types that mean "not the file but a page that says why not", where the system never stores such files. With
   * `text/html` among them a body that begins as an HTML page is refused under any type.
   */
  readonly refusedTypes?: readonly string[]
}

export type Operation = ListOperation | GetOperation | DownloadOperation

/** Declares a list; the paging style adds its own params. */
export function list<
  const R extends Fields,
  // A list that declares no params has none: neither the bound nor what the entity expects (hence NoInfer) stands in for them.
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
  'A range has to hold at least one byte: its last byte cannot come before its first, and a count cannot be 0.',
  ({ range_header: range }) => {
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(typeof range === 'string' ? range : '') ?? []
    if (first === undefined || last === undefined) return null
    const empty = first === '' ? Number(last) === 0 : last !== '' && Number(last) < Number(first)
    return empty ? ['range_header'] : null
  },
)

/** Declares a download; `range_header` is common to all. */
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

/** The params of an operation, as a caller writes them. */
export type ParamsOf<O> = O extends { readonly params: infer P extends TObject } ? Static<P> : never

/** A record of an operation: the declared fields, also those that a poor answer may lack (decision 31), and whatever else the system sent. */
export type RecordOf<O> = O extends { readonly record: infer R extends TObject }
  ? Static<R> & { readonly [field: string]: unknown }
  : never
