/** Waits for the beginning of a file, so that a fault that shows in it is still an error answer. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { TransportFault } from '../http/transport-fault.ts'

/** What an HTML page begins with, and what may still become that. */
const page = /^\uFEFF?\s*<(!doctype\s+html|html)[\s>]/i
const mayBecomePage = /^\uFEFF?\s*(<[^>]*)?$/

/** In bytes; longer white space than that stands before no page. */
const longestStart = 256

/**
 * Waits until a body has a byte or ends; `noPages` says that an HTML page is none, whatever its type says. The body can be
 * read from its first byte afterwards. Throws TransportFault.
 */
export async function waitForFile(body: Readable, noPages: boolean): Promise<void> {
  // As long as somebody listens, the event tells of new bytes alone.
  body.on('readable', ignore)
  try {
    for (let known = 0; !body.readableEnded; ) {
      // A byte more than is known already, or at the end all there is; nothing as long as no more has come.
      const start: Buffer | null = known === 0 ? body.read() : body.read(known + 1)
      if (start === null) {
        await more(body)
        continue
      }
      // Given back at once: a body that has been emptied ends, and takes nothing back any more.
      body.unshift(start)
      const text = start.toString('utf8', 0, longestStart)
      if (noPages && page.test(text))
        throw new TransportFault('unusable', false, 'an HTML page under the type of the file')
      if (!noPages || start.length === known || start.length >= longestStart || !mayBecomePage.test(text)) return
      known = start.length
    }
  } finally {
    body.off('readable', ignore)
  }
}

/** Waits until there may be more to read. */
async function more(body: Readable): Promise<void> {
  const waiting = new AbortController()
  try {
    if (body.destroyed) throw body.errored
    await Promise.race(['readable', 'end', 'close'].map((name) => once(body, name, { signal: waiting.signal })))
  } catch (error) {
    if (error instanceof TransportFault) throw error
    const { code } = (error ?? {}) as { code?: unknown }
    if (brokenPacking.test(String(code))) throw new TransportFault('unusable', false, 'its compressed body is broken')
    if (code === 'UND_ERR_BODY_TIMEOUT')
      throw new TransportFault('silent', true, 'it fell silent before the first byte')
    throw new TransportFault('broken', true, 'the connection broke before the first byte')
  } finally {
    waiting.abort()
  }
}

/** How the ways to unpack begin their codes. */
const brokenPacking = /^(Z_|ERR__|ERR_BROTLI|ZSTD_)/

const ignore = (): void => {}
