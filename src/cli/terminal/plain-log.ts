/** The log of the server for people: one line with the time, the message, and its fields. */
import { oneLine } from './safe-text.ts'
import { paintFor, type Screen } from './screen.ts'

/** A destination for the log. */
export function plainLog(screen: Screen): { write(line: string): void } {
  const paint = paintFor(screen)
  return {
    write(line) {
      const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
      const told = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      const words = `${level === 'info' ? '' : `${level}: `}${msg}`
      screen.write(
        `${paint('dim', String(time).slice(11, 19))} ${oneLine(words)}  ${paint('dim', oneLine(told.join(' ')))}\n`,
      )
    },
  }
}
