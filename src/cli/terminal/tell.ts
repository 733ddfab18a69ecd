/** Text for people from the demo and the server: headings, small tables and lines to copy, in colour on a terminal. */
import { paintFor, type Screen } from './screen.ts'
import { cut, fit, width } from './width.ts'

export interface Teller {
  say(text?: string): void
  heading(text: string): void
  fact(name: string, value: string): void
  /** A command to copy, printed exactly as it must be typed. */
  command(text: string): void
  note(text: string): void
  /** Rows under column names; long values are cut only on the screen. */
  table(columns: readonly string[], rows: readonly (readonly string[])[]): void
  /** Overwrites the current line. */
  rewrite(text: string): void
}

const widest = 48

export function tellOn(screen: Screen): Teller {
  const paint = paintFor(screen)
  const say = (text = ''): void => void screen.write(`${text}\n`)
  return {
    say,
    heading: (text) => say(`\n${paint('bold', text)}`),
    fact: (name, value) => say(`  ${paint('dim', name.padEnd(12))} ${value}`),
    command: (text) => say(paint('cyan', text)),
    note: (text) => say(paint('dim', `  ${text}`)),
    table(columns, rows) {
      const widths = columns.map((column, index) =>
        Math.min(widest, Math.max(width(column), ...rows.map((row) => width(row[index] ?? '')))),
      )
      const line = (values: readonly string[]): string =>
        values
          .map((value, index) => fit(value, widths[index]!))
          .join('  ')
          .trimEnd()
      say(`  ${paint('dim', line(columns))}`)
      for (const row of rows) say(`  ${line(row)}`)
    },
    rewrite: (text) => void screen.write(`\r${cut(text, (screen.columns ?? 80) - 1)}\u001b[K`),
  }
}
