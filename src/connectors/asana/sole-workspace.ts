/** Finds the workspace that Asana requires but a person with a single one can leave out. */
import { ConexError, type Params, type Reader } from '../../kit/connector.ts'

/**
 * Lists without workspace and team fail for people in several workspaces (forum announcement 1031581, in force since
 * 2025), and their paging fails for everybody. So Conex looks the workspace up: it uses the only one, and names
 * several.
 */
export async function soleWorkspace(params: Params, reader: Reader): Promise<Params> {
  if (params.workspace !== undefined || params.team !== undefined) return params
  const answer = (await reader.read({ path: '/workspaces', query: { limit: '100', opt_fields: 'name' } })) as {
    data?: unknown
  } | null
  const workspaces = Array.isArray(answer?.data) ? answer.data.filter(isWorkspace) : []
  if (workspaces.length === 1) return { ...params, workspace: workspaces[0]!.gid }
  const sentence =
    workspaces.length === 0
      ? 'These credentials give access to no workspace; use others, or get access in Asana.'
      : `Send workspace: these credentials give access to ${workspaces.length} of them, ${told(workspaces)}.`
  throw new ConexError('invalid_params', sentence, { issues: [{ path: '/params/workspace', message: sentence }] })
}

interface Workspace {
  readonly gid: string
  readonly name?: unknown
}

const isWorkspace = (value: unknown): value is Workspace =>
  typeof value === 'object' && value !== null && 'gid' in value && typeof value.gid === 'string'

const told = (workspaces: readonly Workspace[]): string =>
  workspaces
    .slice(0, 20)
    .map(({ gid, name }) => (typeof name === 'string' ? `${gid} (${name.slice(0, 60).toWellFormed()})` : gid))
    .join(', ')
