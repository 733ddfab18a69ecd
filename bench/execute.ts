/** Hosted execute of a list of 100 records, against a relay that fetches, parses and serialises the same page. */
import { Pool } from 'undici'
import { startPlaces } from './places.ts'
import { type Row, sideBySide } from './row.ts'

const callers = 32
// Many short rounds: what else the machine does comes and goes within seconds.
const seconds = 1
const rounds = 20
const warmUp = 4

export async function benchExecute(): Promise<Row> {
  const places = await startPlaces()
  try {
    const { conex, relay } = places
    const body = JSON.stringify({
      entity: 'project_tasks',
      action: 'list',
      params: { project_gid: places.landmarks.project_bulk },
    })
    const ours = () => requestsPerSecond(conex.origin, conex.path, conex.headers, body, seconds)
    const theirs = () => requestsPerSecond(relay.origin, '/page', { 'content-type': 'application/json' }, '{}', seconds)
    for (let round = 0; round < warmUp; round++) {
      await ours()
      await theirs()
    }
    const result = await sideBySide(rounds, ours, theirs)
    return {
      what: 'hosted execute, list of 100 records, requests/s',
      against: 'a bare Fastify relay',
      ratio: result.ratio,
      wanted: '≥ 0.80',
      reached: result.ratio >= 0.8,
      details: [
        `${result.ours.toFixed(0)}/s against ${result.theirs.toFixed(0)}/s, ${callers} callers, ${result.spread}`,
      ],
    }
  } finally {
    await places.stop()
  }
}

/** Keeps so many callers busy for so long and counts whole answers. */
async function requestsPerSecond(
  origin: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  duration: number,
): Promise<number> {
  const pool = new Pool(origin, { connections: callers })
  const end = performance.now() + duration * 1000
  let answers = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        const answer = await pool.request({ path, method: 'POST', headers, body })
        const size = (await answer.body.arrayBuffer()).byteLength
        if (answer.statusCode !== 200 || size < 10_000)
          throw new Error(`${path} answered ${answer.statusCode} with ${size} bytes`)
        answers++
      }
    }),
  )
  const perSecond = answers / ((performance.now() - start) / 1000)
  await pool.close()
  return perSecond
}
