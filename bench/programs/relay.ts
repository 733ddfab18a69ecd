/** The least that could stand in Conex's place: a bare Fastify that fetches one page or one file and passes it on. */
import Fastify from 'fastify'
import { Agent } from 'undici'

const { page, file, token } = JSON.parse(process.argv[2]!) as { page: string; file: string; token: string }
const agent = new Agent({ connections: 64 })
const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }

const get = async (address: string, sent: Record<string, string> = {}) => {
  const { origin, pathname, search } = new URL(address)
  return agent.request({ origin, path: pathname + search, method: 'GET', headers: sent })
}

const app = Fastify()
app.post('/page', async () => {
  const { body } = await get(page, headers)
  return body.json()
})
app.post('/file', async (_request, reply) => {
  const record = (await (await get(file, headers)).body.json()) as { data: { download_url: string } }
  const answer = await get(record.data.download_url)
  reply.header('content-length', answer.headers['content-length'])
  return reply.send(answer.body)
})
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
process.stdout.write(`${JSON.stringify({ origin })}\n`)
