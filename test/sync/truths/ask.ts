/** What the judges of every system share: how they ask, and how they keep what they found. */
import { setTimeout as pause } from 'node:timers/promises'
import { catalog } from '../../../src/connectors/index.ts'
import { parseJson } from '../../../src/json.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
export type Any = any
/** The records of each entity, by their ids in the copy. */
export type Truth = Readonly<Record<string, ReadonlyMap<string, Any>>>

/** The answer to a GET, or to a POST of a body; null for what does not exist. */
export async function ask(url: string, authorization: string, body?: object): Promise<Any> {
  for (let repeat = 0; ; repeat++) {
    const response = await fetch(url, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 404) return null
    if (response.ok) return parseJson(text)
    // The judge is subject to the same limits.
    if (response.status !== 429 || repeat > 20) throw new Error(`${response.status} ${url} ${text}`)
    await pause(50)
  }
}

/** The fields that a copy of the entity holds. */
export const field = (kind: keyof typeof catalog, entity: string): readonly string[] =>
  Object.keys((catalog[kind].entities as Any)[entity].searchable)

export const byId = (records: readonly Any[], id: (record: Any) => string): Map<string, Any> =>
  new Map(records.map((record) => [id(record), record]))
