/** The tool `describe`: a kind, an entity or an operation, briefly first and in full on request. */
import Type from 'typebox'
import type { ConnectorType } from '../catalog/describe.ts'
import {
  actionInFull,
  actionInWords,
  actionOf,
  entityInWords,
  entityOf,
  kindInWords,
} from '../catalog/describe-text.ts'
import { boolean, optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import { boundsFields, usualCharacters } from './bounds.ts'
import { findConnector } from './find-connector.ts'
import { searchLanguage } from './search-language.ts'
import type { Source } from './source.ts'
import { defineTool, textResult } from './tool.ts'

const { max_characters } = boundsFields

export const describe = defineTool(
  'describe',
  'Tells what a system can be asked: its entities; by entity the actions and fields; by action the params. full adds JSON Schemas.',
  Type.Object(
    {
      connector: optional(text('kind or id')),
      entity: optional(text()),
      action: optional(text()),
      full: optional(boolean()),
      max_characters,
    },
    { additionalProperties: false },
  ),
  async ({ connector, entity, action, full = false, max_characters = usualCharacters }, source) => {
    const type = await typeNamed(source, connector)
    return textResult(within(max_characters, linesFor(type, entity, action, full)))
  },
)

/** The kind of this name, or of the connector with this id or name; without one, of the only connector. */
async function typeNamed(source: Source, named: string | undefined): Promise<ConnectorType> {
  if (named === undefined) return source.type((await findConnector(source, named)).connector_type)
  try {
    return await source.type(named)
  } catch (error) {
    if (!(error instanceof ConexError) || error.code !== 'not_found') throw error
    const found = await findConnector(source, named).catch(() => null)
    if (found === null) throw error
    return source.type(found.connector_type)
  }
}

function linesFor(type: ConnectorType, entity: string | undefined, action: string | undefined, full: boolean) {
  if (entity === undefined) {
    if (action !== undefined) throw new ConexError('invalid_request', 'Pass the entity of the action too.')
    return kindInWords(type)
  }
  const found = entityOf(type, entity)
  if (action !== undefined) {
    const operation = actionOf(found, action)
    return [
      ...actionInWords(found, operation),
      ...(operation.name === 'search' ? searchLanguage.split('\n') : []),
      ...(full ? actionInFull(operation) : []),
    ]
  }
  const brief = entityInWords(type, found)
  if (!full) return brief
  return [...brief, ...found.actions.flatMap((operation) => [`${operation.name}:`, ...actionInFull(operation)])]
}

/** As many whole lines as fit, and how to get the others. */
function within(budget: number, lines: readonly string[]): string {
  const whole = lines.join('\n')
  if (whole.length <= budget) return whole
  let taken = 0
  const shown = lines.filter((line) => {
    taken += line.length + 1
    return taken <= budget - 120
  })
  const left = lines.length - shown.length
  return [...shown, `${left} more lines are left out; repeat with "max_characters": ${whole.length} for all.`].join(
    '\n',
  )
}
