/** The requests of the reference service's clients, as they were recorded: a file for each generation, one request on a line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, request as ask } from '../../src/conformance/answers.ts'
import { parseJson } from '../../src/json.ts'

export const generations = ['february', 'april', 'current'] as const
export type Generation = (typeof generations)[number]

export interface SentRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** Those that the client sets by itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** An answer with its bytes. */
export type WireAnswer = Answer & { readonly bytes: Buffer }

export const fileOf = (generation: Generation): string => join(import.meta.dirname, `${generation}.jsonl`)

export const recorded = (generation: Generation): readonly string[] =>
  readFileSync(fileOf(generation), 'utf8').trimEnd().split('\n')

export async function send(server: string, { method, path, headers, body }: SentRequest): Promise<WireAnswer> {
  const response = await ask(server + path, method, { headers, ...(body !== undefined && { body }) })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    body: isJson ? parseJson(text) : undefined,
  }
}
