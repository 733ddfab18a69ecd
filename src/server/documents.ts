/**
 * Creates the server's documents on the first request for them, so that they do not delay the start, and keeps them.
 */
import { createHash } from 'node:crypto'
import { setImmediate as breath } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.ts'
import { stringifyJson } from '../json.ts'
import { version } from '../version.ts'
import { docsPage } from './docs-page.ts'
import type { Document, Documents } from './document.ts'
import { type OpenApi, openApi } from './openapi.ts'
import type { Route } from './route.ts'

/** `address` returns the public address of the server, which is known once it listens. */
export function createDocuments(routes: readonly Route[], catalog: Catalog, address: () => string): Documents {
  const made = once((): Promise<OpenApi> => openApi(routes, catalog, version, address()))
  return {
    openApi: once(async () => documentOf(await written(await made()))),
    page: once(async () => documentOf(await docsPage(await made()))),
  }
}

/** The document as JSON text. Writes it part by part, so that other requests can proceed in between. */
async function written(document: OpenApi): Promise<string> {
  const parts: string[] = []
  for (const [name, part] of Object.entries(document)) {
    await breath()
    parts.push(`${stringifyJson(name)}:${stringifyJson(part)}`)
  }
  return `{${parts.join()}}`
}

function documentOf(text: string): Document {
  const body = Buffer.from(text)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
