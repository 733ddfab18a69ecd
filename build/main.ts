/**
 * `npm run build`: makes `dist/` for publishing, and `dist-server/` beside it: the package `conex-server`, which brings what
 * only the server needs, so that programs that only use the client need not install it.
 */
import { rmSync } from 'node:fs'
import { writeDeclarations } from './declarations.ts'
import { writeJavaScript } from './javascript.ts'
import { writeOpenApiDocument } from './openapi-document.ts'
import { writeServerPackage } from './server-package.ts'

rmSync('dist', { recursive: true, force: true })
await writeJavaScript('dist')
writeDeclarations('dist')
await writeOpenApiDocument('dist')
writeServerPackage('dist-server')
