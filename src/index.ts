/** The public door of the library in Node and Bun: what there is everywhere, and a `connect` that knows local mode as well. */

import { nodeFault } from './supported-node.ts'

export { connect } from './client/connect.ts'
export * from './hosted.ts'

const fault = nodeFault()
if (fault !== null) throw new Error(fault)
