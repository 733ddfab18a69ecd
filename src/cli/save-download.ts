/** Saves a download. */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Download } from '../client/mode.ts'
import { ConexError } from '../errors.ts'
import type { Io } from './io.ts'
import { createProgress } from './terminal/progress.ts'
import { size } from './terminal/size.ts'

/** Refuses early to print a file on a terminal, which its bytes could control. */
export function checkOutput(output: string | undefined, { stdout }: Io): void {
  if (output === undefined && stdout.isTTY === true)
    throw new ConexError('invalid_request', 'Pass --output with a file name; "-" prints the file here.')
}

/** Writes to a file, which appears when it is complete, or to standard output. */
export async function saveDownload({ body, headers }: Download, output: string | undefined, io: Io): Promise<void> {
  const length = headers.get('content-length')
  const total = length === null ? null : Number(length)
  const progress = createProgress(io)
  let done = 0
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, pass) {
      done += chunk.length
      progress.show(done, total, size(done))
      pass(null, chunk)
    },
  })
  try {
    if (output === undefined || output === '-') return await pipeline(body, counted, io.stdout, { end: false })
    const place = await stat(output).catch(() => null)
    // Write directly to a device or a pipe.
    const fresh = place === null || place.isFile() ? `${output}.part` : output
    try {
      await pipeline(body, counted, createWriteStream(fresh))
      if (fresh !== output) await rename(fresh, output)
    } catch (error) {
      if (fresh !== output) await rm(fresh, { force: true })
      throw error
    }
  } finally {
    progress.end()
  }
}
