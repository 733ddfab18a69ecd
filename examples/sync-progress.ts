/** Syncs the copy of a connector, and shows the progress. */
import { conex } from 'conex'

const service = conex({
  baseUrl: process.env.CONEX_URL!,
  clientId: process.env.CONEX_CLIENT_ID!,
  clientSecret: process.env.CONEX_CLIENT_SECRET!,
})
const connectorId = process.argv[2]!

await service.sync.start(connectorId)
const state = await service.sync.wait(connectorId, {
  every: 250,
  onProgress({ entities }) {
    const running = entities.find(({ status }) => status === 'running')
    if (running !== undefined) console.log(`reading ${running.entity}: ${running.progress?.records ?? 0} records`)
  },
})

for (const { entity, status, records, last_error } of state.entities)
  console.log(
    `${status.padEnd(8)}  ${entity.padEnd(20)}  ${records}${last_error === null ? '' : `  ${last_error.detail}`}`,
  )
