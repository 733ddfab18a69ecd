/** Run before the tests: what they write needs room, and without it each would fail in a way of its own. */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Bytes; the largest of them make an image, or a PostgreSQL, and several run at once. */
const needed = 1024 ** 3

const free = freeIn(tmpdir())
if (free < needed) {
  const told = free < 0 ? 'which is not there' : `where ${inMebibytes(free)} MiB are free`
  process.stderr.write(
    `The tests need ${inMebibytes(needed)} MiB in ${tmpdir()}, ${told}; make room, or name another folder: TMPDIR=/var/tmp npm test\n`,
  )
  process.exit(1)
}

/** What the user may fill; less than nothing where there is no such folder. */
function freeIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return -1
  }
}

function inMebibytes(bytes: number): number {
  return Math.floor(bytes / 1024 ** 2)
}
