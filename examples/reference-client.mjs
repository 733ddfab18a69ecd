/**
 * A program for the reference service, written only with fetch: with another base address, CONEX_URL, it runs against Conex.
 * It creates a connector by definition id, looks it up for its user by either route, checks it, and reads it at either address.
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
const findByWorkspace = async () => {
  const query = new URLSearchParams({ workspace_name: 'acme', definition_id: asana })
  return (await ask('GET', `/api/v1/integrations/connectors?${query}`, undefined, bearer)).data
}
if ((await find()).length === 0)
  await ask(
    'POST',
    '/v1/integrations/connectors',
    {
      external_user_id: 'acme',
      definition_id: asana,
      name: 'Work',
      credentials: { token: process.env.ASANA_TOKEN },
      replication_config: { start_date: '2026-01-01T00:00:00Z' },
      source_template_id: 'acme-asana',
    },
    token,
  )
const [{ id }] = await find()
const [found] = await findByWorkspace()
if (found.id !== id || found.summarized_source_template.name !== 'asana') throw new Error('The two look-ups disagree.')

const check = { entity: '*', action: 'check', params: {} }
const { result: health } = await ask('POST', `/api/v1/integrations/connectors/${id}/execute`, check, bearer)
console.log(`${health.status}: ${health.checked_entity} ${health.checked_action}`)

for (const path of [`/api/v1/connectors/sources/${id}/execute`, `/api/v1/integrations/connectors/${id}/execute`]) {
  const { result, connector_metadata } = await ask(
    'POST',
    path,
    { entity: 'workspaces', action: 'list', params: {}, select_fields: ['gid', 'name'], skip_truncation: true },
    token,
  )
  console.log(`${result.map(({ name }) => name).join(', ')}  ${JSON.stringify(connector_metadata)}`)
}
