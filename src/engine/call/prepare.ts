/** Prepares a call: its complete params, the fields it selects, and the context of the connector's own functions. */
import type { FieldChoice } from '../../catalog/choose-fields.ts'
import type { GetOperation, ListOperation, Operation, Reader } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { requestBuilder, type Selected, type SystemRequest, selectedIn } from '../request/request.ts'
import type { CallContext } from './call-context.ts'
import { sendWithRetries } from './send-with-retries.ts'

/** An operation with checked params, and the record fields that the caller chose. */
export interface Asked<O extends Operation> {
  readonly operation: O
  readonly params: Params
  readonly fields?: FieldChoice | undefined
}

export interface Prepared<O extends Operation> extends Asked<O> {
  readonly context: CallContext
  readonly selected: Selected | undefined
  readonly reader: Reader
}

export async function prepare<O extends Operation>(
  context: CallContext,
  { operation, params: given, fields = {} }: Asked<O>,
): Promise<Prepared<O>> {
  const reader = readerOf(context)
  const chosen = chosenParams(operation, given, fields)
  const params = operation.prepare === undefined ? chosen : await operation.prepare(chosen, reader)
  return { context, operation, params, fields, selected: selectedIn(operation, params, fields), reader }
}

/** The params that also ask for the chosen fields, if the system selects fields by its params. */
function chosenParams(operation: Operation, params: Params, { select_fields: paths = [] }: FieldChoice): Params {
  if (operation.action === 'download' || operation.choose === undefined || paths.length === 0) return params
  return operation.choose(params, paths)
}

/** The request of a call, with replaced params, and without default fields that the system refused. */
export const requestOf = (
  { context, operation, params, selected }: Prepared<Operation>,
  without?: ReadonlySet<string>,
  sent: Params = params,
): SystemRequest =>
  requestBuilder(operation)({ params: sent, selected, ...(without && { without }), now: context.settings.clock.now() })

/** The records in the shape of the catalog, if the system's shape differs. */
export async function reshape(
  { operation, params, selected, reader }: Prepared<ListOperation | GetOperation>,
  records: readonly unknown[],
  answer: unknown,
  sent: Params = params,
): Promise<readonly unknown[]> {
  if (operation.reshape === undefined) return records
  return operation.reshape(records, { ...reader, answer, params: sent, asked: selected?.fields })
}

/** A shorter time is not worth a wait, in milliseconds. */
const timeToAnswer = 3000

/** Further requests and waits within the running call. */
function readerOf(context: CallContext): Reader {
  const { settings, signal, endsAt } = context
  return {
    read: (request) => sendWithRetries(context, request),
    now: () => settings.clock.now(),
    privateRecords: settings.privateRecords,
    async wait(milliseconds) {
      if (settings.clock.now() + milliseconds + timeToAnswer >= endsAt) return false
      await settings.clock.sleep(milliseconds, signal)
      return true
    },
  }
}
