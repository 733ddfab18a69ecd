/** The language of the methods here: how each is called, and the ways in which Slack cuts lists into pages. */
import { cursorPages, numberedPages, type Page, param, routesOver } from '../../../kit/simulator.ts'
import type { Access, Caller } from './access.ts'
import type { World } from './world.ts'

const { boolean, text } = param

/** Tokens beside the records: two methods are about them. */
export interface Workspace extends World {
  readonly access: Access
}

/** Reads are taken as GET and as a form. */
export const { route, list, filter } = routesOver<Workspace, Caller>({ methods: ['GET', 'POST'] })

/** On lists, for organizations of several workspaces; a single one ignores it. */
export const teamId = { team_id: text() }

export const includeLocale = { include_locale: boolean() }

/** Lists with a cursor refuse sizes outside of 1 to 999. */
export const byCursor = <R>(label: string, position: (record: R) => string, usual = 100) =>
  cursorPages<R>({ cursor: 'cursor', size: 'limit', usual, most: 999, fault: 'invalid_limit', label, position })

/** The next page, or the empty text that ends a list. */
export const following = <R>({ next }: Page<R>) => ({ response_metadata: { next_cursor: next ?? '' } })

export const byNumber = <R>(usual: number, most: number) =>
  numberedPages<R>({ page: 'page', size: 'count', usual, most, over: 'capped', mostPages: 100 })

export const paging = <R>(page: Page<R>) => {
  const total = page.total()
  return { count: page.size, total, page: page.number, pages: Math.ceil(total / page.size) }
}

let pageCount = 0

/** With short pages, every other one has fewer records than asked for. */
export const shortened = (asked: number, { world }: { world: World }): number => {
  if (!world.settings.shortPages) return asked
  pageCount += 1
  return pageCount % 2 === 0 ? asked : Math.max(1, Math.floor(asked / 2))
}
