/** Walking lists, and telling their records apart. */
import type { TObject } from 'typebox'

interface Pages {
  pages(entity: string, params?: object): AsyncGenerator<{ readonly result: unknown }, void, undefined>
}

/** More pages than any example has; a list that goes on past them has no end. */
const mostPages = 500

/** All pages of a list, to its end. */
export async function walk(from: Pages, entity: string, params: object): Promise<unknown[][]> {
  const pages: unknown[][] = []
  for await (const { result } of from.pages(entity, params)) {
    pages.push(result as unknown[])
    if (pages.length > mostPages) throw new Error(`${entity} does not end`)
  }
  return pages
}

/** What tells one record from another: its identifiers, be they a level below, else its id, else all of it. */
export function identityOf(record: TObject): (record: unknown) => string {
  const paths = identifiers(record)
  const own = paths.length > 0 ? paths : Object.hasOwn(record.properties, 'id') ? [['id']] : [[]]
  return (one) => JSON.stringify(own.map((path) => path.reduce<unknown>((part, name) => (part as never)?.[name], one)))
}

function identifiers({ properties }: TObject, depth = 0): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    if ('x-identifier' in field) return [[name]]
    return 'properties' in field && depth === 0 ? identifiers(field as TObject, 1).map((path) => [name, ...path]) : []
  })
}
