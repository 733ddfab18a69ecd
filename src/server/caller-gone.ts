/** Detects that a caller has hung up. */
import type { FastifyReply } from 'fastify'

/**
 * Aborts when the connection closes before the answer is sent. The request's own close event comes too early for this.
 */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.on('close', () => {
    if (!raw.writableFinished) controller.abort(new CallerGone())
  })
  return controller.signal
}

/** Ends a call early because its caller is gone; nobody reads the answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
  constructor() {
    super('The caller closed the connection before the answer was out.')
  }
}
