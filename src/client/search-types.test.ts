/** What the compiler knows of a search. An expected error that does not come fails the type check. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { asana } from '../connectors/asana/connector.ts'
import type { facebookMarketing } from '../connectors/facebook-marketing/connector.ts'
import type { gong } from '../connectors/gong/connector.ts'
import type { Connected } from './connector-types.ts'

type Tasks = Connected<typeof asana>['tasks']
type Campaigns = Connected<typeof facebookMarketing>['campaigns']
type Calls = Connected<typeof gong>['calls']

// Never called: the compiler alone reads them.
async function compiles(tasks: Tasks, campaigns: Campaigns, calls: Calls): Promise<void> {
  const { result } = await tasks.search({
    query: {
      filter: {
        keyword: { name: 'launch', 'assignee.name': 'ann', followers: 'ann' },
        eq: { completed: false, 'assignee.gid': '1', due_on: null },
        gte: { due_on: '2026-01-01', num_likes: 3 },
        in: { resource_subtype: ['milestone', 'approval'] },
        any: { followers: { eq: { gid: '12' }, not: { like: { name: 'A%' } } } },
        contains: { tags: { gid: '7' }, 'assignee.name': 'nn' },
        startswith: { name: '50%' },
        endswith: { name: '!' },
        array_contains: { tags: { gid: '7' } },
        or: [{ not: { eq: { liked: true } } }, {}],
      },
      sort: [{ due_on: 'asc' }, { 'assignee.name': 'desc' }],
    },
    limit: 10,
  })
  for (const { id, score, data } of result.hits) {
    id satisfies string
    score satisfies number
    data.num_likes satisfies number | null
    data.assignee?.gid satisfies string | undefined
    data.followers?.[0]?.name satisfies string | undefined
  }
  const fields = ['name', 'assignee.name', ['memberships', 'section']] as const
  for await (const { data } of tasks.search.all({ query: {}, fields })) {
    data.name satisfies string | null
    data.assignee?.name satisfies string | undefined
    data.memberships satisfies readonly unknown[] | null
    // @ts-expect-error a field that was not asked for
    data.due_on
    // @ts-expect-error an inner field that was not asked for
    data.assignee?.gid
  }
  const none = await tasks.search({ query: {}, fields: [] })
  // @ts-expect-error hits without fields
  none.result.hits[0]?.data.name
  await campaigns.search({ query: { filter: { keyword: { name: 'spring' } }, sort: [{ created_time: 'desc' }] } })
  await calls.search({ query: { filter: { gt: { duration: 60 } }, sort: [{ started: 'desc' }] } })
}

async function mustNotCompile(tasks: Tasks): Promise<void> {
  // @ts-expect-error a misspelt field
  await tasks.search({ query: { filter: { keyword: { nam: 'x' } } } })
  // @ts-expect-error a misspelt operator
  await tasks.search({ query: { filter: { equals: { name: 'x' } } } })
  // @ts-expect-error a misspelt field inside an object
  await tasks.search({ query: { filter: { eq: { 'assignee.nme': 'x' } } } })
  // @ts-expect-error text for a boolean
  await tasks.search({ query: { filter: { eq: { completed: 'yes' } } } })
  // @ts-expect-error a single value for a list of them
  await tasks.search({ query: { filter: { in: { name: 'x' } } } })
  // @ts-expect-error words in what is no text
  await tasks.search({ query: { filter: { fuzzy: { completed: 'x' } } } })
  // @ts-expect-error an order of lists
  await tasks.search({ query: { filter: { gt: { followers: 1 } } } })
  // @ts-expect-error an order with null
  await tasks.search({ query: { filter: { gt: { due_on: null } } } })
  // @ts-expect-error an element of what is no list
  await tasks.search({ query: { filter: { any: { name: { eq: { gid: '1' } } } } } })
  // @ts-expect-error a misspelt field of an element
  await tasks.search({ query: { filter: { any: { followers: { eq: { gidd: '1' } } } } } })
  // @ts-expect-error a sort by a list
  await tasks.search({ query: { sort: [{ followers: 'asc' }] } })
  // @ts-expect-error an order that there is not
  await tasks.search({ query: { sort: [{ name: 'up' }] } })
  // @ts-expect-error a misspelt field to return
  await tasks.search({ query: {}, fields: ['nam'] })
}

it('the types of a search are written down', () => {
  assert.deepEqual([typeof compiles, typeof mustNotCompile], ['function', 'function'])
})
