/** Documents for language models on a connector type, in the form that clients of the newer dialect read. */
import Type from 'typebox'
import { decodeQuery } from '../catalog/decode.ts'
import type { ConnectorType } from '../catalog/describe.ts'
import {
  actionInWords,
  actionOf,
  entityInWords,
  entityOf,
  firstSentence,
  kindInWords,
} from '../catalog/describe-text.ts'
import { optional, text } from '../catalog/fields.ts'
import { ConexError } from '../errors.ts'
import type { SkillDocs } from '../wire.ts'
import { connectorType } from './connector-types.ts'
import type { Service } from './service.ts'

/** Query parameters. */
export const docsQuery = Type.Object(
  {
    id: text('The docs_skill_id of an inspection: a connector type, or its definition id.', {
      minLength: 1,
      maxLength: 100,
    }),
    section: optional(
      text('An id of the outline: entity:tasks, or action:tasks.list; without it, the whole in brief.', {
        minLength: 1,
        maxLength: 300,
      }),
    ),
  },
  { additionalProperties: false },
)

type Part = Pick<SkillDocs, 'outline'> & { readonly lines: readonly string[] }

export function readDocs(service: Pick<Service, 'catalog' | 'store'>, query: unknown): SkillDocs {
  const { id, section } = decodeQuery(docsQuery, query)
  const type = connectorType(service, id)
  const { connector_type, title } = type
  const { lines, outline } = section === undefined ? kindPart(type) : sectionPart(type, section)
  return {
    id: connector_type,
    metadata: { id: connector_type, title, kind: 'connector', warnings: [] },
    section_id: section ?? null,
    outline,
    content: lines.map((line) => ({ type: 'paragraph', text: line })),
  }
}

const kindPart = (type: ConnectorType): Part => ({
  lines: kindInWords(type),
  outline: type.entities.map(({ name, description }) => ({
    id: `entity:${name}`,
    title: name,
    summary: firstSentence(description),
  })),
})

function sectionPart(type: ConnectorType, section: string): Part {
  const [, of, name = '', action] = /^(entity|action):([^.]+)(?:\.(.+))?$/.exec(section) ?? []
  if (of === undefined || (of === 'action') !== (action !== undefined))
    throw new ConexError(
      'not_found',
      'There is no such section; the outline of the answer without "section" has them all.',
    )
  const entity = entityOf(type, name)
  if (action !== undefined) return { lines: actionInWords(entity, actionOf(entity, action)), outline: [] }
  return {
    lines: entityInWords(type, entity),
    outline: entity.actions.map((one) => ({
      id: `action:${name}.${one.name}`,
      title: `${name} ${one.name}`,
      summary: firstSentence(one.description),
    })),
  }
}
