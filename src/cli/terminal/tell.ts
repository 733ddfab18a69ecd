/** What the demo and the server tell a person: headings, small tables and lines to copy, in colour where the terminal has it. */
import { paintFor } from './screen.ts'
import { cut, fit, width } from './width.ts'

const paint = paintFor(process.stdout)

export function say(text = ''): void {
  process.stdout.write(`${text}\n`)
}

export function heading(text: string): void {
  say(`\n${paint('bold', text)}`)
}

export function fact(name: string, value: string): void {
  say(`  ${paint('dim', name.padEnd(12))} ${value}`)
}

/** A command to copy; printed as it has to be typed. */
export function command(text: string): void {
  say(paint('cyan', text))
}

export function note(text: string): void {
  say(paint('dim', `  ${text}`))
}

const widest = 48

/** Rows under their column names; long values are cut for the screen alone. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): void {
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
}

/** Writes over the line that the cursor is in. */
export function rewrite(text: string): void {
  process.stdout.write(`\r${cut(text, (process.stdout.columns ?? 80) - 1)}\u001b[K`)
}
