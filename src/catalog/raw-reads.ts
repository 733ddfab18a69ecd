/** What a kind allows of requests that no operation describes. */

/**
 * What a system only reads when it is asked for these paths. `*` stands for one step of a path, a final `**` for any
 * number. The POSTs of the kind's own lists and gets are reads as well.
 */
export interface RawReads {
  readonly get: readonly string[]
  readonly post?: readonly string[]
  /** Query parameters with which a GET would do something else, or act for somebody else. */
  readonly refusedQuery?: readonly string[]
}
