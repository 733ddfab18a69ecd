/** A tool of the MCP server: its definition, and what a call of it does. */
import type { TObject } from 'typebox'
import { decode } from '../catalog/decode.ts'
import { type PublishedSchema, published } from '../catalog/published-schema.ts'
import type { Source } from './source.ts'

/** A part of a result: a text, an image, or a link. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name: string
      readonly mimeType?: string
      readonly size?: number
    }

export interface ToolResult {
  readonly content: readonly Content[]
  /** The same data for programs. */
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: PublishedSchema
  readonly outputSchema?: PublishedSchema
  readonly annotations: { readonly readOnlyHint: true; readonly idempotentHint: true }
  call(given: unknown, source: Source, signal: AbortSignal): Promise<ToolResult>
}

export const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

/** A tool whose arguments are checked against the schema that it publishes. */
export function defineTool<const S extends TObject>(
  name: string,
  description: string,
  input: S,
  run: (given: DecodedArguments<S>, source: Source, signal: AbortSignal) => Promise<ToolResult>,
): Tool {
  return {
    name,
    description,
    inputSchema: published(input),
    annotations: { readOnlyHint: true, idempotentHint: true },
    call: async (given, source, signal) => run(decode(input, given ?? {}), source, signal),
  }
}

type DecodedArguments<S extends TObject> = ReturnType<typeof decode<S>>
