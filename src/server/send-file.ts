/** Sends the bytes of a file on to the caller, no faster than they are taken. */
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/**
 * Not the framework's way with streams, which leaves every piece of memory to the collector: some 64 MiB of them gather before it
 * comes. A caller who takes nothing for `patience` milliseconds is cut off, since others want the connection that their file is
 * read over. How long the file itself may be silent is for its reader to say.
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

/** Frees the memory of a piece that the system has taken over, unless other pieces are views of the same memory. */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
