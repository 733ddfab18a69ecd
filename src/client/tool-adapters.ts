/**
 * Tools in the formats of other libraries. This file loads none of them: callers pass in what it needs. Every tool
 * is marked as not strict, because a strict schema has no optional params, and models would fill in all of them.
 */
import { ConexError } from '../errors.ts'
import { failure, type ToolOutput } from './tool-output.ts'
import type { Tool, ToolSchema } from './tools.ts'
import type { CallOptions } from './with-timeout.ts'

/** For the `tools` of OpenAI's chat completions. */
export const toOpenAiChat = (tools: readonly Tool[]) =>
  tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: inputSchema, strict: false },
  }))

/** For the `tools` of OpenAI's responses. */
export const toOpenAiResponses = (tools: readonly Tool[]) =>
  tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }))

/** For the `tools` of Anthropic's messages. */
export const toAnthropic = (tools: readonly Tool[]) =>
  tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema, strict: false }))

/** For the `tools` of the Vercel AI SDK; pass `jsonSchema` from the package `ai`. */
export const toAiSdk = <S>(tools: readonly Tool[], jsonSchema: (schema: ToolSchema) => S) =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema, execute }) => [
      name,
      {
        description,
        inputSchema: jsonSchema(inputSchema),
        strict: false,
        execute: (input: unknown, { abortSignal }: { abortSignal?: AbortSignal | undefined } = {}) =>
          execute(input, { signal: abortSignal }),
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
  readonly func: (
    input: unknown,
    runManager?: unknown,
    config?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<string>
}

/** For LangChain.js; pass the class DynamicStructuredTool from the package `@langchain/core/tools`. */
export const toLangChain = <T>(
  tools: readonly Tool[],
  DynamicStructuredTool: new (fields: LangChainFields) => T,
): T[] =>
  tools.map(
    ({ name, description, inputSchema: schema, execute }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema,
        extras: { strict: false },
        func: async (input, _, config) => JSON.stringify(await execute(input, { signal: config?.signal })),
      }),
  )

/**
 * Runs the tool that a model asked for, and returns the text to answer with. The input is an object, or JSON as OpenAI
 * sends it. If the tool does not exist, or the text is not JSON, the model gets an error.
 */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  input: unknown,
  options?: CallOptions,
): Promise<string> {
  return JSON.stringify(await called(tools, name, input, options))
}

async function called(
  tools: readonly Tool[],
  name: string,
  input: unknown,
  options?: CallOptions,
): Promise<ToolOutput> {
  const found = tools.find((tool) => tool.name === name)
  if (found === undefined)
    return failure(
      new ConexError(
        'unknown_action',
        `There is no tool "${name}"; use one of ${tools.map((tool) => tool.name).join(', ')}.`,
      ),
    )
  if (typeof input !== 'string') return found.execute(input, options)
  try {
    return await found.execute(input === '' ? {} : JSON.parse(input), options)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return failure(new ConexError('invalid_params', 'The arguments are not JSON; write them as one JSON object.'))
  }
}
