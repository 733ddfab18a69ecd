/** The tool `get_file`: text as text, images as images, and any other bytes as a link. */
import Type from 'typebox'
import { object, optional, text } from '../catalog/fields.ts'
import type { Download, Operation } from '../client/mode.ts'
import { fileOf, isText, readFile } from '../client/tool-file.ts'
import { connectorField, findConnector } from './find-connector.ts'
import { boundsFields, usualCharacters } from './present.ts'
import type { ConnectorSummary, FileLink, Source } from './source.ts'
import { type Content, defineTool, type ToolResult } from './tool.ts'

const { max_characters } = boundsFields

export const getFile = defineTool(
  'get_file',
  'Reads a file (action download): text and images directly, others as a link that expires. The param range_header, e.g. "bytes=20000-", reads a part.',
  Type.Object(
    {
      connector: connectorField,
      entity: text(),
      params: optional(object()),
      max_characters,
    },
    { additionalProperties: false },
  ),
  async ({ connector: named, entity, params = {}, max_characters = usualCharacters }, source, signal) => {
    const connector = await findConnector(source, named)
    return readFileOf(source, connector, { entity, action: 'download', params }, max_characters, signal)
  },
)

export async function readFileOf(
  source: Source,
  connector: ConnectorSummary,
  operation: Operation,
  budget: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const download = await source.download(connector, operation, signal)
  const file = fileOf(download.headers)
  if (isText(file.type)) return asText(await readFile(download, budget - roomForSentence))
  const image = isShown(file.type) && download.status === 200 ? await wholeOf(download, largestImage) : null
  if (image !== null) return { content: [{ type: 'image', data: image.toString('base64'), mimeType: file.type! }] }
  await download.body.cancel()
  return asLink(file, await source.link(connector, operation, signal))
}

/** Images that models read. */
const isShown = (type: string | null): boolean => /^image\/(png|jpeg|gif|webp)$/.test(type ?? '')

/** In bytes. A larger image would take more of a conversation than it tells. */
const largestImage = 1024 * 1024

const roomForSentence = 200

/** All bytes of a file; null if there are more than so many. */
async function wholeOf({ body }: Download, most: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest of the download.
  for await (const piece of body) {
    size += piece.length
    if (size > most) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function asText({ text = '', cut }: Awaited<ReturnType<typeof readFile>>): ToolResult {
  const content: Content[] = [{ type: 'text', text }]
  if (cut !== undefined) content.push({ type: 'text', text: cut.how })
  return { content }
}

function asLink({ name, type, size }: ReturnType<typeof fileOf>, { url, expiresIn }: FileLink): ToolResult {
  const about = [type ?? 'an unknown type', ...(size === null ? [] : [`${size} bytes`])].join(', ')
  const valid = expiresIn === null ? 'while this server runs' : `for ${expiresIn} seconds`
  const link: Content = {
    type: 'resource_link',
    uri: url,
    name: name ?? 'file',
    ...(type !== null && { mimeType: type }),
    ...(size !== null && { size }),
  }
  const text = `The file ${name ?? ''} (${about}) is not text, so here is a link, valid ${valid}: ${url}`
  return { content: [{ type: 'text', text: text.replace('file  (', 'file (') }, link] }
}
