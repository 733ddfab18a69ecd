/** How many calls a third-party system takes, so that the engine can stay below it. */
export interface CallLimit {
  readonly calls: number
  /** In any stretch of so many seconds. */
  readonly seconds: number
}
