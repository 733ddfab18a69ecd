/** The differences from the generated data and from the real system's usual behavior, set by changes on demand. */

export interface Settings {
  /** Null lifts the limit. */
  callsPerSecond: number | null
  callsPerDay: number | null
  accessTokenSeconds: number
  mediaSeconds: number
  /** Scopes that no credentials have. */
  missingScopes: string[]
  /** Writes ids as bare numbers, as Gong's reference documents them. */
  bareIds: boolean
  /** Answers 200 and no records where scorecards and folders usually say "not found". */
  emptyAs200: boolean
  inactive: boolean
  /** Refuses access keys by the caller's address. */
  wrongAddress: boolean
}

export interface State {
  readonly settings: Settings
  /** Fields that override those of a call or scorecard, by id. */
  readonly edits: Map<string, Readonly<Record<string, unknown>>>
  /** Ids of deleted records. */
  readonly gone: Set<string>
}

export function createState(limitsLifted: boolean): State {
  return {
    settings: {
      callsPerSecond: limitsLifted ? null : 3,
      callsPerDay: limitsLifted ? null : 10_000,
      accessTokenSeconds: 86_400,
      mediaSeconds: 8 * 3600,
      missingScopes: [],
      bareIds: false,
      emptyAs200: false,
      inactive: false,
      wrongAddress: false,
    },
    edits: new Map(),
    gone: new Set(),
  }
}
