/** Handler for execute: answers JSON, or the bytes of a file. */
import { text } from '../catalog/fields.ts'
import type { Held } from '../engine/http/answer-memory.ts'
import { execution, execute as run } from '../service/execute.ts'
import { callerGone } from './caller-gone.ts'
import { type Endpoint, failuresOfCalls } from './endpoint.ts'
import { callerOf, connectorIdOf, type Handler } from './handler.ts'
import { sendDownload } from './send-download.ts'
import { writeAnswer } from './write-answer.ts'

const handle: Handler = async (context, request, reply) => {
  const { service, downloadIdleMs } = context
  const signal = callerGone(reply)
  let held: Held | undefined
  const executed = await run(service, callerOf(request), connectorIdOf(request), request.body, signal, (given) => {
    held = given
    if (signal.aborted) given.free()
    else reply.raw.once('close', () => given.free())
  })
  if (executed.kind !== 'download') {
    const json = executed.kind === 'json' ? executed.json : await writeAnswer(executed.answer)
    held?.shrink(json.length)
    // A caller that does not read a long answer blocks memory that others need.
    if (json.length > longAnswer) reply.raw.setTimeout(downloadIdleMs, () => reply.raw.destroy())
    return reply.type('application/json; charset=utf-8').send(json)
  }
  return sendDownload(context, executed.download, signal, request, reply)
}

/** In bytes. Shorter answers fit the connection's buffer in the operating system. */
const longAnswer = 256 * 1024

const file = {
  'Content-Disposition': text('The name of the file.'),
  'Accept-Ranges': text('bytes if you can request parts of the file.'),
}

export const execute: Endpoint = {
  summary: 'Run an operation: list, get, search, download or sql',
  body: execution,
  largestBody: 1024 * 1024,
  runsOperations: true,
  answers: {
    200: { description: 'The result of the operation: JSON, or the bytes of a file.', mediaType: '*/*', headers: file },
    206: {
      description: 'The part of the file that range_header asked for.',
      mediaType: '*/*',
      headers: { ...file, 'Content-Range': text('The part of the file in this answer.') },
    },
  },
  errors: [
    'unknown_entity',
    'unknown_action',
    'invalid_params',
    'invalid_query',
    'invalid_cursor',
    'record_not_found',
    'file_unavailable',
    'range_not_satisfiable',
    'search_unavailable',
    'connector_unavailable',
    ...failuresOfCalls,
  ],
  handle,
}
