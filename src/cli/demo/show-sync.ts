/** Shows how a copy fills for the first time: one updated line on a terminal, plain lines elsewhere. */

import type { Io } from '../io.ts'
import { tellOn } from '../terminal/tell.ts'
import type { CopiedEntity, DemoCaller } from './caller.ts'

/** Milliseconds between two requests for the state. */
const lookEvery = 200

/** Waits until the entity has been read once; the others continue in the background. */
export async function showSync(caller: DemoCaller, id: string, entity: string, { stdout }: Io): Promise<void> {
  const { rewrite, say } = tellOn(stdout)
  let told = ''
  for (;;) {
    const copies = await caller.copy(id)
    const wanted = copies.find((copy) => copy.entity === entity)
    const text = `  sync: ${
      copies
        .filter(({ records }) => records > 0)
        .map(countOf)
        .join(', ') || 'begins'
    }`
    if (stdout.isTTY) rewrite(text)
    else if (finished(copies) !== told) say(text)
    told = finished(copies)
    if (wanted === undefined || wanted.last_finished_at !== null) break
    if (wanted.status === 'failed')
      throw new Error(`The first sync of ${entity} failed: ${wanted.last_error?.detail ?? 'for an unknown reason'}`)
    await new Promise((done) => setTimeout(done, lookEvery))
  }
  if (stdout.isTTY) say()
}

/** Three dots mark entities that are still being read. */
const countOf = ({ entity, records, last_finished_at: at }: CopiedEntity): string =>
  `${entity} ${records.toLocaleString('en')}${at === null ? '…' : ''}`

const finished = (copies: readonly CopiedEntity[]): string =>
  copies.map(({ last_finished_at: at }) => (at === null ? '-' : '+')).join('')
