/** Download of 1 GiB, against undici piped straight to the response; and how far Conex's memory grows meanwhile. */
import { readFile } from 'node:fs/promises'
import { Client } from 'undici'
import { startPlaces } from './places.ts'
import { type Row, sideBySide } from './row.ts'

const gibibyte = 1024 ** 3

export async function benchDownload(): Promise<Row> {
  const places = await startPlaces()
  try {
    const { conex, relay, conexProcess } = places
    const body = JSON.stringify({
      entity: 'attachments',
      action: 'download',
      params: { attachment_gid: places.landmarks.attachment_1gib },
    })
    const ours = () => bytesPerSecond(conex.origin, conex.path, conex.headers, body)
    const theirs = () => bytesPerSecond(relay.origin, '/file', { 'content-type': 'application/json' }, '{}')
    await ours()
    await theirs()
    const before = await residentMemory(conexProcess.process.pid!)
    let highest = before
    const watch = setInterval(async () => {
      highest = Math.max(highest, await residentMemory(conexProcess.process.pid!))
    }, 50)
    const result = await sideBySide(5, ours, theirs)
    clearInterval(watch)
    const growth = (highest - before) / 1024 ** 2
    return {
      what: 'download of 1 GiB, bytes/s',
      against: 'undici piped to the response',
      ratio: result.ratio,
      wanted: '≥ 0.90, memory growth under 32 MiB',
      reached: result.ratio >= 0.9 && growth < 32,
      details: [
        `${mebibytes(result.ours)} MiB/s against ${mebibytes(result.theirs)} MiB/s, ${result.spread}`,
        `memory of the process grew by ${growth.toFixed(1)} MiB over ${mebibytes(before)} MiB`,
      ],
    }
  } finally {
    await places.stop()
  }
}

const mebibytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(0)

async function bytesPerSecond(
  origin: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<number> {
  const client = new Client(origin)
  const start = performance.now()
  const answer = await client.request({ path, method: 'POST', headers, body })
  let size = 0
  answer.body.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  await new Promise((resolve, reject) => answer.body.once('end', resolve).once('error', reject))
  if (size !== gibibyte) throw new Error(`${path} answered ${answer.statusCode} with ${size} bytes`)
  const perSecond = size / ((performance.now() - start) / 1000)
  await client.close()
  return perSecond
}

/** What the process holds in memory, in bytes, as the system counts it. */
async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024
}
