/** The copy of a connector: filled by syncs on request, and read by searches. */
import assert from 'node:assert/strict'
import { parseJson, stringifyJson } from '../json.ts'
import type { RunningServer } from '../server/serve.ts'
import { type Answer, call, connectors, executePath, isFine } from './answers.ts'

export interface Copied {
  /** Copies what is dated from so many days before `now` on. */
  startDaysAgo(days: number, now: number): Promise<void>
  /** Starts a sync, and waits for its end. */
  sync(wanted?: { readonly full?: boolean }): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: checks look into answers of every shape
  state(): Promise<any>
  search(entity: string, params: object): Promise<Answer>
}

export function copiedBy(server: RunningServer, token: () => Promise<string>, id: string): Copied {
  const ask = async (method: string, path: string, body?: string) =>
    call(server.origin + path, method, { token: await token(), body })
  return {
    async startDaysAgo(days, now) {
      const date = new Date(now - days * 86_400_000).toISOString().slice(0, 10)
      const sync = { start_date: `${date}T00:00:00Z` }
      isFine(await ask('PATCH', `${connectors}/${id}`, JSON.stringify({ sync })))
    },
    async sync(wanted = {}) {
      const answer = await ask('POST', `${connectors}/${id}/sync`, JSON.stringify(wanted))
      assert.equal(answer.status, 202, answer.text)
      await server.service.syncs.settled()
    },
    state: async () => isFine(await ask('GET', `${connectors}/${id}/sync`)),
    // Whole numbers past 2^53 keep their digits.
    search: (entity, params) => ask('POST', executePath(id), stringifyJson({ entity, action: 'search', params })),
  }
}

/** All records of a copy, by the ids of their hits. */
export async function copyOf(
  search: (params: object) => Promise<{ readonly text: string; readonly status: number }>,
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
): Promise<Map<string, any>> {
  const found = new Map()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer = await search({ query: {}, limit: 5000, ...(cursor !== undefined && { cursor }) })
    assert.equal(answer.status, 200, answer.text)
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    const { result } = parseJson(answer.text) as any
    for (const { id, data } of result.hits) {
      assert.ok(!found.has(id), `${id} was found twice`)
      found.set(id, data)
    }
    cursor = result.next_cursor
  }
  return found
}
