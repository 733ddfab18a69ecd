/** The resources: the catalog, and the language of searches. */
import { entityInWords, entityOf, kindInWords } from '../catalog/describe-text.ts'
import { ConexError } from '../errors.ts'
import { searchLanguage, searchLanguageUri } from '../tools/search-language.ts'
import type { Source } from '../tools/source.ts'

const catalogUri = 'conex://catalog/'

export interface ResourceText {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

/** The pages that a client can offer to its user. */
export async function listResources(source: Source) {
  const kinds = await source.kinds()
  return [
    { uri: searchLanguageUri, name: 'Search filters', mimeType: 'text/markdown' },
    ...kinds.map((kind) => ({ uri: catalogUri + kind, name: `What ${kind} can be asked`, mimeType: 'text/plain' })),
  ]
}

export const resourceTemplates = [
  { uriTemplate: `${catalogUri}{kind}/{entity}`, name: 'What an entity can be asked', mimeType: 'text/plain' },
]

/** A resource; throws `not_found` if there is none at this address. */
export async function readResource(source: Source, uri: string): Promise<ResourceText> {
  if (uri === searchLanguageUri) return { uri, mimeType: 'text/markdown', text: searchLanguage }
  const [kind, entity, ...more] = uri.startsWith(catalogUri) ? uri.slice(catalogUri.length).split('/') : []
  if (!kind || more.length > 0)
    throw new ConexError('not_found', 'There is no such resource; resources/list gives those that there are.')
  const type = await source.type(kind)
  const lines = entity === undefined ? kindInWords(type) : entityInWords(type, entityOf(type, entity))
  return { uri, mimeType: 'text/plain', text: lines.join('\n') }
}
