/** The environment of the process. No other file reads it. */

export const environment: Readonly<Record<string, string | undefined>> = process.env
