/** What every refusal of the server looks like. */
import assert from 'node:assert/strict'
import { type ErrorCode, errorKinds } from '../errors.ts'
import type { Answer } from './fixture.suite.ts'

/** Judges that an answer is exactly a problem of this code. */
export function isProblem(answer: Answer, code: ErrorCode, path?: string): void {
  assert.equal(answer.body?.code, code, answer.text)
  assert.equal(answer.status, errorKinds[code].status)
  assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  const { type, title, status, detail, request_id, ...rest } = answer.body
  assert.equal(type, `urn:conex:error:${code}`)
  assert.equal(title, errorKinds[code].title)
  assert.equal(status, answer.status)
  assert.match(detail, /^.{10,}[.?]$/s)
  assert.equal(request_id, answer.headers.get('x-request-id'))
  for (const name of Object.keys(rest))
    assert.ok(['code', 'errors', 'upstream', 'retry_after', 'existing_id'].includes(name), name)
  if (path !== undefined)
    assert.deepEqual(
      answer.body.errors?.map((issue: { path: string }) => issue.path),
      [path],
    )
}
