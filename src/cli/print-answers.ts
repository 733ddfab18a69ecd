/** Prints the answers of lists, gets, searches and SQL, and prints notes about them to standard error. */
import type { SqlAnswer } from '../client/sql-types.ts'
import type { Answer } from '../engine/call/call.ts'
import { stringifyJson } from '../json.ts'
import type { SearchMetadata } from '../wire.ts'
import type { Io } from './io.ts'
import { createOutput, type Output, type OutputOptions } from './output.ts'
import { createProgress } from './terminal/progress.ts'
import { oneLine } from './terminal/safe-text.ts'
import { paintFor } from './terminal/screen.ts'

/** Prints one answer, and says if there are more. */
export function printAnswer(answer: Answer, options: OutputOptions, io: Io): void {
  const output = createOutput(options, io)
  printPage(answer, output, io)
  output.end()
  const { warnings: _, ...block } = answer.connector_metadata
  const more = isSearch(answer.result) ? answer.result.next_cursor && { cursor: answer.result.next_cursor } : block
  if (more !== null && Object.values(more).some(leadsOn))
    note(io, 'dim', `more: ${stringifyJson(more)}; --all follows it`)
}

/** Prints the rows of a statement, and says if there are more. */
export function printRows(
  { result, connector_metadata: metadata }: SqlAnswer<object>,
  options: OutputOptions,
  io: Io,
): void {
  // A statement that reads no table tells of no copy.
  if ('complete' in metadata)
    for (const told of restsOn(metadata as unknown as SearchMetadata)) note(io, 'yellow', told)
  const output = createOutput(options, io)
  output.rows(result.data)
  output.end()
  if (result.meta.has_more) note(io, 'dim', 'there are more rows; --limit takes up to 10000')
}

/** Prints all answers, and shows the number of records if they do not go to the screen. */
export async function printAnswers(answers: AsyncIterable<Answer>, options: OutputOptions, io: Io): Promise<void> {
  const output = createOutput(options, io)
  const progress = io.stdout.isTTY ? null : createProgress(io)
  let records = 0
  try {
    for await (const answer of answers) {
      records += printPage(answer, output, io)
      progress?.show(records, null, `${records.toLocaleString('en')} records`)
    }
  } finally {
    progress?.end()
  }
  output.end()
}

/** Returns the number of records. */
function printPage({ result, connector_metadata: metadata }: Answer, output: Output, io: Io): number {
  for (const { path, message } of metadata.warnings ?? []) note(io, 'yellow', `warning ${path} ${message}`)
  if (isSearch(result)) {
    for (const told of restsOn(metadata as unknown as SearchMetadata)) note(io, 'yellow', told)
    output.rows(output.forPeople ? result.hits.map(rowOf) : result.hits)
    return result.hits.length
  }
  if (!Array.isArray(result)) {
    output.record(result as object)
    return 1
  }
  output.rows(result)
  return result.length
}

/** A warning that the copy is incomplete or old, so that the hits may not be everything. */
function* restsOn({ complete, status, last_error: failed }: SearchMetadata): Generator<string> {
  if (!complete) yield 'the copy is not complete: records may be missing'
  if (status === 'reauthorization_required')
    yield 'the connector needs a new consent; until then, Conex does not update its copy'
  if (failed !== null) yield `the last sync failed: ${failed.code} ${failed.detail}`
}

interface Hits {
  readonly hits: readonly { readonly id: string; readonly score: number; readonly data: object }[]
  readonly next_cursor: string | null
}

/** A hit as a table row, without repeating an identifier that the record also has as a field. */
function rowOf({ id, data, score }: Hits['hits'][number]): object {
  return Object.values(data).includes(id) ? { ...data, score } : { id, ...data, score }
}

const isSearch = (result: unknown): result is Hits =>
  typeof result === 'object' && result !== null && 'hits' in result && 'took_ms' in result

const note = (io: Io, style: 'dim' | 'yellow', text: string): void =>
  void io.stderr.write(`${paintFor(io.stderr)(style, oneLine(text))}\n`)

/** Whether a paging block leads to a next page: some kinds always send one, with a null token on the last page. */
const leadsOn = (block: unknown): boolean =>
  typeof block === 'object' && block !== null ? !Object.values(block).includes(null) : block !== null
