/** Signed addresses: a signature over path and time that is valid for a short while. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { fileAnswer, type StoredFile, xmlRefusal } from './file-answer.ts'
import { readQuery, valuesOf } from './query.ts'
import type { Call, Reply } from './system.ts'

/** The query that makes `path` readable for `seconds` from `now` (milliseconds). */
export function signedQuery(key: string, path: string, now: number, seconds: number): string {
  const date = compactTime(now)
  const unsigned = `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=${date}&X-Amz-Expires=${seconds}&X-Amz-SignedHeaders=host`
  return `${unsigned}&X-Amz-Signature=${signature(key, path, unsigned)}`
}

/** Null if the call may read its path; otherwise the refusal of the object store. */
function refuseUnsigned(key: string, call: Call, path: string, now: number): Reply | null {
  const authorization = call.headers.authorization
  if (authorization !== undefined) {
    return xmlRefusal(400, 'InvalidArgument', 'Only one auth mechanism allowed', {
      ArgumentName: 'Authorization',
      ArgumentValue: authorization,
    })
  }
  const values = valuesOf(readQuery(call.query))
  const given = values.get('X-Amz-Signature')
  if (given === undefined) return xmlRefusal(403, 'AccessDenied', 'Access Denied')
  const unsigned = call.query.slice(0, Math.max(0, call.query.indexOf('&X-Amz-Signature=')))
  const rest = `${unsigned}&X-Amz-Signature=${given}`
  if (rest !== call.query || !same(given, signature(key, path, unsigned))) {
    return xmlRefusal(403, 'SignatureDoesNotMatch', 'The signature of this address does not fit it')
  }
  const ends = readCompactTime(values.get('X-Amz-Date') ?? '') + Number(values.get('X-Amz-Expires')) * 1000
  if (now > ends) {
    return xmlRefusal(403, 'AccessDenied', 'Request has expired', {
      'X-Amz-Expires': values.get('X-Amz-Expires') ?? '',
      Expires: new Date(ends).toISOString(),
      ServerTime: new Date(now).toISOString(),
    })
  }
  return null
}

/** Answers with a file if the call may read its path, which the signature allows for GET alone. */
export function answerSigned(key: string, call: Call, file: StoredFile | undefined, now: number): Reply {
  if (call.method !== 'GET') return xmlRefusal(403, 'SignatureDoesNotMatch', 'The signature is for another method')
  const refused = refuseUnsigned(key, call, call.path, now)
  if (refused !== null) return refused
  return file === undefined
    ? xmlRefusal(404, 'NoSuchKey', 'The specified key does not exist.')
    : fileAnswer(file, call.headers.range)
}

function signature(key: string, path: string, query: string): string {
  return createHmac('sha256', key).update(`${path}\n${query}`).digest('hex')
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function compactTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '')}Z`
}

function readCompactTime(text: string): number {
  const m = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  return m === null ? 0 : Date.parse(`${m[1]}-${m[2]}-${m[3]}T${m[4]}:${m[5]}:${m[6]}Z`)
}
