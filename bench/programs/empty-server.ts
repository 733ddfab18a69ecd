/** A Fastify that does nothing, to compare starts with. */
import Fastify from 'fastify'

const app = Fastify()
app.get('/healthz', async () => ({ status: 'ok' }))
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write('{}\n')
