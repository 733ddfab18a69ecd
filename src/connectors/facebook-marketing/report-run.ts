/**
 * Insights that are too large for one answer: Meta computes a report run, which Conex then reads page by page
 * (reference of Ad Report Run; "Insights API: asynchronous jobs"). Page tokens name the run, so later pages, and runs
 * that take longer than a call, continue where they were.
 */
import { ConexError, type Detour, plainNumber, plainText, type Reader } from '../../kit/connector.ts'

const tokenForm = /^report:(\d{1,64}):(.*)$/s

export const reportRun: Detour = {
  owns: ({ after }) => typeof after === 'string' && tokenForm.test(after),
  async answer(context) {
    const { params } = context
    const [, known, after = ''] = tokenForm.exec(String(params.after)) ?? []
    const run = known ?? (await start(context, String(params.account_id), context.query))
    // A token with a cursor comes from a page of the report, so the report exists.
    if (after === '' && !(await isReady(context, run, known === undefined))) return stillWorking(run)
    const query = { limit: String(params.limit ?? 25), ...(after === '' ? {} : { after }) }
    const page = await unlessGone(context.read({ path: `/${run}/insights`, query }))
    return withOwnToken(page, run)
  },
}

/** Starts a run over the data of the usual request. */
async function start(reader: Reader, account: string, query: Readonly<Record<string, string>>): Promise<string> {
  const { limit: _, after: __, ...form } = query
  const answer = await reader.read({ method: 'POST', path: `/act_${account}/insights`, form })
  // Documented as text, but a bare number in Meta's own examples.
  const run = plainText((answer as { report_run_id?: unknown } | null)?.report_run_id)
  if (!/^\d{1,64}$/.test(run)) throw unusable()
  return run
}

const firstPause = 1_000
const longestPause = 20_000

/** Waits for a run; false if it needs longer than the call has. */
async function isReady(reader: Reader, run: string, isNew: boolean): Promise<boolean> {
  let unseen = isNew ? mostUnseen : 0
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    const state = await stateOf(reader, run, unseen-- > 0)
    if (state !== null && isComplete(state)) return true
    if (!(await reader.wait(pause))) return false
  }
}

/** How often a new run may still be unknown. */
const mostUnseen = 3

function isComplete(state: Readonly<Record<string, unknown>>): boolean {
  const { async_status: status, async_percent_completion: percent } = state
  if (typeof status !== 'string') throw unusable()
  if (status === 'Job Failed' || status === 'Job Skipped') throw failed(state)
  // Each of the two can come without the other (artefactory-connectors-kit issue 63).
  return status === 'Job Completed' && plainNumber(percent) === 100
}

/** Meta's state of a run; null if Meta does not know the run yet. */
async function stateOf(reader: Reader, run: string, mayBeUnseen: boolean): Promise<Record<string, unknown> | null> {
  try {
    const state = await unlessGone(reader.read({ path: `/${run}` }))
    if (typeof state === 'object' && state !== null) return state as Record<string, unknown>
  } catch (error) {
    if (mayBeUnseen && error instanceof ConexError && error.code === 'invalid_cursor') return null
    throw error
  }
  throw unusable()
}

/** Runs exist for 30 days; a token with an older one is useless. */
async function unlessGone(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ConexError) || error.code !== 'record_not_found') throw error
    throw new ConexError('invalid_cursor', 'Meta no longer has this report; start again from the first page.')
  }
}

/** An empty page with more to come, so that nothing of a long run is lost if a call ends before it. */
const stillWorking = (run: string): unknown => ({
  data: [],
  paging: { cursors: { after: `report:${run}:` }, next: 'when the run is complete' },
})

function withOwnToken(page: unknown, run: string): unknown {
  const { paging } = (page ?? {}) as { paging?: { next?: unknown; cursors?: { after?: unknown } } }
  const after = plainText(paging?.cursors?.after)
  if (paging?.next === undefined || after === '') return page
  return {
    ...(page as object),
    paging: { next: paging.next, cursors: { after: `report:${run}:${after}` } },
  }
}

function failed(state: Record<string, unknown>): ConexError {
  const { error_code: code, error_message: message } = state
  const upstream = {
    status: null,
    code: plainText(code) || null,
    message: typeof message === 'string' ? message.slice(0, 500) : null,
  }
  // -3 with subcode 1504045: the report itself is too large (Ads Insights error codes).
  return plainText(code) === '-3'
    ? new ConexError(
        'upstream_refused',
        'This report is too large for Meta; ask for fewer days, a higher level or fewer fields.',
        { upstream },
      )
    : new ConexError('upstream_error', 'Meta could not complete the report; repeat the call later.', { upstream })
}

const unusable = (): ConexError =>
  new ConexError(
    'upstream_invalid_response',
    'Meta started a report but did not report its state; repeat the call later.',
  )
