/** Pages as Graph cuts them: records from a place on, with cursors and the addresses of the neighbouring pages. */
import { firstKept, onePage, type Page, type PageStyle, param, readQuery, valuesOf } from '../../../kit/simulator.ts'
import type { AnyAsk } from './graph.ts'
import { type GraphError, invalidParameter, refuse } from './replies.ts'

/** A place in base64, its padding written as ZD: `MAZDZD` is 0. */
const cursorOf = (place: number): string => Buffer.from(String(place)).toString('base64').replaceAll('=', 'ZD')

/** The place of a cursor; undefined if it is not a cursor. */
function readCursor(cursor: string): number | undefined {
  const text = Buffer.from(cursor.replace(/(ZD)+$/, ''), 'base64').toString('latin1')
  return /^\d{1,12}$/.test(text) && cursorOf(Number(text)) === cursor ? Number(text) : undefined
}

const badCursor = invalidParameter('Invalid cursors values: please pass a valid after cursor')
const usualLimit = 25

/** The largest page that a call can get. */
export const limitOf = ({ args }: AnyAsk): number => (args.limit as number | undefined) ?? usualLimit

/** The style of a list of records with places, and its body. */
export function graphPages<R>(placeOf: (record: R) => number, onBadCursor: GraphError = badCursor) {
  /** The place after the cursor; Graph takes a blank one as none. */
  const startAt = (cursor = ''): number => (cursor === '' ? 0 : (readCursor(cursor) ?? refuse(onBadCursor)) + 1)

  const pages: PageStyle<R> = {
    params: {
      after: param.text(),
      limit: param.integer({ least: 1, fault: 'Param limit must be a positive integer' }),
    },
    cut({ rows, keep, size }, { after, limit = usualLimit }) {
      const wanted = size?.(limit as number) ?? (limit as number)
      const found = firstKept(rows, keep, startAt(after as string | undefined), wanted + 1)
      const records = found.slice(0, wanted).map(({ record }) => record)
      return onePage(records, found.length > wanted ? cursorOf(placeOf(records.at(-1)!)) : null)
    },
  }

  /** `{data, paging}`: cursors with every page that is not empty, `next` only if there is more. */
  function body(data: readonly unknown[], { records, next }: Page<R>, { world, call, args }: AnyAsk): unknown {
    if (records.length === 0) return { data }
    const link = (name: 'after' | 'before', cursor: string): string => {
      const query = new URLSearchParams(Object.fromEntries(valuesOf(readQuery(call.query))))
      query.delete('after')
      query.delete('before')
      query.set(name, cursor)
      return `${world.origin}${call.path}?${query}`
    }
    const before = cursorOf(placeOf(records[0]!))
    const after = cursorOf(placeOf(records.at(-1)!))
    return {
      data,
      paging: {
        cursors: { before, after },
        ...(next !== null && { next: link('after', after) }),
        ...(args.after !== undefined && { previous: link('before', before) }),
      },
    }
  }

  return { pages, body }
}
