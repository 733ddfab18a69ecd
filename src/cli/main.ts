#!/usr/bin/env node
/**
 * Where the command line starts: caches what Node compiles, which halves the time of the next start, and runs the
 * program. The syntax of this file must work on old Nodes too, which get a message.
 */
import module from 'node:module'
import { nodeFault } from '../supported-node.ts'

const fault = nodeFault()
if (fault !== null) {
  process.stderr.write(`error ${fault}\n`)
  process.exit(1)
}
module.enableCompileCache()
await import('./program.ts')
