/** Answers execute: a JSON answer, or the bytes of a file. */
import { execute as run } from '../service/execute.ts'
import { callerGone } from './caller-gone.ts'
import { callerOf, connectorIdOf, type Handler } from './handler.ts'
import { errorFields } from './logger.ts'
import { writeAnswer } from './write-answer.ts'

export const execute: Handler = async ({ service }, request, reply) => {
  const signal = callerGone(reply)
  const executed = await run(service, callerOf(request), connectorIdOf(request), request.body, signal)
  if (executed.kind !== 'download') {
    const json = executed.kind === 'text' ? executed.json : await writeAnswer(executed.answer)
    return reply.type('application/json; charset=utf-8').send(json)
  }
  const { status, headers, body } = executed.download
  if (signal.aborted) {
    body.destroy()
    throw signal.reason
  }
  body.once('error', (error) => {
    if (!signal.aborted) service.log.warn({ request_id: request.id, ...errorFields(error) }, 'a file broke off')
  })
  reply.code(status).headers(headers)
  // Without a type the framework would name one that nobody vouches for.
  if (headers['content-type'] === undefined) reply.type('application/octet-stream')
  return reply.send(body)
}
