/**
 * The OpenAPI document of the package: the document that every server returns at `/openapi.json`, without a server
 * address.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '../src/connectors/index.ts'
import { stringifyJson } from '../src/json.ts'
import { openApi } from '../src/server/openapi.ts'
import { routes } from '../src/server/routes.ts'
import { version } from '../src/version.ts'

/** Writes `openapi.json`, which programs import as `conex/openapi.json`. */
export async function writeOpenApiDocument(folder: string): Promise<void> {
  writeFileSync(join(folder, 'openapi.json'), `${stringifyJson(await openApi(routes, catalog, version))}\n`)
}
