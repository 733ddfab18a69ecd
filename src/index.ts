/** The library's entry point in Node and Bun: everything in `hosted.ts`, and a `connect` with local mode. */

import { nodeFault } from './supported-node.ts'

export { connect } from './client/connect.ts'
export * from './hosted.ts'

const fault = nodeFault()
if (fault !== null) throw new Error(fault)
