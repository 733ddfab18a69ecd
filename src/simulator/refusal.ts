/** A refusal, thrown anywhere while a simulated system answers a call. */
import type { Reply } from './system.ts'

/** Becomes the reply to the call. */
export class Refusal extends Error {
  readonly reply: Reply

  constructor(reply: Reply, message: string) {
    super(message)
    this.reply = reply
  }
}

/** The answer, or the refusal that was thrown instead. */
export function orRefusal(answer: () => Reply): Reply {
  try {
    return answer()
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}
