/** Tells an HTML page from a file by how it begins, whatever its type says. */
import type { Readable } from 'node:stream'

const pageStart = /^\uFEFF?\s*<(!doctype\s+html|html)[\s>]/i

/** What may still become the beginning of a page. */
const beginnings = ['<!doctype html', '<html']

/** Longer white space than that stands before no page. */
const longest = 256

/**
 * Whether a body that has begun to arrive is an HTML page; waits for more bytes while that cannot be told. The body
 * can be read from its first byte afterwards.
 */
export function beginsAsPage(body: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    let known = 0
    const look = (): void => {
      for (;;) {
        // A byte more than is known already, or at the end all there is; nothing as long as no more has come.
        const chunk: Buffer | null = known === 0 ? body.read() : body.read(known + 1)
        if (chunk === null) return
        // Given back at once: a body that has been emptied ends, and takes nothing back any more.
        body.unshift(chunk)
        const isWhole = chunk.length === known || chunk.length >= longest
        const isPage = judge(chunk.toString('utf8', 0, longest)) ?? (isWhole ? false : null)
        if (isPage !== null) {
          decide(isPage)
          return
        }
        known = chunk.length
      }
    }
    const broken = (): void => decide(false)
    const decide = (isPage: boolean): void => {
      body.off('readable', look).off('end', broken).off('error', broken).off('close', broken)
      resolve(isPage)
    }
    if (body.readableEnded || body.destroyed) {
      resolve(false)
      return
    }
    body.on('readable', look).on('end', broken).on('error', broken).on('close', broken)
    look()
  })
}

/** Whether a text begins as a page; null while it may still become one. */
function judge(start: string): boolean | null {
  if (pageStart.test(start)) return true
  const text = start
    .replace(/^\uFEFF/, '')
    .trimStart()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
  return beginnings.some((beginning) => beginning.startsWith(text)) ? null : false
}
