/**
 * The recordings of calls. The extensive call contains their address, signed and valid for 8 hours; the file is
 * elsewhere.
 */
import {
  arrayOf,
  ConexError,
  closedObjectOf,
  download,
  entity,
  type FileLocation,
  optional,
  type Params,
  type Reader,
  rule,
} from '../../kit/connector.ts'
import { mediaSelector } from './content-selector.ts'
import { filterOf, gongId, isObject } from './fields.ts'
import { metaDataOf, showable } from './private-calls.ts'

const callIds = (params: Params): readonly string[] => (filterOf(params).callIds as readonly string[] | undefined) ?? []

const oneCall = rule('Give exactly one call id in filter.callIds.', (params) =>
  callIds(params).length === 1 ? null : ['filter'],
)

const mediaAsked = rule('Set contentSelector.exposedFields.media to true.', ({ contentSelector: selector }) => {
  const exposed = isObject(selector) ? selector.exposedFields : undefined
  return isObject(exposed) && exposed.media === true ? null : ['contentSelector']
})

interface Medium {
  readonly name: 'audio' | 'video'
  readonly address: 'audioUrl' | 'videoUrl'
  /** The type of the file if its host only reports a stream of bytes, as object stores do. */
  readonly type: string
  readonly extension: string
}

const recording = (medium: Medium, description: string) =>
  download({
    description,
    method: 'POST',
    path: '/v2/calls/extensive',
    params: {
      filter: optional(closedObjectOf({ callIds: optional(arrayOf(gongId(), 'The one call.')) }, 'Which call.')),
      contentSelector: optional(mediaSelector),
    },
    rules: [oneCall, mediaAsked],
    locate: (answer, params, reader) => locate(medium, answer, callIds(params)[0] ?? '', reader),
    // A recording is never an HTML page; a host that sends one asks for a login or reports a fault.
    refusedTypes: ['text/html', 'application/xhtml+xml', 'application/xml', 'text/xml', 'application/json'],
    scopes: ['api:calls:read:extensive', 'api:calls:read:media-url'],
  })

export const callAudio = entity({
  description: 'The audio of recorded calls.',
  download: recording(
    { name: 'audio', address: 'audioUrl', type: 'audio/mpeg', extension: 'mp3' },
    'Download the audio of one call, or a part of it.',
  ),
})

export const callVideo = entity({
  description: 'The video of recorded calls.',
  download: recording(
    { name: 'video', address: 'videoUrl', type: 'video/mp4', extension: 'mp4' },
    'Download the video of one call, or a part of it.',
  ),
})

function locate(
  { name, address, type, extension }: Medium,
  answer: unknown,
  id: string,
  reader: Pick<Reader, 'privateRecords'>,
): FileLocation {
  const found = isObject(answer) && Array.isArray(answer.calls) ? (answer.calls as unknown[]) : null
  if (found === null)
    throw new ConexError('upstream_invalid_response', 'Gong answered without the call; repeat the request later.')
  const [first] = found
  if (first !== undefined && showable([first], reader, metaDataOf).length === 0)
    throw new ConexError('record_not_found', 'Gong has no such call, or it is private; check the id.')
  const call = isObject(first) ? first : {}
  const media = isObject(call.media) ? call.media : {}
  const url = media[address]
  if (typeof url === 'string' && url !== '') return { url, name: `call-${id}.${extension}`, type }
  throw new ConexError('file_unavailable', whyNot(name, media))
}

function whyNot(name: Medium['name'], media: Readonly<Record<string, unknown>>): string {
  if (name === 'video' && typeof media.audioUrl === 'string')
    return 'This call has no video, only audio; download call_audio.'
  return `There is no ${name} for this call: it was imported without a recording, or Gong has not processed it yet; if it is recent, repeat the download later.`
}
