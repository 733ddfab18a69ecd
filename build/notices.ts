/** The licences of the libraries that are part of our files. They require that they are kept with the code. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lists these libraries with their licences. Fails if one has none. */
export function noticesOf(libraries: readonly string[], root: string): string {
  const notices = libraries.map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly version: string
      readonly license: string
    }
    const file = readdirSync(folder).find((one) => /^licen[cs]e(\.\w+)?$/i.test(one))
    if (file === undefined) throw new Error(`${name} has no file with its licence, so that it cannot be part of dist.`)
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return ['These libraries are part of the files beside this one.\n', ...notices].join(`\n${'-'.repeat(80)}\n\n`)
}
