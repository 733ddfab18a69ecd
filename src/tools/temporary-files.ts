/** Files that a model cannot read, kept on this machine while the process runs. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { Download } from '../client/mode.ts'
import { once } from '../client/once.ts'
import { fileOf } from './read-file.ts'
import type { FileLink } from './source.ts'

export interface TemporaryFiles {
  save(download: Download): Promise<FileLink>
  /** Removes all of them. */
  remove(): Promise<void>
}

export function temporaryFiles(): TemporaryFiles {
  let made = false
  const folder = once(() => {
    made = true
    return mkdtemp(join(tmpdir(), 'conex-files-'))
  })
  return {
    async save({ headers, body }) {
      // The name comes from a system, so only the letters of its ending are used.
      const ending = /\.[A-Za-z0-9]{1,10}$/.exec(fileOf(headers).name ?? '')?.[0] ?? ''
      const path = join(await folder(), `${randomUUID()}${ending}`)
      await pipeline(Readable.fromWeb(body as never), createWriteStream(path, { mode: 0o600 }))
      return { url: pathToFileURL(path).href, expiresIn: null }
    },
    async remove() {
      if (made) await rm(await folder(), { recursive: true, force: true })
    },
  }
}
