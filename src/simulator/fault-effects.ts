/** The effects of faults on an answer. Each is a small function with the description that `GET /_faults` shows. */
import { gzipSync } from 'node:zlib'
import { countless, leaveOut, mergeIntoRecords } from './fault-records.ts'
import type { FaultedCall } from './faulted-call.ts'
import { bodyBuffer, rawHeader } from './send.ts'
import type { Reply } from './system.ts'

export interface Effect {
  readonly type: keyof typeof effects
  /** Waits this long before sending anything; works with every effect. */
  readonly delay_ms?: number
  /** Headers to add to the answer. `{date+N}` becomes the HTTP date N seconds from now; text is sent as raw UTF-8. */
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
  readonly body?: unknown
  readonly bytes?: number
  readonly interval_ms?: number
  readonly after_ms?: number
  readonly as?: 'length' | 'chunked' | 'json'
  readonly value?: string
  readonly location?: string
  readonly record?: Readonly<Record<string, unknown>>
  readonly top?: Readonly<Record<string, unknown>>
  readonly records?: number
  readonly leave_out?: readonly string[]
  readonly only_with_accept_encoding?: boolean
}

interface EffectKind {
  readonly does: string
  readonly fields: Readonly<Record<string, string>>
  readonly example: Readonly<Record<string, unknown>>
  apply(effect: Effect, faulted: FaultedCall): void
}

const json = { 'content-type': 'application/json; charset=UTF-8' }

export const effects = {
  status: {
    does: "Refuses with a status, in the system's own words unless a body is given.",
    fields: { status: 'number', body: 'text, or any JSON' },
    example: { type: 'status', status: 429, headers: { 'retry-after': '2' } },
    apply: (effect, faulted) => {
      const own = faulted.refusal(effect.status ?? 500)
      faulted.send(effect.body === undefined ? own : { ...own, body: asText(effect.body) })
    },
  },
  body: {
    does: 'Answers with exactly this body.',
    fields: { status: 'number (200)', body: 'text as it is, or any JSON' },
    example: { type: 'body', body: '{"data":[{"gid":1209876543210987123}]}' },
    apply: (effect, faulted) =>
      faulted.send({ status: effect.status ?? 200, headers: json, body: asText(effect.body ?? '') }),
  },
  html: {
    does: 'Answers with an HTML page, as a load balancer or a sign-in wall does.',
    fields: { status: 'number (502)', body: 'text' },
    example: { type: 'html', status: 502 },
    apply: (effect, faulted) => {
      const status = effect.status ?? 502
      const page = `<!doctype html><html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`
      const body = effect.body === undefined ? page : asText(effect.body)
      faulted.send({ status, headers: { 'content-type': 'text/html; charset=utf-8' }, body })
    },
  },
  redirect: {
    does: 'Sends the caller elsewhere. In the location {api} and {files} stand for the two origins, {path} for path and query.',
    fields: { status: 'number (302)', location: 'text' },
    example: { type: 'redirect', status: 307, location: '{files}/elsewhere' },
    apply: (effect, faulted) =>
      faulted.send({
        status: effect.status ?? 302,
        headers: { location: faulted.address(effect.location ?? '{files}{path}') },
        body: '',
      }),
  },
  delay: {
    does: 'Answers as ever, only later.',
    fields: {},
    example: { type: 'delay', delay_ms: 300 },
    apply: (_, faulted) => faulted.send(faulted.answer()),
  },
  never: {
    does: 'Takes the call and never answers.',
    fields: {},
    example: { type: 'never' },
    apply: () => {},
  },
  stall: {
    does: 'Sends headers and the first bytes, then nothing more.',
    fields: { bytes: 'number (half of the body)' },
    example: { type: 'stall', bytes: 100 },
    apply: (effect, faulted) => {
      const { reply, all } = whole(faulted)
      faulted.head(reply, all.length)
      faulted.response.write(all.subarray(0, effect.bytes ?? all.length >> 1))
    },
  },
  drip: {
    does: 'Sends headers at once and the body a few bytes at a time.',
    fields: { interval_ms: 'number (1000)', bytes: 'number (1)' },
    example: { type: 'drip', interval_ms: 50 },
    apply: (effect, faulted) => {
      const { reply, all } = whole(faulted)
      faulted.head(reply, all.length)
      const step = effect.bytes ?? 1
      let at = 0
      faulted.every(effect.interval_ms ?? 1000, () => {
        faulted.response.write(all.subarray(at, at + step))
        at += step
        if (at >= all.length) faulted.response.end()
      })
    },
  },
  cut: {
    does: 'Ends the body too early: short of its Content-Length, without the last chunk, or as whole HTTP with half the JSON.',
    fields: { as: '"length" (default), "chunked" or "json"', bytes: 'number (half of the body)' },
    example: { type: 'cut', as: 'length', bytes: 900 },
    apply: (effect, faulted) => {
      const { reply, all } = whole(faulted)
      const start = all.subarray(0, effect.bytes ?? all.length >> 1)
      if (effect.as === 'json') return faulted.send({ ...reply, body: start.toString('latin1') }, 'latin1')
      faulted.head(reply, effect.as === 'chunked' ? undefined : all.length)
      faulted.response.write(start, () => faulted.socket.destroySoon())
    },
  },
  reset: {
    does: 'Resets the connection instead of answering.',
    fields: {},
    example: { type: 'reset' },
    apply: (_, faulted) => {
      faulted.socket.resetAndDestroy()
    },
  },
  close_idle: {
    does: 'Answers, and closes the connection a moment later without having said so.',
    fields: { after_ms: 'number (20)' },
    example: { type: 'close_idle' },
    apply: (effect, faulted) => {
      const socket = faulted.socket
      faulted.response.once('finish', () => setTimeout(() => socket.destroySoon(), effect.after_ms ?? 20).unref())
      faulted.send(faulted.answer())
    },
  },
  content_type: {
    does: 'Answers as ever under another content type.',
    fields: { value: 'text' },
    example: { type: 'content_type', value: 'text/plain' },
    apply: (effect, faulted) => withHeader(faulted, 'content-type', effect.value ?? 'text/plain'),
  },
  content_disposition: {
    does: 'Answers with this Content-Disposition, sent as raw UTF-8 bytes; without a value, with none.',
    fields: { value: 'text' },
    example: { type: 'content_disposition', value: 'attachment; filename="отчёт.pdf"' },
    apply: (effect, faulted) => withHeader(faulted, 'content-disposition', effect.value),
  },
  gzip: {
    does: 'Answers as ever, packed with gzip whether the caller accepts it or not.',
    fields: {},
    example: { type: 'gzip' },
    apply: (_, faulted) => {
      const { reply, all } = whole(faulted)
      const packed = gzipSync(all)
      faulted.head({ ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } }, packed.length)
      faulted.response.end(packed)
    },
  },
  patch: {
    does: 'Merges into the answer: `record` into each of its records, `top` into its top level. A null takes a key away only at the top.',
    fields: { record: 'object', top: 'object' },
    example: { type: 'patch', record: { download_url: 'http://10.0.0.1/' }, top: { next_page: { offset: 'same' } } },
    apply: (effect, faulted) => {
      const reply = faulted.answer()
      const text = typeof reply.body === 'string' ? reply.body : '{}'
      faulted.send({ ...reply, body: mergeIntoRecords(text, effect.record ?? {}, effect.top ?? {}) })
    },
  },
  lacking: {
    does: 'Answers as ever, without the fields of these names, wherever in the answer they are.',
    fields: { leave_out: 'array of names' },
    example: { type: 'lacking', leave_out: ['name', 'resource_type'] },
    apply: (effect, faulted) => {
      const reply = faulted.answer()
      const text = typeof reply.body === 'string' ? reply.body : '{}'
      faulted.send({ ...reply, body: leaveOut(text, effect.leave_out ?? []) })
    },
  },
  huge: {
    does: 'Answers with far more records than were asked for, on one page.',
    fields: { records: 'number (200000)' },
    example: { type: 'huge', records: 200_000 },
    apply: (effect, faulted) => {
      const reply = faulted.answer()
      const text = typeof reply.body === 'string' ? reply.body : '{}'
      faulted.send({ ...reply, body: countless(text, effect.records ?? 200_000) })
    },
  },
  ignore_range: {
    does: 'Sends the whole file with 200 although a range was asked for.',
    fields: { only_with_accept_encoding: 'boolean: only when the call accepts a packed answer' },
    example: { type: 'ignore_range', only_with_accept_encoding: true },
    apply: (effect, faulted) => {
      const packs = /gzip|deflate|br|zstd|\*/.test(String(faulted.call.headers['accept-encoding'] ?? ''))
      faulted.send(faulted.answer(effect.only_with_accept_encoding && !packs ? [] : ['range']))
    },
  },
} satisfies Record<string, EffectKind>

function whole(faulted: FaultedCall): { reply: Reply; all: Buffer } {
  const reply = faulted.answer()
  return { reply, all: bodyBuffer(reply.body) }
}

function withHeader(faulted: FaultedCall, name: string, value: string | undefined): void {
  const reply = faulted.answer()
  const { [name]: _, ...others } = reply.headers
  faulted.send({ ...reply, headers: value === undefined ? others : { ...others, [name]: rawHeader(value) } })
}

function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}
