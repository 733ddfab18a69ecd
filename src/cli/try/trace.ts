/** Shows every request of the engine and its answer, through the places that the engine leaves for that. */
import type { HeaderFields, HttpRequest, Transport } from '../../engine/http/messages.ts'
import { unpacked } from '../../engine/http/read-json.ts'
import { type EngineSettings, systemClock } from '../../engine/settings.ts'
import { silentLog } from '../../log.ts'
import type { Mask } from './mask.ts'

/** A body as people see it. */
export interface ShownBody {
  /** Its text, without secrets; null if it is not text. */
  readonly text: string | null
  /** Its bytes, before compression; null while they are still arriving. */
  readonly bytes: number | null
}

export type Shown =
  | {
      readonly event: 'request'
      readonly number: number
      /** Whether the same request was sent before. */
      readonly again: boolean
      readonly method: string
      readonly address: string
      readonly headers: ShownHeaders
      readonly body: ShownBody | null
    }
  | {
      readonly event: 'answer'
      readonly number: number
      readonly status: number
      readonly ms: number
      readonly headers: ShownHeaders
      readonly body: ShownBody | null
    }
  | { readonly event: 'failure'; readonly number: number; readonly ms: number; readonly message: string }
  | { readonly event: 'wait'; readonly ms: number }
  | { readonly event: 'note'; readonly message: string }

type ShownHeaders = Readonly<Record<string, string>>

/** The settings of an engine whose requests are shown. */
export function tracing(mask: Mask, show: (shown: Shown) => void): Partial<EngineSettings> {
  let count = 0
  const sent = new Set<string>()

  function begin({ method, url, headers, body }: HttpRequest) {
    // What authorizes a request may be echoed in another place.
    const scheme = headers.authorization?.replace(/^\S+ /, '')
    if (scheme !== undefined) mask.add([scheme])
    const same = `${method} ${url.href} ${body ?? ''}`
    const number = ++count
    const address = mask.text(url.href)
    show({
      event: 'request',
      number,
      again: sent.has(same),
      method,
      address,
      headers: shownHeaders(headers, mask),
      body: body === undefined ? null : { text: mask.body(body), bytes: Buffer.byteLength(body) },
    })
    sent.add(same)
    const startedAt = performance.now()
    return { number, ms: () => Math.round(performance.now() - startedAt) }
  }

  async function shown<A extends { readonly status: number; readonly headers: HeaderFields }>(
    request: HttpRequest,
    send: () => Promise<A>,
    bodyOf: (answer: A) => Promise<ShownBody | null>,
  ): Promise<A> {
    const { number, ms } = begin(request)
    try {
      const answer = await send()
      const { status, headers } = answer
      const body = await bodyOf(answer)
      show({ event: 'answer', number, status, ms: ms(), headers: shownHeaders(headers, mask), body })
      return answer
    } catch (error) {
      show({ event: 'failure', number, ms: ms(), message: mask.text((error as Error).message) })
      throw error
    }
  }

  return {
    around: (transport): Transport => ({
      send: (request) =>
        shown(
          request,
          () => transport.send(request),
          async (answer) => shownBody(await unpacked(answer, mostUnpacked).catch(() => answer.body), answer.body, mask),
        ),
      open: (request, idleLimit) =>
        shown(
          request,
          () => transport.open(request, idleLimit),
          async ({ headers }) => ({ text: null, bytes: lengthIn(headers) }),
        ),
      close: () => transport.close(),
    }),
    clock: {
      now: systemClock.now,
      sleep(milliseconds, signal) {
        if (milliseconds > 0) show({ event: 'wait', ms: Math.round(milliseconds) })
        return systemClock.sleep(milliseconds, signal)
      },
    },
    log: { ...silentLog, warn: (_, message) => show({ event: 'note', message: mask.text(message) }) },
  }
}

/** As much of an answer as the engine reads. */
const mostUnpacked = 16 * 1024 * 1024

function shownBody(bytes: Uint8Array | null, packed: Uint8Array, mask: Mask): ShownBody | null {
  if (bytes === null) return { text: null, bytes: packed.length }
  if (bytes.length === 0) return null
  const text = textIn(bytes)
  return { text: text === null ? null : mask.body(text), bytes: bytes.length }
}

/** The text of bytes; null if they are none. */
function textIn(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

const lengthIn = (headers: HeaderFields): number | null =>
  typeof headers['content-length'] === 'string' ? Number(headers['content-length']) : null

const shownHeaders = (headers: HeaderFields, mask: Mask): ShownHeaders =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [
            [
              name,
              [value]
                .flat()
                .map((one) => mask.header(name, one))
                .join(', '),
            ],
          ],
    ),
  )
