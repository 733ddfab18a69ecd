/** The log port: all layers write to it, and an entry point provides the real logger. */

/** From everything to nothing. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}

const nothing = (): void => {}

/** A log that discards everything, for programs that did not ask for one. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
