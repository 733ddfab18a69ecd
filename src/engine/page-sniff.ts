/** Tells an HTML page from a file by how it begins, whatever its type says. */
import type { Readable } from 'node:stream'

const pageStart = /^\uFEFF?\s*<(!doctype\s+html|html)[\s>]/i

/** Whether what has arrived of a body begins as an HTML page; the body can be read from its first byte afterwards. */
export function beginsAsPage(body: Readable): boolean {
  const chunk: Buffer | null = body.read()
  if (chunk === null) return false
  // Given back at once: a body that has been emptied ends, and takes nothing back any more.
  body.unshift(chunk)
  return pageStart.test(chunk.toString('utf8', 0, 256))
}
