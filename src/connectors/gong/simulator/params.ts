/** Params as strict as Gong's documentation. */
import { param } from '../../../kit/simulator.ts'
import { dateBegins } from './calendar.ts'
import { refuse } from './replies.ts'

const { custom, isDate, object, word } = param

/** The digits of a signed integer of 64 bits. */
const isId = (given: unknown): given is string =>
  typeof given === 'string' && /^-?\d{1,20}$/.test(given) && BigInt.asIntN(64, BigInt(given)) === BigInt(given)

/** Refused in Gong's usual words alone. */
export const badId = { fault: '' }
export const id = custom((given) => (isId(given) ? given : undefined), badId)
export const ids = custom(
  (given) => (Array.isArray(given) && given.length > 0 && given.every(isId) ? given : undefined),
  badId,
)
export const idIn = (path: Readonly<Record<string, string>>): string => (isId(path.id) ? path.id : refuse(400))

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

/** A time with its offset, in milliseconds. */
export const time = custom(
  (given) => {
    const moment = typeof given === 'string' && timeForm.test(given) ? Date.parse(given) : Number.NaN
    return Number.isNaN(moment) ? undefined : moment
  },
  { fault: 'must be an ISO 8601 date-time with an offset' },
)

/** The moment at which a date begins for the company. */
export const date = custom((given) => (isDate(given) ? dateBegins(given) : undefined), {
  fault: 'must be a date, YYYY-MM-DD',
})

/** A boolean of JSON; texts are refused. */
const flag = custom((given) => (typeof given === 'boolean' ? given : undefined), { fault: 'must be a boolean' })

const switches = custom(
  (given) =>
    typeof given === 'object' && !Array.isArray(given) && Object.values(given!).every((on) => typeof on === 'boolean')
      ? (given as Readonly<Record<string, boolean>>)
      : undefined,
  { fault: 'must be an object of booleans' },
)

const timings = custom(
  (given) =>
    Array.isArray(given) && given.length > 0 && given.every((one) => one === 'Now' || one === 'TimeOfCall')
      ? (given as readonly string[])
      : undefined,
  { fault: 'must be a list of Now and TimeOfCall' },
)

export const contentSelector = object({
  context: word(['None', 'Basic', 'Extended'], { fault: 'must be one of None, Basic, Extended' }),
  contextTiming: timings,
  exposedFields: object({
    collaboration: switches,
    content: switches,
    interaction: switches,
    media: flag,
    parties: flag,
  }),
})

export type Selector = Partial<NonNullable<ReturnType<(typeof contentSelector)['read']>>>

/** Refuses a period that ends before it begins. */
export function inOrder(given: Readonly<Record<string, unknown>>, from: string, to: string, at = ''): void {
  const [begins, ends] = [given[from] as number | undefined, given[to] as number | undefined]
  if (begins !== undefined && ends !== undefined && begins >= ends) refuse(400, `${at}${from}: must be before ${to}`)
}
