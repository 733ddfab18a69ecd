/** From the start of the process to ready, on a new embedded store, against an empty Fastify. */
import { startChild } from './child.ts'
import { type Row, sideBySide } from './row.ts'

export async function benchStart(): Promise<Row> {
  const time = (program: string) => async () => {
    const child = await startChild(program)
    await child.stop()
    return child.startedIn
  }
  const ours = time('conex-start')
  const theirs = time('empty-server')
  await ours()
  await theirs()
  const result = await sideBySide(9, ours, theirs)
  return {
    what: 'start to ready, embedded, milliseconds',
    against: 'an empty Fastify server',
    ratio: result.ratio,
    wanted: '≤ 3',
    reached: result.ratio <= 3,
    details: [`${result.ours.toFixed(0)} ms against ${result.theirs.toFixed(0)} ms, ${result.spread}`],
  }
}
