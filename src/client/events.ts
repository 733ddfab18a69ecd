/** Reads the events of a service: those that are there, and those to come. */
import { ConexError } from '../errors.ts'
import type { EventType } from '../event-types.ts'
import type { EventList, EventRecord } from '../wire.ts'
import { delay } from './delay.ts'
import type { ServiceCalls } from './service-calls.ts'
import { type CallOptions, eachWithTimeout } from './with-timeout.ts'

/** Which events, and where to begin. */
export interface EventQuery<T extends EventType = EventType> {
  /** Only events of this type. */
  readonly type?: T
  readonly connector_id?: string
  readonly external_user_id?: string
  /** The `cursor` of an event, or the `next_cursor` of a page: reading goes on after it. */
  readonly cursor?: string
  /** Where to begin without a cursor: with the oldest event, which is the default, or now. */
  readonly from?: 'oldest' | 'now'
  readonly limit?: number
}

export interface Events {
  /** One page: the events after the cursor, in their order. With `wait`, waits so many seconds if there are none yet. */
  list(query?: EventQuery & { readonly wait?: number }, options?: CallOptions): Promise<EventList>
  /**
   * All events in their order, those to come too: it goes on until its signal aborts or its timeout is over. Keep the `cursor` of
   * the last event to go on after it another time.
   */
  all<T extends EventType = EventType>(
    query?: EventQuery<T>,
    options?: CallOptions,
  ): AsyncGenerator<EventRecord<T>, void, undefined>
}

/** Seconds for which the service holds a request; shorter than most proxies wait for an answer. */
const wait = 30
/** Once a page has come, so many failures in a row are a restart of the service or of something in between. */
const mostFailures = 10
const longestPause = 30_000

export function eventsThrough(calls: ServiceCalls): Events {
  const list: Events['list'] = async (query = {}, options = {}) => {
    const found = await calls.json<EventList>(
      { method: 'GET', path: '/v1/integrations/events', query: query as Record<string, never> },
      options,
    )
    if (Array.isArray((found as EventList | null)?.events) && typeof found.next_cursor === 'string') return found
    throw new ConexError('internal', 'The server at baseUrl answered with something else than events; check baseUrl.')
  }

  return {
    list,
    all: <T extends EventType>(query: EventQuery<T> = {}, options: CallOptions = {}) =>
      eachWithTimeout(options, async function* (signal): AsyncGenerator<EventRecord<T>, void, undefined> {
        const { from, ...rest } = query
        let next: object = { ...(from !== undefined && { from }), ...rest }
        for (let failures = Number.POSITIVE_INFINITY; ; ) {
          let page: EventList
          try {
            page = await list({ ...next, wait }, { signal })
            failures = 0
          } catch (error) {
            if (++failures > mostFailures || !passes(error) || signal?.aborted) throw error
            await delay(Math.min(250 * 2 ** failures, longestPause), signal)
            continue
          }
          yield* page.events as unknown as readonly EventRecord<T>[]
          next = { ...rest, cursor: page.next_cursor }
        }
      }),
  }
}

/** Whether the failure is one of the moment. */
const passes = (error: unknown): boolean =>
  error instanceof ConexError && (error.code === 'internal' || error.code === 'rate_limited')
