/** Common to all Asana entities: identifiers, compact records and the usual list params. */
import {
  anyOf,
  boolean,
  cursorPaging,
  date,
  dateTime,
  exactly,
  id,
  integer,
  optional,
  text,
  wholePaging,
} from '../../kit/connector.ts'

/** The gid of a record: decimal text of up to about 19 digits (Asana reference, "Object hierarchy"). */
export const gid = (description: string) => text(description, { pattern: '^[0-9]{1,64}$' })

/** Wherever Asana takes a user, it takes a gid, an e-mail address or the word `me` (reference of getUser). */
export const user = (description: string) =>
  ({
    ...text(description, { pattern: '^([0-9]{1,64}|me|[^\\s/?#,@]{1,128}@[^\\s/?#,@]{1,128})$' }),
    'x-form': 'a user: a gid, an e-mail address or me',
  }) as ReturnType<typeof text>

/** Comma-separated gids; for users also addresses, `me` and `null` (reference of searchTasksForWorkspace). */
export const gids = (description: string) => text(description, { minLength: 1, maxLength: 4000 })

/** A time in Asana's form: a date, or a date with a time. */
export const time = (description: string) => anyOf([dateTime(), date()], description)

/** A time, or the word `now`. */
export const timeOrNow = (description: string) => anyOf([exactly('now'), dateTime(), date()], description)

export const archived = optional(boolean('true lists only archived projects, false only the others; by default both.'))

/** A compact record, the form in most lists. */
export const compactRecord = {
  gid: id(),
  resource_type: text('The type of the record, for example task.'),
  name: text(),
} as const

/**
 * Adds `resource_type` to records that lack it. Asana's reference does not list it among the fields to request, so a
 * strict reader of it refuses the name. If fields are requested, Asana may leave it out (recordings), and Conex knows
 * the value.
 */
export const ofType =
  (type: string) =>
  (records: readonly unknown[]): readonly unknown[] => {
    for (const record of records)
      if (typeof record === 'object' && record !== null) (record as { resource_type?: unknown }).resource_type ??= type
    return records
  }

/** Asana returns the fields that a caller chooses, in lists as well ("Input/output options"). */
export const choice = { send: 'opt_fields', inner: 'dots', names: { resource_type: null } } as const

/** What reads of records of a type share. */
export const recordsOf = (type: string) => ({ recordsAt: ['data'], reshape: ofType(type), select: choice }) as const

const limit = optional(integer('Records per page, 1 to 100; 100 by default.', { minimum: 1, maximum: 100 }))
const offset = optional(text('next_page.offset of the previous page; valid for 15 minutes.', { minLength: 1 }))

/**
 * Asana's own paging. Conex always sends a limit: without one there is no next page, and Asana refuses the request
 * over about 1,000 records (documentation, "Pagination").
 */
export const pages = cursorPaging({
  params: { limit, offset },
  cursor: 'offset',
  next: ['next_page', 'offset'],
  limit: { param: 'limit', default: 100, smallest: 10 },
  block: { name: 'next_page', holds: 'object', at: ['next_page'] },
})

/** The users of a workspace or team come in one answer, by name, cut at 2,000 without a sign (reference of getUsersForTeam). */
export const userPages = wholePaging({
  params: {
    limit: optional(integer('Records per page, 1 to 100; all by default.', { minimum: 1, maximum: 100 })),
    offset,
  },
  limit: 'limit',
  offset: 'offset',
  cut: {
    at: 2000,
    warning: 'Asana cuts this list at 2,000 users; list users by workspace or team to get all of them.',
  },
  blockName: 'next_page',
})
