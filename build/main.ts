/**
 * `npm run build`: builds `dist/` for publishing, and `dist-server/` with the package `conex-server`, which installs
 * the server's libraries, so that programs that only use the client do not need them. With `--without-types` it leaves out
 * the declarations, which take most of the time, for an image.
 */
import { rmSync } from 'node:fs'
import { writeDeclarations } from './declarations.ts'
import { writeJavaScript } from './javascript.ts'
import { writeOpenApiDocument } from './openapi-document.ts'
import { writeServerPackage } from './server-package.ts'

rmSync('dist', { recursive: true, force: true })
await writeJavaScript('dist')
if (!process.argv.includes('--without-types')) writeDeclarations('dist')
await writeOpenApiDocument('dist')
writeServerPackage('dist-server')
