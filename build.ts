/** `npm run build`: emits `dist/` for publishing. */
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' })
chmodSync('dist/cli/main.js', 0o755)
