/** The host of recordings: another origin, whose addresses carry their own permission and check no caller. */
import { answerSigned, type Call, fileBytes, type Reply, signedQuery } from '../../../kit/simulator.ts'
import type { CallFacts } from './calls.ts'
import type { World } from './world.ts'

const key = 'simulated recordings'

const media = {
  // The first bytes of an MP3 with an ID3 tag, at 64 kbit/s.
  mp3: { type: 'audio/mpeg', bytesPerSecond: 8_000, lead: Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x0a', 'latin1') },
  mp4: {
    type: 'video/mp4',
    bytesPerSecond: 180_000,
    lead: Buffer.from('\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom', 'latin1'),
  },
} as const

/** The addresses of a call's recording; null if there is none. */
export function mediaOf({ id, kind, hasMedia }: CallFacts, { filesOrigin, settings }: World, now: number) {
  if (!hasMedia) return null
  const address = (medium: keyof typeof media) => {
    const path = `/media/${id}.${medium}`
    return `${filesOrigin}${path}?${signedQuery(key, path, now, settings.media_seconds)}`
  }
  return { audioUrl: address('mp3'), ...(kind === 'meeting' && { videoUrl: address('mp4') }) }
}

export function answerMedia(call: Call, { calls }: World, now: number): Reply {
  const [, id = '', medium = 'mp3'] = /^\/media\/(\d+)\.(mp3|mp4)$/.exec(call.path) ?? []
  const found = calls.find(id)
  const { type, bytesPerSecond, lead } = media[medium as keyof typeof media]
  const file = found && {
    name: `${id}.${medium}`,
    contentType: type,
    etag: `"${found.index.toString(16).padStart(32, '0')}"`,
    modified: found.available,
    bytes: fileBytes(found.index + lead.length, found.duration * bytesPerSecond, lead),
  }
  const reply = answerSigned(key, call, file, now)
  const { 'content-disposition': _, ...headers } = reply.headers
  return { ...reply, headers }
}
