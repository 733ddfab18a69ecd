/** A tool that is bound to what it reads, as programs that run models themselves get it, and the options of its making. */
import type { CallOptions } from '../client/with-timeout.ts'
import type { ErrorCode, Issue } from '../errors.ts'
import type { SaveFile } from './source.ts'

/** A tool in the form that every framework for language models uses. */
export interface BoundTool {
  /** Letters, digits, `_` and `-`; at most 64. */
  readonly name: string
  readonly description: string
  readonly inputSchema: ToolSchema
  /**
   * Runs the tool. Errors come back as results, so that the model can correct its call; only the caller's own abort is
   * thrown.
   */
  execute(input: unknown, options?: CallOptions): Promise<ToolOutput>
}

/** The JSON Schema of a tool's input. */
export interface ToolSchema {
  readonly [keyword: string]: unknown
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required: string[]
  readonly additionalProperties: false
}

/** The result of a call, as plain JSON. */
export interface ToolOutput {
  /** What the model reads: records as JSON, and a sentence on how to go on. */
  readonly text: string
  /** An image that the model sees in place of the text, in Base64. */
  readonly image?: { readonly data: string; readonly mediaType: ImageType }
  /** The same for programs: `result`, `connector_metadata`, and as `next` the call that goes on, `{ tool, arguments }`. */
  readonly structured?: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: ErrorCode
    readonly detail: string
    readonly errors?: readonly Issue[]
    /** Seconds to wait before the next call. */
    readonly retry_after?: number
  }
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** The bounds hold for every call that does not set its own. */
interface CommonOptions {
  /** The maximum length of an answer; 20,000 characters by default. Whole records are left out to stay below it. */
  readonly maxCharacters?: number
  /** Cuts longer texts inside records; 2,000 characters by default in lists and searches. */
  readonly maxText?: number
  /** Leaves out null and empty fields. */
  readonly omitEmpty?: boolean
  /** Keeps a file that is neither text nor an image, and returns its address. Without it, the model learns only of its type. */
  readonly saveFile?: SaveFile
}

export interface ServiceToolOptions extends CommonOptions {
  /** One tool for each of these operations, or all operations of these entities, in place of the few tools. */
  readonly only?: readonly `${string}.${string}`[]
  /** The prefix of names; none by default. */
  readonly prefix?: string
}

export interface SystemToolOptions<E extends string = string> extends CommonOptions {
  /** One tool for each of these operations, or all operations of these entities, in place of the few tools. */
  readonly only?: readonly (E | `${E}.${'list' | 'get' | 'search' | 'download'}`)[]
  /** The prefix of names; the kind by default, which keeps the tools of several systems apart. */
  readonly prefix?: string
}
