#!/usr/bin/env node
/**
 * Where the command line starts: keeps what Node compiles, so that the next start takes half as long, and runs the program.
 * Nothing here may be too new for a Node that is too old, which is told so.
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
