/** One HTTP request to a third-party system. */
import type { Room } from './answer-memory.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
  /** The largest answer, in bytes, where it is less than that of all. */
  readonly largest?: number
  /** What counts the bytes of the answer. */
  readonly room?: Pick<Room, 'receive'> | undefined
}
