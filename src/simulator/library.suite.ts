/** For tests of the kit: a small system that is all declarations. */
import { bearerOf, createApi } from './api.ts'
import { changesFrom, recordChanges } from './changes.ts'
import { createCollection } from './collection.ts'
import { cursorPages, numberedPages } from './pages.ts'
import { boolean, integer, object, required, text, word, words } from './params.ts'
import { Refusal } from './refusal.ts'
import { routesOver } from './routes.ts'
import { pick, seededRandom } from './seeded-random.ts'
import { selectFields } from './select-fields.ts'
import { jsonReply } from './send.ts'
import type { SimulatedSystem, Surroundings } from './system.ts'
import { createTokens } from './tokens.ts'

interface Author {
  readonly id: string
  readonly name: string
}

interface Book {
  readonly id: string
  readonly title: string
  readonly author: string
  readonly lent: boolean
}

interface Reader {
  readonly scopes: readonly string[]
}

const world = ({ seed, scale }: Surroundings) => {
  const draw = seededRandom(seed, 'author')
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
  return {
    authors: createCollection<Author>({
      name: 'authors',
      records: numbers(3).map((n) => ({ id: `a${n}`, name: `Author ${n}` })),
      key: ({ id }) => id,
    }),
    books: createCollection<Book>({
      name: 'books',
      records: numbers(scale).map((n) => ({
        id: `b${String(n).padStart(6, '0')}`,
        title: `Book ${n}`,
        author: pick(['a1', 'a2', 'a3'], draw(n)),
        lent: n % 2 === 0,
      })),
      key: ({ id }) => id,
      order: (a, b) => (a.id < b.id ? -1 : 1),
    }),
  }
}

const { route, list, filter } = routesOver<ReturnType<typeof world>, Reader>()

const missing = (): never => {
  throw new Refusal(jsonReply(404, { error: 'missing' }), 'missing')
}

const routes = [
  list({
    path: '/books',
    scopes: ['books'],
    limit: 'lists',
    params: { fields: words(), fate: word(['kept', 'lost']) },
    rows: ({ world }) => world.books.rows,
    filters: {
      author: filter(text(), (book: Book, author) => book.author === author),
      lent: filter(boolean(), (book: Book, lent) => book.lent === lent),
    },
    pages: cursorPages<Book>({
      ...{ cursor: 'cursor', size: 'limit', usual: 10, most: 50, position: ({ id }) => id },
      life: { seconds: 600, from: 'first page' },
    }),
    show: (book, { args }) => (args.fields === undefined ? book : selectFields({ ...book }, ['id', ...args.fields])),
    body: (books, { next, number }) => ({ books, next, number }),
  }),
  list({
    path: '/authors/{author}/books',
    params: { about: integer({ least: 1, fault: 'bad_about' }) },
    rows: ({ world, path }) => {
      if (world.authors.find(path.author!) === undefined) missing()
      return world.books.by('author', path.author)
    },
    pages: numberedPages<Book>({ page: 'page', size: 'count', usual: 5, most: 20, over: 'capped' }),
    show: ({ title }) => title,
    body: (titles, page) => ({ titles, page: page.number, pages: Math.ceil(page.total() / page.size) }),
  }),
  route({
    path: '/books/{id}',
    answer: ({ world, path }) => world.books.find(path.id!) ?? missing(),
  }),
  route({
    method: 'POST',
    path: '/books/find',
    params: { title: required(text()), by: object({ author: required(text()), names: object({ last: text() }) }) },
    answer: ({ world, args: { title, by } }) =>
      world.books.rows.filter((book) => book.title === title && book.author === (by?.author ?? book.author)),
  }),
]

export const librarySimulator: SimulatedSystem = {
  kind: 'library',
  start(surroundings) {
    const { origin, clock, callsPerMinute, seed } = surroundings
    const books = world(surroundings)
    const tokens = createTokens<Reader>(clock, (kind, number) => `${kind}-${seed}-${number}`)
    const full = tokens.issue({ scopes: ['books'] }, null).accessToken
    const poor = tokens.issue({ scopes: [] }, 3600).accessToken
    const handle = createApi({
      world: books,
      clock,
      prefix: '/v1',
      routes,
      callsPerMinute,
      caller(call) {
        const found = tokens.find(bearerOf(call) ?? '')
        return typeof found === 'string' ? jsonReply(401, { error: found }) : found.grant
      },
      scopesOf: ({ scopes }) => scopes,
      limits: { lists: { calls: 5, seconds: 10 } },
      args: { unknown: 'refused' },
      refusals: {
        noRoute: () => jsonReply(404, { error: 'no route' }),
        wrongMethod: () => jsonReply(405, { error: 'method' }),
        unreadableBody: () => jsonReply(400, { error: 'body' }),
        scope: (needed) => jsonReply(403, { error: 'scope', needed }),
        limited: (seconds) => jsonReply(429, { error: 'limited' }, { 'retry-after': String(seconds) }),
        param: ({ name, problem, fault }) => jsonReply(400, { error: fault ?? problem, name }),
        cursor: (fault) => jsonReply(400, { error: 'cursor', fault }),
      },
      reply: (value) => jsonReply(200, value),
    })
    return {
      baseUrl: `${origin}/v1`,
      credentials: [{ token: full }, { token: poor }],
      landmarks: { author: 'a1' },
      examples: { books: { list: {} } },
      tour: {},
      handle,
      refusal: (status) => jsonReply(status, { error: 'fault' }),
      ...changesFrom({
        ...recordChanges(books),
        revoke: { does: 'Ends all tokens.', make: () => tokens.revokeAll() },
        expire: { does: 'Lets the tokens expire that can.', make: () => tokens.expireAll() },
      }),
    }
  },
}
