/** Models that follow a script, each in the loop of a framework that runs tools for it. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import Anthropic from '@anthropic-ai/sdk'
import { AIMessage, type ToolMessage } from '@langchain/core/messages'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { generateText, isStepCount, jsonSchema } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import OpenAI from 'openai'
import {
  callTool,
  type Tool,
  type ToolOutput,
  toAiSdk,
  toAnthropic,
  toLangChain,
  toOpenAiChat,
  toOpenAiResponses,
} from '../src/index.ts'

export interface Call {
  readonly name: string
  readonly input: object
}

/** What a scripted model is given: a text, or the type of an image. */
type Heard = string

/** Lets a model make these calls, one after another, in the loop of a framework; gives what it reads after each. */
export type Loop = (made: readonly Tool[], calls: readonly Call[]) => Promise<Heard[]>

/** What the models are asked. */
export const prompt = 'Which tasks?'

const aiSdk: Loop = async (made, calls) => {
  const heard: Heard[] = []
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  let turn = 0
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1)!
      if (last.role === 'tool')
        for (const part of last.content) {
          assert.equal(part.type, 'tool-result')
          const { output } = part
          if (output.type === 'text' || output.type === 'error-text') heard.push(output.value)
          else if (output.type === 'content' && output.value[0]?.type === 'file') heard.push(output.value[0].mediaType)
          else assert.fail(output.type)
        }
      const call = calls[turn++]
      if (call === undefined)
        return {
          content: [{ type: 'text', text: 'done' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage,
          warnings: [],
        }
      const { name: toolName, input } = call
      return {
        content: [{ type: 'tool-call', toolCallId: `${turn}`, toolName, input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
  const { text } = await generateText({ model, tools: toAiSdk(made, jsonSchema), prompt, stopWhen: isStepCount(20) })
  assert.equal(text, 'done')
  return heard
}

/** The address of a provider that answers each request with what `answer` makes of it. */
export async function withProvider(
  // biome-ignore lint/suspicious/noExplicitAny: each package has a shape of its own
  answer: (asked: any) => object,
  work: (baseURL: string) => Promise<void>,
): Promise<void> {
  const server = createServer(async (request, response) => {
    const body = JSON.stringify(answer({ url: request.url, ...((await json(request)) as object) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

const openAiChat: Loop = async (made, calls) => {
  const heard: Heard[] = []
  let turn = 0
  await withProvider(
    ({ messages }) => {
      if (turn > 0) heard.push(messages.at(-1).content)
      const call = calls[turn++]
      const called = call && [
        { id: `${turn}`, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } },
      ]
      const message = { role: 'assistant', content: called ? null : 'done', ...(called && { tool_calls: called }) }
      return { id: '1', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }
    },
    async (baseURL) => {
      const runner = new OpenAI({ baseURL, apiKey: 'k' }).chat.completions.runTools(
        { model: 'm', messages: [{ role: 'user', content: prompt }], tools: toOpenAiChat(made) },
        { maxChatCompletions: 20 },
      )
      assert.equal(await runner.finalContent(), 'done')
    },
  )
  return heard
}

/** The package has no loop for responses, so this one is that of its documentation. */
const openAiResponses: Loop = async (made, calls) => {
  const heard: Heard[] = []
  let turn = 0
  await withProvider(
    ({ input }) => {
      if (turn > 0) heard.push(input.at(-1).output)
      const call = calls[turn++]
      const output = call
        ? [{ type: 'function_call', call_id: `${turn}`, name: call.name, arguments: JSON.stringify(call.input) }]
        : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done', annotations: [] }] }]
      return { id: '1', object: 'response', output }
    },
    async (baseURL) => {
      const openai = new OpenAI({ baseURL, apiKey: 'k' })
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: prompt }]
      for (;;) {
        const { output, output_text } = await openai.responses.create({
          model: 'm',
          input,
          tools: toOpenAiResponses(made),
        })
        const asked = output.filter((item) => item.type === 'function_call')
        if (asked.length === 0) return assert.equal(output_text, 'done')
        input.push(...asked)
        for (const { call_id, name, arguments: given } of asked)
          input.push({ type: 'function_call_output', call_id, output: await callTool(made, name, given) })
      }
    },
  )
  return heard
}

const anthropic: Loop = async (made, calls) => {
  const heard: Heard[] = []
  let turn = 0
  await withProvider(
    ({ messages }) => {
      if (turn > 0) {
        const [{ content }] = messages.at(-1).content
        heard.push(typeof content === 'string' ? content : content[0].source.media_type)
      }
      const call = calls[turn++]
      const content = call ? [{ type: 'tool_use', id: `${turn}`, ...call }] : [{ type: 'text', text: 'done' }]
      const usage = { input_tokens: 1, output_tokens: 1 }
      return { id: '1', type: 'message', role: 'assistant', model: 'm', content, usage, stop_reason: 'tool_use' }
    },
    async (baseURL) => {
      const messages = [{ role: 'user' as const, content: prompt }]
      const runner = new Anthropic({ baseURL, apiKey: 'k' }).beta.messages.toolRunner({
        model: 'm',
        max_tokens: 9,
        messages,
        tools: toAnthropic(made),
      })
      const { content } = await runner
      assert.deepEqual(content, [{ type: 'text', text: 'done' }])
    },
  )
  return heard
}

/** A model of LangChain returns messages with calls, and its agents invoke the tools with them. */
const langChain: Loop = async (made, calls) => {
  const bound = toLangChain(made, DynamicStructuredTool)
  const heard: Heard[] = []
  for (const [id, { name, input }] of calls.entries()) {
    const { tool_calls: asked = [] } = new AIMessage({
      content: '',
      tool_calls: [{ id: `${id}`, name, args: input as Record<string, unknown>, type: 'tool_call' }],
    })
    const tool = bound.find((one) => one.name === name)!
    const answer = (await tool.invoke({ ...asked[0]!, type: 'tool_call' })) as unknown as ToolMessage
    const { content, artifact } = answer
    assert.equal(typeof (artifact as ToolOutput).text, 'string')
    heard.push(typeof content === 'string' ? content : String(content[0]!.mimeType))
  }
  return heard
}

/** By the name of the framework. */
export const loops = { aiSdk, openAiChat, openAiResponses, anthropic, langChain }

/** Those that show no images. */
export const ofTexts: readonly Loop[] = [openAiChat, openAiResponses]
