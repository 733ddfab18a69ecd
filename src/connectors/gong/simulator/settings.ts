/** How the system behaves, named as the change on demand names it. */

export type Settings = ReturnType<typeof createSettings>

export const createSettings = (callsPerMinute: number | null | undefined) => ({
  /** Null lifts the limit. */
  calls_per_second: callsPerMinute === undefined ? 3 : callsPerMinute && callsPerMinute / 60,
  calls_per_day: callsPerMinute === null ? null : 10_000,
  access_token_seconds: 86_400,
  media_seconds: 8 * 3600,
  /** Writes ids as bare numbers, as Gong's reference documents them. */
  bare_ids: false,
  /** Answers 200 and no records where folders usually say "not found". */
  empty_as_200: false,
  inactive: false,
  /** Refuses access keys by the caller's address. */
  wrong_address: false,
})
