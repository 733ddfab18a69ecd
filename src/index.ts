/** The public door of the library in Node and Bun: what there is everywhere, and a `connect` that knows local mode as well. */

export { connect } from './client/connect.ts'
export * from './hosted.ts'
