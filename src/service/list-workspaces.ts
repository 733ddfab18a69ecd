/** Lists end users under the name that clients of the newer dialect have for them: workspaces. */
import Type from 'typebox'
import { decodeQuery } from '../catalog/decode.ts'
import { integer, optional, text } from '../catalog/fields.ts'
import type { Tenant } from '../store/tenant.ts'
import type { WorkspaceList } from '../wire.ts'
import { nameText } from './aliases.ts'
import type { Service } from './service.ts'

/** Query parameters. */
export const workspaceQuery = Type.Object(
  {
    name_contains: optional(nameText('A part of the name, exactly as it is written.')),
    limit: optional(integer('The maximum number of workspaces; 100 by default.', { minimum: 1, maximum: 1000 })),
    cursor: optional(text('The next_cursor of the previous answer.', { minLength: 1, maxLength: 2000 })),
  },
  { additionalProperties: false },
)

/** The end users who have a connector. A scoped token sees its own end user alone. */
export async function listWorkspaces(service: Service, tenant: Tenant, query: unknown): Promise<WorkspaceList> {
  const { name_contains = '', limit = 100, cursor = '' } = decodeQuery(workspaceQuery, query)
  const after = Buffer.from(cursor, 'base64url').toString()
  // One more than asked tells whether there is a next page.
  const found = await service.store.connectors.endUsers(tenant, name_contains, limit + 1, after)
  const names = found.slice(0, limit)
  return {
    data: names.map((name) => ({ id: name, name })),
    next_cursor: found.length > limit ? Buffer.from(names.at(-1)!).toString('base64url') : null,
  }
}
