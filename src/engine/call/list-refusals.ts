/** The meaning of a refused list, which may differ from the same refusal of another operation. */
import type { ListOperation } from '../../catalog/operation.ts'
import { ConexError } from '../../errors.ts'
import type { Query } from '../paging/page.ts'
import type { SystemRequest } from '../request/request.ts'
import type { Asked, Prepared } from './prepare.ts'
import { saying } from './refuse.ts'
import { sendWithRetries } from './send-with-retries.ts'

/** The answer to a request of a list; a refusal may stand for one. */
export async function sendList(
  { context, operation: { readRefusal } }: Prepared<ListOperation>,
  request: SystemRequest,
  query: Query,
  canShrink: boolean,
): Promise<unknown> {
  try {
    return await sendWithRetries(context, request, canShrink)
  } catch (error) {
    if (readRefusal === undefined || !(error instanceof ConexError) || error.upstream === undefined) throw error
    const { status, message } = error.upstream
    const read = readRefusal({ code: error.code, status: status ?? 0, message: message ?? '' }, query)
    if (read === null) throw error
    if ('answer' in read) return read.answer
    throw new ConexError(read.code, read.detail + saying(message), { upstream: error.upstream })
  }
}

/** The error of a list whose system has no such record: about what the params name, or about nothing that can be told. It is never an empty list. */
export function listNotFound(
  title: string,
  { operation: { paging, select }, params }: Asked<ListOperation>,
  { upstream, message }: ConexError,
): ConexError {
  const ownNames = new Set([...Object.keys(paging.params), select?.param])
  const names = Object.entries(params).some(([name, value]) => value !== undefined && !ownNames.has(name))
  const said = saying(upstream?.message)
  const [code, detail] = names
    ? ([
        'upstream_refused',
        `has nothing to list by these params, or does not show it to these credentials; check the ids in them.${said || ` ${message}`}`,
      ] as const)
    : ([
        'upstream_invalid_response',
        `says of this list that there is no such thing, which does not say that it is empty; check the base address of the system, or repeat the call later.${said}`,
      ] as const)
  return new ConexError(code, `${title} ${detail}`, upstream && { upstream })
}
