/**
 * Tools in the formats of other libraries. This file loads none of them: callers pass in what it needs. Every tool
 * is marked as not strict, because a strict schema has no optional params, and models would fill in all of them.
 */
import { didYouMean } from '../catalog/did-you-mean.ts'
import { truncate } from '../catalog/truncate.ts'
import type { CallOptions } from '../client/with-timeout.ts'
import type { BoundTool, ToolOutput, ToolSchema } from './bound-tool.ts'

/** For the `tools` of OpenAI's chat completions, and for `runTools`, which runs them. */
export const toOpenAiChat = (tools: readonly BoundTool[]) =>
  tools.map((tool) => ({
    type: 'function' as const,
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.inputSchema as ToolSchema & Record<string, unknown>,
      strict: false,
      // A request does not contain it, because it is no JSON.
      function: (input: string, runner?: { readonly controller: AbortController }): Promise<string> =>
        callTool([tool], tool.name, input, { signal: runner?.controller.signal }),
    },
  }))

/** For the `tools` of OpenAI's responses. */
export const toOpenAiResponses = (tools: readonly BoundTool[]) =>
  tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: inputSchema as ToolSchema & Record<string, unknown>,
    strict: false,
  }))

/** For the `tools` of Anthropic's messages, and for `toolRunner`, which runs them. */
export const toAnthropic = (tools: readonly BoundTool[]) =>
  tools.map(({ name, description, inputSchema, execute }) => ({
    name,
    description,
    input_schema: inputSchema,
    strict: false,
    // A request does not contain these, because they are no JSON.
    parse: (input: unknown): unknown => input,
    async run(input: unknown, context?: { readonly signal?: AbortSignal | null | undefined }) {
      const { text, image } = await execute(input, { signal: context?.signal ?? undefined })
      if (image === undefined) return text
      const source = { type: 'base64' as const, media_type: image.mediaType, data: image.data }
      return [{ type: 'image' as const, source }]
    },
  }))

/** For the `tools` of the Vercel AI SDK; pass `jsonSchema` from the package `ai`. */
export const toAiSdk = <S>(tools: readonly BoundTool[], jsonSchema: (schema: ToolSchema) => S) =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema, execute }) => [
      name,
      {
        description,
        inputSchema: jsonSchema(inputSchema),
        strict: false,
        execute: (input: unknown, { abortSignal }: { abortSignal?: AbortSignal | undefined } = {}) =>
          execute(input, { signal: abortSignal }),
        toModelOutput({ output: { text, image, error } }: { readonly output: ToolOutput }) {
          if (error !== undefined) return { type: 'error-text' as const, value: text }
          if (image === undefined) return { type: 'text' as const, value: text }
          const { data, mediaType } = image
          const file = { type: 'file' as const, data: { type: 'data' as const, data }, mediaType }
          return { type: 'content' as const, value: [file] }
        },
      },
    ]),
  )

/** The fields of a structured tool of LangChain. */
export interface LangChainFields {
  readonly name: string
  readonly description: string
  readonly schema: ToolSchema
  /** Anthropic's models read it from here; OpenAI's models from `bindTools(tools, { strict: false })`. */
  readonly extras: { readonly strict: false }
  readonly responseFormat: 'content_and_artifact'
  /** What the model reads, and the output for programs. */
  readonly func: (
    input: unknown,
    runManager?: unknown,
    config?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<[content: string | { readonly type: 'image'; data: string; mimeType: string }[], artifact: ToolOutput]>
}

/** For LangChain.js; pass the class DynamicStructuredTool from the package `@langchain/core/tools`. */
export const toLangChain = <T>(
  tools: readonly BoundTool[],
  DynamicStructuredTool: new (fields: LangChainFields) => T,
): T[] =>
  tools.map(
    ({ name, description, inputSchema: schema, execute }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema,
        extras: { strict: false },
        responseFormat: 'content_and_artifact',
        async func(input, _, config) {
          const output = await execute(input, { signal: config?.signal })
          const { text, image } = output
          return [image === undefined ? text : [{ type: 'image', data: image.data, mimeType: image.mediaType }], output]
        },
      }),
  )

/**
 * Runs the tool that a model asked for, and returns the text to answer with. The input is an object, or JSON as OpenAI
 * sends it. If the tool does not exist, or the text is not JSON, the model gets an error.
 */
export async function callTool(
  tools: readonly BoundTool[],
  name: string,
  input: unknown,
  options?: CallOptions,
): Promise<string> {
  const found = tools.find((tool) => tool.name === name)
  if (found === undefined) {
    const names = tools.map((tool) => tool.name)
    const guess = didYouMean(name, names) || `; there are ${names.join(', ')}.`
    return `unknown_action: There is no tool "${truncate(name)}"${guess}`
  }
  let given = input
  try {
    if (typeof input === 'string') given = input === '' ? {} : JSON.parse(input)
  } catch {
    return 'invalid_params: The arguments are not JSON; write them as one JSON object.'
  }
  return (await found.execute(given, options)).text
}
