/** The tool `list_connectors`. */
import Type from 'typebox'
import { optional, text } from '../catalog/fields.ts'
import { stringifyJson } from '../json.ts'
import { defineTool, textResult } from './tool.ts'

export const listConnectors = defineTool(
  'list_connectors',
  'Lists the connected systems. Start here.',
  Type.Object({ kind: optional(text()), cursor: optional(text()) }, { additionalProperties: false }),
  async ({ kind, cursor }, source, _, { tool }) => {
    const { connectors, next_cursor } = await source.connectors({
      ...(kind !== undefined && { connector_type: kind }),
      ...(cursor !== undefined && { cursor }),
    })
    if (connectors.length === 0 && cursor === undefined)
      return textResult(
        kind === undefined
          ? 'There are no connectors yet; ask the user to connect a system first.'
          : `There is no connector of kind ${kind}; call ${tool} without kind for all.`,
      )
    // Users matter only to a caller that may see several.
    const several = new Set(connectors.map((one) => one.external_user_id)).size > 1
    const shown = connectors.map(({ id, connector_type, name, status, external_user_id }) => ({
      id,
      kind: connector_type,
      name,
      ...(several && { user: external_user_id }),
      ...(status !== 'active' && { status }),
    }))
    const more = next_cursor === null ? '' : `\nMore: ${tool} ${JSON.stringify({ kind, cursor: next_cursor })}`
    return {
      content: [{ type: 'text', text: `${shown.map(stringifyJson).join('\n')}${more}` }],
      structuredContent: { connectors: shown, next_cursor },
    }
  },
)
