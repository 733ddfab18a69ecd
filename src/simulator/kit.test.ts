import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { librarySimulator } from './library.suite.ts'
import { startSimulators } from './simulators.ts'

let now = 1_800_000_000_000
const simulators = await startSimulators([librarySimulator], { scale: 25, now: () => now })
after(() => simulators.close())
const { base_url: baseUrl, credentials } = simulators.describe().library!
const [full = '', poor = ''] = credentials.map(({ token }) => token)

// biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
async function call(path: string, { token = full, ...init }: RequestInit & { token?: string } = {}): Promise<any> {
  now += 10_000
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    ...((await response.json()) as object),
  }
}

describe('pages with a cursor', () => {
  it('hold every record once, in order', async () => {
    const seen: string[] = []
    let cursor = ''
    for (;;) {
      const { books, next } = await call(`/books?limit=10${cursor}`)
      seen.push(...books.map(({ id }: { id: string }) => id))
      if (next === null) break
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, n) => `b${String(n + 1).padStart(6, '0')}`),
    )
  })

  it('go on in the right place when records come and go', async () => {
    const { books, next } = await call('/books?limit=3')
    simulators.change('library', { change: 'delete', in: 'books', id: books[1].id })
    simulators.change('library', { change: 'create', in: 'books', fields: { ...books[1], id: 'b000001x' } })
    const { books: following } = await call(`/books?limit=1&cursor=${encodeURIComponent(next)}`)
    assert.equal(following[0].id, 'b000004')
    simulators.change('library', { change: 'delete', in: 'books', id: 'b000001x' })
  })

  it('take no cursor of another request, and none that was made up', async () => {
    const { next } = await call('/books?limit=3&lent=true')
    assert.equal((await call(`/books?cursor=${encodeURIComponent(next)}`)).error, 'cursor')
    assert.equal((await call('/books?cursor=abc')).error, 'cursor')
    assert.equal((await call(`/books?limit=4&lent=true&cursor=${encodeURIComponent(next)}`)).status, 200)
    for (const altered of [
      `${next}x`,
      `x${next}`,
      next.slice(0, -1),
      Buffer.from('next:b000009#2.#0123456789').toString('base64'),
    ])
      assert.equal((await call(`/books?lent=true&cursor=${encodeURIComponent(altered)}`)).fault, 'invalid')
  })

  it('number their pages, and end some time after the first of them', async () => {
    const page = (cursor: string) => call(`/books?limit=2&cursor=${encodeURIComponent(cursor)}`)
    const first = await call('/books?limit=2')
    now += 580_000
    const second = await page(first.next)
    const third = await page(second.next)
    assert.deepEqual([first.number, second.number, third.number], [1, 2, undefined])
    assert.equal(third.fault, 'expired')
  })

  it('refuse a size out of bounds', async () => {
    for (const limit of ['0', '51', '-1', 'x']) assert.equal((await call(`/books?limit=${limit}`)).error, 'invalid')
  })
})

it('numbered pages tell how many there are, and cap their size', async () => {
  const all = await call('/authors/a3/books?count=100')
  assert.ok(all.titles.length > 2)
  assert.equal(all.pages, 1)
  const { titles, page, pages } = await call('/authors/a3/books?page=2&count=2')
  assert.deepEqual([titles, page, pages], [all.titles.slice(2, 4), 2, Math.ceil(all.titles.length / 2)])
  assert.equal((await call('/authors/nobody/books')).status, 404)
})

describe('params', () => {
  it('filter and select', async () => {
    const { books } = await call('/books?lent=true&fields=title&author=a2')
    assert.ok(books.length > 0)
    for (const book of books) assert.deepEqual(Object.keys(book), ['id', 'title'])
  })

  it('are refused by name: unknown, missing, and wrong in the system’s own word', async () => {
    const post = (body: string) =>
      call('/books/find', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    assert.deepEqual([(await call('/books?nope=1')).error, (await call('/books?fate=sold')).name], ['unknown', 'fate'])
    assert.deepEqual([(await post('{}')).error, (await post('{}')).name], ['missing', 'title'])
    assert.equal((await post('[')).error, 'body')
    const inside = async (by: unknown) => {
      const { error, name, status } = await post(JSON.stringify({ title: 'Book 1', by }))
      return [status, error, name]
    }
    assert.deepEqual(await inside({}), [400, 'missing', 'by.author'])
    assert.deepEqual(await inside({ author: 'a1', names: { last: 1 } }), [400, 'invalid', 'by.names.last'])
    assert.deepEqual(await inside([]), [400, 'invalid', 'by'])
    assert.equal((await call('/authors/a1/books?about=0')).error, 'bad_about')
    assert.deepEqual([(await call('/books/find')).status, (await call('/shelves')).error], [405, 'no route'])
    assert.equal((await call('/books/find', { method: 'DELETE' })).status, 405)
  })
})

describe('callers', () => {
  it('need a token, and the scope', async () => {
    assert.equal((await call('/books', { token: 'x' })).error, 'unknown')
    assert.deepEqual((await call('/books', { token: poor })).needed, ['books'])
    assert.equal((await call('/books/b000001', { token: poor })).title, 'Book 1')
  })

  it('wait when they called too often', async () => {
    for (let i = 0; i < 5; i++) {
      assert.equal((await call('/books')).status, 200)
      now -= 10_000
    }
    const limited = await call('/books', {})
    assert.deepEqual([limited.status, limited.retryAfter], [429, '10'])
    assert.equal((await call('/books')).status, 200)
  })

  it('lose tokens by time and by revocation', async () => {
    simulators.change('library', { change: 'expire' })
    assert.equal((await call('/books/b000001', { token: poor })).error, 'expired')
    assert.equal((await call('/books/b000001')).status, 200)
    simulators.change('library', { change: 'revoke' })
    assert.equal((await call('/books/b000001')).error, 'revoked')
    assert.throws(() => simulators.change('library', { change: 'nothing' }), /There is no change "nothing"/)
    assert.throws(() => simulators.change('library', { change: 'edit', in: 'books', id: 'x', fields: {} }), /no record/)
  })
})
