/** A web page where end users connect their own accounts. They log in at the system itself, so this program sees no credentials. */
import { createServer } from 'node:http'
import { conex } from 'conex'

const service = conex({
  baseUrl: process.env.CONEX_URL!,
  clientId: process.env.CONEX_CLIENT_ID!,
  clientSecret: process.env.CONEX_CLIENT_SECRET!,
})
const origin = `http://127.0.0.1:${process.env.PORT ?? 3000}`

// Your own login identifies the user.
const external_user_id = 'grace'
const connector_type = 'asana'

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url!, origin)
  try {
    if (pathname === '/connect') {
      const redirect_url = `${origin}/connected`
      const location = await service.consent.begin({ external_user_id, connector_type, redirect_url })
      response.writeHead(302, { location }).end()
    } else if (pathname === '/connected') {
      const server_side_oauth_secret_id = searchParams.get('secret_id')
      if (server_side_oauth_secret_id === null) throw new Error(`No consent: ${searchParams.get('error')}`)
      const name = `Connected at ${new Date().toISOString()}`
      const made = await service.connectors.create({
        external_user_id,
        connector_type,
        name,
        server_side_oauth_secret_id,
      })
      response.end(`Connected: ${made.id}\n`)
    } else response.writeHead(404).end('Begin at /connect\n')
  } catch (error) {
    response.writeHead(500, { 'content-type': 'text/plain' }).end(`${(error as Error).message}\n`)
  }
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log(`Open ${origin}/connect`))
