/** Searches the copy that a hosted service keeps, even for records that the system itself cannot search, and in any order. */
import { conex } from 'conex'

const service = conex({
  baseUrl: process.env.CONEX_URL!,
  clientId: process.env.CONEX_CLIENT_ID!,
  clientSecret: process.env.CONEX_CLIENT_SECRET!,
})
const asana = service.connect('asana', { connectorId: process.argv[2]! })

const answer = await asana.tasks.search({
  query: {
    filter: { and: [{ eq: { completed: false } }, { not: { eq: { assignee: null } } }] },
    sort: [{ due_on: 'asc' }],
  },
  fields: ['name', 'due_on', ['assignee', 'name']],
  limit: 5,
})
const { age_seconds, complete } = answer.connector_metadata
console.log(
  `${answer.result.hits.length} hits from a copy that is ${age_seconds} s old and ${complete ? '' : 'not '}complete`,
)
for (const { data } of answer.result.hits) console.log(JSON.stringify(data))

// All hits, one by one; the client requests the next answer when it is needed.
let late = 0
for await (const { data } of asana.tasks.search.all({
  query: { filter: { lt: { due_on: '2026-01-01' } } },
  limit: 100,
}))
  if (data.completed === false) late += 1
console.log(`${late} tasks are late`)
