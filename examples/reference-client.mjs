/**
 * A program as it was written for the reference service, with fetch and nothing else: it runs against Conex when its base
 * address, CONEX_URL, is changed. A connector is made by definition id, looked up for its user, and read at either address.
 */
const base = process.env.CONEX_URL
const asana = 'd0243522-dccf-4978-8ba0-37ed47a0bdbf'

async function ask(method, path, body, token) {
  const response = await fetch(base + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${answer.detail}`)
  return answer
}

const client = { client_id: process.env.CONEX_CLIENT_ID, client_secret: process.env.CONEX_CLIENT_SECRET }
const { access_token: bearer } = await ask('POST', '/api/v1/account/applications/token', client)
const { token } = await ask('POST', '/api/v1/embedded/scoped-token', { workspace_name: 'acme' }, bearer)

const find = async () => {
  const query = new URLSearchParams({ external_user_id: 'acme', definition_id: asana })
  return (await ask('GET', `/api/v1/connectors/connectors_for_user?${query}`, undefined, bearer)).connectors
}
if ((await find()).length === 0)
  await ask(
    'POST',
    '/v1/integrations/connectors',
    { external_user_id: 'acme', definition_id: asana, name: 'Work', credentials: { token: process.env.ASANA_TOKEN } },
    token,
  )
const [{ id }] = await find()

for (const path of [`/api/v1/connectors/sources/${id}/execute`, `/api/v1/integrations/connectors/${id}/execute`]) {
  const { result, connector_metadata } = await ask(
    'POST',
    path,
    { entity: 'workspaces', action: 'list', params: {} },
    token,
  )
  console.log(`${result.map(({ name }) => name).join(', ')}  ${JSON.stringify(connector_metadata)}`)
}
