/** Common to all advertising entities: identifiers, list params, and fields that several records have. */
import {
  arrayOf,
  cursorPaging,
  integer,
  nullable,
  objectOf,
  optional,
  type Params,
  rule,
  type Selection,
  type TSchema,
  text,
} from '../../kit/connector.ts'

/** The id of a node: decimal text, of up to 18 digits so far (Graph API reference, "Objects"). */
export const nodeId = (description: string) => text(description, { pattern: '^[0-9]{1,64}$' })

/**
 * Paths take an ad account as `act_<id>`; records and users have the id without the prefix (Marketing API reference,
 * "Ad Account").
 */
export const accountId = {
  ...text('The ad account, without the prefix act_.', { pattern: '^(act_)?[0-9]{1,64}$' }),
  'x-form': 'the id of an ad account: digits, as text',
} as ReturnType<typeof text>

/** Removes the prefix of an account's id, because paths add it. */
export const bareAccountId = async (params: Params): Promise<Params> =>
  typeof params.account_id === 'string' && params.account_id.startsWith('act_')
    ? { ...params, account_id: params.account_id.slice('act_'.length) }
    : params

/** Field names separated by commas. Graph's sub-selections and modifiers pass unchanged. */
export const fields = optional({
  ...text('The fields to return, separated by commas; by default those that every record has.', {
    pattern: '^[A-Za-z0-9_.,(){}:" -]*$',
    // All fields of insights take more than 5000.
    maxLength: 8000,
  }),
  'x-form': 'field names separated by commas, for example id,name',
} as ReturnType<typeof text>)

/** Half a sub-selection would swallow the fields behind it. */
export const closedFields = rule('Balance the braces and parentheses in fields.', ({ fields: given }) =>
  typeof given === 'string' && !isClosed(given) ? ['fields'] : null,
)

function isClosed(given: string): boolean {
  const open: string[] = []
  for (const letter of given) {
    if (letter === '{' || letter === '(') open.push(letter)
    else if (letter === '}' && open.pop() !== '{') return false
    else if (letter === ')' && open.pop() !== '(') return false
  }
  return open.length === 0
}

/** Without a selection Graph returns little more than the id, so Conex asks for the usual fields by name. */
export const select = (record: object, more: Partial<Selection> = {}): Selection => ({
  send: 'fields',
  inner: 'braces',
  param: 'fields',
  default: Object.keys(record),
  ...more,
})

/**
 * Graph's cursors. The last page has one too; only `paging.next` says that there is more, even after an empty page
 * ("Paginated results"). If a page is too large for Graph, Conex asks for it again with fewer records.
 */
export const pagesDownTo = (smallest: number) =>
  cursorPaging({
    params: {
      limit: optional(
        integer('Records per page; 25 by default, at most 500. A page may contain fewer.', { minimum: 1 }),
      ),
      after: optional(text('after of the previous page.', { minLength: 1, maxLength: 8192 })),
    },
    cursor: 'after',
    next: ['paging', 'cursors', 'after'],
    more: ['paging', 'next'],
    moreQuery: 'after',
    // Some edges accept more, but mostly answer "reduce the amount of data".
    limit: { param: 'limit', default: 25, smallest, largest: 500 },
    block: { name: 'after', holds: 'token' },
  })

export const pages = pagesDownTo(1)

type Fields = Readonly<Record<string, TSchema>>

const reading = <const R extends Fields, const F extends Fields>(
  record: R,
  further: F,
  selection: Partial<Selection> = {},
) =>
  ({
    record: { ...record, ...further },
    rules: [closedFields],
    select: select(record, selection),
    scopes: ['ads_read'],
  }) as const

/** A list below an ad account; `further` fields are sent to callers who name them. */
export const ofAccount = <const R extends Fields, const F extends Fields>(
  record: R,
  further: F,
  selection?: Partial<Selection>,
) =>
  ({
    ...reading(record, further, selection),
    params: { account_id: accountId, fields },
    prepare: bareAccountId,
    paging: pages,
    recordsAt: ['data'],
  }) as const

/** One node by its id, which is the whole path. */
export const ofNode = <const R extends Fields, const F extends Fields>(record: R, further: F) =>
  ({ ...reading(record, further), recordsAt: [] }) as const

/** Labels on campaigns, ad sets and ads. */
export const adLabels = nullable(
  arrayOf(
    objectOf({
      id: nullable(text()),
      name: nullable(text()),
      created_time: nullable(text()),
      updated_time: nullable(text()),
    }),
  ),
)
