/** Changes the records of a JSON answer, for the faults that do so. */
import type { Bytes } from './system.ts'

type Json = Record<string, unknown>

/** The place of the records: the first array at the top level, or the first object (one record). */
function placeOf(answer: Json): string | undefined {
  const names = Object.keys(answer)
  return (
    names.find((name) => Array.isArray(answer[name])) ??
    names.find((name) => typeof answer[name] === 'object' && answer[name] !== null)
  )
}

export function mergeIntoRecords(text: string, record: Json, top: Json): string {
  const answer = JSON.parse(text) as Json
  const place = placeOf(answer)
  if (place !== undefined) {
    const found = answer[place]
    answer[place] = Array.isArray(found) ? found.map((one) => deepMerge(one, record)) : deepMerge(found, record)
  }
  for (const [name, value] of Object.entries(top)) {
    if (value === null) delete answer[name]
    else answer[name] = deepMerge(answer[name], value)
  }
  return JSON.stringify(answer)
}

function deepMerge(into: unknown, from: unknown): unknown {
  if (!isObject(from) || !isObject(into)) return from
  const merged: Json = { ...into }
  for (const [name, value] of Object.entries(from)) merged[name] = deepMerge(merged[name], value)
  return merged
}

/** The answer without the fields of these names. */
export const leaveOut = (text: string, names: readonly string[]): string =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (names.includes(name) ? undefined : value)))

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The answer with its records repeated to `count` under new gids, produced while it is sent. */
export function countless(text: string, count: number): Bytes | string {
  const answer = JSON.parse(text) as Json
  const place = placeOf(answer)
  const seen = place === undefined ? undefined : answer[place]
  if (place === undefined || !Array.isArray(seen) || seen.length === 0) return text
  // All records have the same length, so the position of each is known and none must be kept.
  const model = { ...(seen[0] as Json), gid: 'GID' }
  const [before = '', after = ''] = JSON.stringify(model).split('"GID"')
  const recordAt = (i: number) => Buffer.from(`${before}"${8_000_000_000_000_000_000n + BigInt(i)}"${after},`)
  const head = Buffer.from(`{"${place}":[`)
  const size = recordAt(0).length
  const { [place]: _, ...others } = answer
  const rest = JSON.stringify(others).slice(1)
  const tail = Buffer.from(`]${rest === '}' ? '' : ','}${rest}`)
  const body = head.length + size * count - 1
  return {
    length: body + tail.length,
    read(at, max) {
      if (at < head.length) return head.subarray(at, at + max)
      if (at >= body) return tail.subarray(at - body, at - body + max)
      const first = Math.floor((at - head.length) / size)
      const last = Math.min(count, first + Math.max(1, Math.floor(Math.min(max, 65_536) / size)))
      const records: Buffer[] = []
      for (let i = first; i < last; i++) records.push(recordAt(i))
      const start = at - head.length - first * size
      return Buffer.concat(records).subarray(start, Math.min(start + max, start + body - at))
    },
  }
}
