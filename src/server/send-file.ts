/** Streams the bytes of a file to the caller, no faster than the caller reads them. */
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/**
 * The framework would leave every chunk to the garbage collector, which lets 64 MiB pile up. This frees each chunk once
 * it is sent. If the caller reads nothing for `patience` milliseconds, the connection is cut, because others need the
 * upstream connection. The reader of the file has its own timeout for the upstream side.
 */
export function sendFile(body: Readable, response: ServerResponse, patience: number): void {
  const end = (): unknown => (body.readableEnded ? response.end() : response.destroy())
  if (body.closed) {
    end()
    return
  }
  body.on('data', (piece: Buffer) => {
    const more = response.write(piece, (error) => {
      if (!error) giveBack(piece)
    })
    if (!more) body.pause()
  })
  body.on('close', end)
  response.on('drain', () => body.resume())
  response.on('close', () => body.destroy())
  response.setTimeout(patience, () => {
    if (body.isPaused()) response.destroy()
  })
}

/** Frees a chunk that the system has taken over, unless other chunks share its memory. */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
