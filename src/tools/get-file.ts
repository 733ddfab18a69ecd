/** The tool `get_file`: text as text, images as images, and any other bytes as a link. */
import Type from 'typebox'
import { object, optional, text } from '../catalog/fields.ts'
import type { Download, Operation } from '../client/mode.ts'
import { boundsFields, usualCharacters } from './bounds.ts'
import { connectorField, findConnector } from './find-connector.ts'
import { fileOf, isText, joined, readFile } from './read-file.ts'
import type { ConnectorSummary, FileLink, Source } from './source.ts'
import { type Content, defineTool, type ToolResult, textResult } from './tool.ts'

const { max_characters } = boundsFields

export const getFile = defineTool(
  'get_file',
  'Reads a file (action download): text and images directly, others as a link. The param range_header, e.g. "bytes=20000-", reads a part.',
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
  if (image !== null) return { content: [{ type: 'image', data: base64(image), mimeType: file.type! }] }
  await download.body.cancel()
  return asLink(file, await source.link(connector, operation, signal))
}

/** Images that models read. */
const isShown = (type: string | null): boolean => /^image\/(png|jpeg|gif|webp)$/.test(type ?? '')

/** In bytes. A larger image would take more of a conversation than it tells. */
const largestImage = 1024 * 1024

const roomForSentence = 200

/** All bytes of a file; null if there are more than so many. */
async function wholeOf({ body }: Download, most: number): Promise<Uint8Array | null> {
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  for (let size = 0; size <= most; ) {
    const { done, value } = await reader.read()
    if (done) return joined(pieces)
    size += value.length
    pieces.push(value)
  }
  reader.releaseLock()
  return null
}

/** Browsers have no Buffer. */
function base64(bytes: Uint8Array): string {
  const letters: string[] = []
  // A call takes no more arguments than fit the stack.
  for (let at = 0; at < bytes.length; at += 8192) letters.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(letters.join(''))
}

function asText({ text, rest }: Awaited<ReturnType<typeof readFile>>): ToolResult {
  const content: Content[] = [{ type: 'text', text }]
  if (rest !== null) content.push({ type: 'text', text: rest })
  return { content }
}

function asLink({ name, type, size }: ReturnType<typeof fileOf>, found: FileLink | null): ToolResult {
  const about = [type ?? 'an unknown type', ...(size === null ? [] : [`${size} bytes`])].join(', ')
  const file = `The file ${name === null ? '' : `${name} `}(${about}) is not text`
  if (found === null) return textResult(`${file}, so it cannot be shown.`)
  const { url, expiresIn } = found
  const valid =
    expiresIn === undefined
      ? ''
      : expiresIn === null
        ? ', valid while this server runs'
        : `, valid for ${expiresIn} seconds`
  const link: Content = {
    type: 'resource_link',
    uri: url,
    name: name ?? 'file',
    ...(type !== null && { mimeType: type }),
    ...(size !== null && { size }),
  }
  return { content: [{ type: 'text', text: `${file}, so here is a link${valid}: ${url}` }, link] }
}
