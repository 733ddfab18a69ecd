/**
 * `npm run lock`: brings the lock file up to date. Packages that ship binaries and say so with `"gypfile": false` need that
 * said in the lock file as well, where npm reads it but never writes it: without it `npm ci` compiles them, and fails on
 * machines that have no compiler.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

execFileSync('npm', ['install', '--package-lock-only'], { stdio: 'inherit' })
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, object> }
for (const [folder, entry] of Object.entries(lock.packages)) {
  if (folder === '') continue
  // What is for other platforms is in the lock file but not on this machine.
  if (existsSync(`${folder}/package.json`) && isPrebuilt(folder)) Object.assign(entry, { gypfile: false })
}
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)

function isPrebuilt(folder: string): boolean {
  return (JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { gypfile?: boolean }).gypfile === false
}
