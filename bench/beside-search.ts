/** Execute while the heaviest searches run in the same process, against execute alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { startPostgres } from '../src/store/postgres/server.suite.ts'
import { startChild } from './child.ts'
import { type Row, sideBySide } from './row.ts'
import type { PlaceOptions } from './search-place.ts'
import { fillCopy } from './search-records.ts'

const seconds = 4
/** Few enough that one core is not full of them: what is measured is waiting, not a lack of machine. */
const callers = 4

interface Systems {
  readonly systems: Record<string, { base_url: string; credentials: object[] }>
  readonly landmarks: Record<string, string>
}

/** With the embedded store, over a copy in another file. */
export async function benchBesideSqlite({ records }: PlaceOptions): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-bench-'))
  const copy = `sqlite:${join(folder, 'copy.db')}`
  try {
    await fillCopy(copy, Math.min(records, mostFilled))
    return await besideSearches('SQLite', `sqlite:${join(folder, 'conex.db')}`, copy)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** With everything in one PostgreSQL. */
export async function benchBesidePostgres({ records }: PlaceOptions): Promise<Row> {
  const server = await startPostgres()
  try {
    const copy = await server.freshDatabase()
    await fillCopy(copy, Math.min(records, mostFilled))
    return await besideSearches('PostgreSQL', await server.freshDatabase(), copy)
  } finally {
    await server.stop()
  }
}

/** More would only make each of the searches longer. */
const mostFilled = 200_000

async function besideSearches(title: string, database: string, copy: string): Promise<Row> {
  const systems = await startChild<Systems>('simulators')
  const { base_url: baseUrl, credentials } = systems.ready.systems.asana!
  const conex = await startChild<{ origin: string; token: string; id: string }>('conex-searching', {
    baseUrl,
    credentials: credentials[0],
    database,
    copy,
  })
  const { origin, token, id } = conex.ready
  const pool = new Pool(origin, { connections: callers })
  const execute = () => slowest(pool, id, token, systems.ready.landmarks.project_bulk!)
  try {
    await execute()
    const { ratio, ours, theirs, spread } = await sideBySide(
      5,
      async () => {
        conex.process.kill('SIGUSR2')
        try {
          return await execute()
        } finally {
          conex.process.kill('SIGUSR2')
          // The searches on their way end by themselves.
          await new Promise((resolve) => setTimeout(resolve, 3000))
        }
      },
      execute,
    )
    return {
      what: `execute while the heaviest searches run on ${title}, 99th percentile of its time`,
      against: 'execute alone',
      ratio,
      wanted: '≤ 1.5',
      reached: ratio <= 1.5,
      details: [
        `${ours.toFixed(1)} ms against ${theirs.toFixed(1)} ms, ${callers} callers, 4 others that search, ${spread}`,
      ],
    }
  } finally {
    await pool.close()
    await conex.stop()
    await systems.stop()
  }
}

/** The time that 99 of 100 executes stay under, in milliseconds. */
async function slowest(pool: Pool, id: string, token: string, project: string): Promise<number> {
  const request = {
    path: `/api/v1/connectors/sources/${id}/execute`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entity: 'project_tasks', action: 'list', params: { project_gid: project } }),
  } as const
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        const start = performance.now()
        const answer = await pool.request(request)
        await answer.body.arrayBuffer()
        if (answer.statusCode !== 200) throw new Error(`execute answered ${answer.statusCode}`)
        times.push(performance.now() - start)
      }
    }),
  )
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length * 0.99)]!
}
