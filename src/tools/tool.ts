/** A tool of agents: its definition, and what a call of it does. */
import type { TObject } from 'typebox'
import { decode } from '../catalog/decode.ts'
import { type PublishedSchema, published } from '../catalog/published-schema.ts'
import type { Bounds } from './bounds.ts'
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
  /** The address of a resource with more about it. */
  readonly resource?: string
  call(given: unknown, source: Source, signal: AbortSignal, offer?: Offer): Promise<ToolResult>
}

/** A call of a tool, as a model writes it. */
export interface Call {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The name under which a program offers a tool; undefined if it does not. */
export type NameOf = (tool: string) => string | undefined

/** How a program offers tools: under which names, and with which bounds where a call sets none. */
export interface Offer {
  readonly nameOf: NameOf
  readonly bounds: Bounds
}

export const usualOffer: Offer = { nameOf: (tool) => tool, bounds: {} }

/** A name that every framework takes. */
export const toolName = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)

export const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

/** A tool whose arguments are checked against the schema that it publishes. */
export function defineTool<const S extends TObject>(
  name: string,
  description: string,
  input: S,
  run: (given: DecodedArguments<S>, source: Source, signal: AbortSignal, call: Call) => Promise<ToolResult>,
  resource?: string,
): Tool {
  return {
    name,
    description,
    inputSchema: published(input),
    annotations: { readOnlyHint: true, idempotentHint: true },
    ...(resource !== undefined && { resource }),
    async call(given, source, signal, { nameOf, bounds } = usualOffer) {
      const taken = decode(input, given ?? {})
      const call = { tool: nameOf(name) ?? name, arguments: taken as Call['arguments'] }
      return run(withUsual(taken, input, bounds), source, signal, call)
    },
  }
}

/** The arguments, with those of these bounds that the tool takes and the call does not set. */
export const withUsual = <A extends object>(given: A, { properties }: TObject, bounds: Bounds): A => ({
  ...Object.fromEntries(Object.entries(bounds).filter(([name]) => Object.hasOwn(properties, name))),
  ...given,
})

type DecodedArguments<S extends TObject> = ReturnType<typeof decode<S>>
