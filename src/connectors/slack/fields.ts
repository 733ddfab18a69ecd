/** Common to all Slack entities: ids, moments, the usual list params, and the styles of paging. */
import { boolean, cursorPaging, integer, optional, text } from '../../kit/connector.ts'

/** An id: a letter for the sort of record, and capitals and digits (Slack's OpenAPI file). */
export const slackId = (description: string) => text(description, { pattern: '^[A-Za-z0-9]{1,64}$' })

/** The ts of a message is text of ten digits, a dot and six digits, and its id inside of a channel. */
export const messageTs = (description: string) =>
  ({
    ...text(description, { pattern: '^[0-9]{10}\\.[0-9]{6}$' }),
    'x-form': 'the ts of a message, as 1735689600.000200',
  }) as ReturnType<typeof text>

/** A moment in the form of a ts; plain seconds are accepted. */
export const moment = (description: string) =>
  ({
    ...text(description, { pattern: '^[0-9]{1,12}(\\.[0-9]{1,6})?$' }),
    'x-form': 'seconds since 1970, with up to six decimals',
  }) as ReturnType<typeof text>

const sort = '(public_channel|private_channel|mpim|im)'

/** Without spaces: Slack does not understand those. */
export const conversationTypes = optional({
  ...text('public_channel, private_channel, mpim and im, separated by commas; public_channel by default.', {
    pattern: `^${sort}(,${sort})*$`,
  }),
  'x-form': 'public_channel, private_channel, mpim or im, separated by commas without spaces',
} as ReturnType<typeof text>)

export const teamId = optional(slackId('The workspace, for tokens of an organization.'))

export const includeLocale = optional(boolean('Adds the locale.'))

/**
 * Slack recommends at most 200 records on a page, and takes up to 999. A page can be short, even empty, with more to
 * come; only a missing or empty token ends a list.
 */
export const byCursor = (usual: number, beside?: Readonly<Record<string, readonly string[]>>) =>
  cursorPaging({
    params: {
      cursor: optional(text('next_cursor of the previous page.', { minLength: 1, maxLength: 2000 })),
      limit: optional(integer(`The most records on a page; ${usual} by default.`, { minimum: 1, maximum: 999 })),
    },
    cursor: 'cursor',
    next: ['response_metadata', 'next_cursor'],
    blankEnds: true,
    limit: { param: 'limit', default: usual, smallest: 1 },
    block: { name: 'next_cursor', holds: 'token', ...(beside && { beside }) },
  })

/** Pages with numbers, and the place of the block that counts them. */
export const byNumber = (usual: number, largest: number, ...at: string[]) =>
  cursorPaging({
    params: {
      page: optional(integer('next_page of the previous page; 1 by default.', { minimum: 1, maximum: 100_000 })),
      count: optional(integer(`The most records on a page; ${usual} by default.`, { minimum: 1, maximum: largest })),
    },
    cursor: 'page',
    next: { page: [...at, 'page'], pages: [...at, 'pages'] },
    limit: { param: 'count', default: usual, smallest: 1 },
    block: { name: 'next_page', holds: 'token' },
    total: [...at, 'total'],
  })

/** Histories also say in a word whether they go on. */
export const historyPages = byCursor(100, { has_more: ['has_more'] })

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const scopesFor = (what: 'read' | 'history'): readonly string[] =>
  ['channels', 'groups', 'im', 'mpim'].map((family) => `${family}:${what}`)
