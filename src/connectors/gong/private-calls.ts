/** Private calls: returned like others, unless the operator leaves them out. */
import { ConexError, plainText, type Reader } from '../../kit/connector.ts'
import { noneIn } from './errors.ts'
import { isObject } from './fields.ts'

/** The metadata in an extensive call. */
export const metaDataOf = (call: unknown): unknown => (isObject(call) ? call.metaData : undefined)

const isPrivate = (call: unknown): boolean => isObject(call) && call.isPrivate === true

/** The calls that callers may see; `callOf` finds the part of a record that says whether it is private. */
export const showable = (
  records: readonly unknown[],
  { privateRecords }: Pick<Reader, 'privateRecords'>,
  callOf: (record: unknown) => unknown = (record) => record,
): readonly unknown[] => (privateRecords ? records : records.filter((record) => !isPrivate(callOf(record))))

/** Whether a call is known not to be private; nothing is known about a call that cannot be read. */
export const isOpen = (calls: ReadonlyMap<string, unknown>, id: string): boolean =>
  calls.has(id) && !isPrivate(calls.get(id))

const noCalls = noneIn('calls')

/** The maximum number of calls in one request: one page of answers. */
const atOnce = 100

/** The metadata of calls by id, if the system shows them: folders and transcripts do not contain it. */
export async function readMetaData(
  callIds: readonly string[],
  reader: Reader,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const found = new Map<string, Readonly<Record<string, unknown>>>()
  for (let first = 0; first < callIds.length; first += atOnce)
    for (const metaData of (await readCalls(callIds.slice(first, first + atOnce), reader)).map(metaDataOf))
      if (isObject(metaData)) found.set(plainText(metaData.id), metaData)
  return found
}

async function readCalls(callIds: readonly string[], reader: Reader): Promise<readonly unknown[]> {
  try {
    const answer = await reader.read({ method: 'POST', path: '/v2/calls/extensive', body: { filter: { callIds } } })
    if (isObject(answer) && Array.isArray(answer.calls)) return answer.calls
  } catch (error) {
    // None of them exists: they were erased, or are not processed yet.
    if (error instanceof ConexError && error.code === 'record_not_found' && noCalls(error.upstream?.message ?? ''))
      return []
    throw error
  }
  throw new ConexError('upstream_invalid_response', 'Gong answered without calls; repeat the call later.')
}
