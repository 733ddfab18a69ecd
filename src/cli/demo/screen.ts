/** What the demo prints: headings, small tables and lines to copy, in colour where the terminal has it. */
import { styleText } from 'node:util'

const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout })

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
      .map((value, index) => pad(value, widths[index]!))
      .join('  ')
      .trimEnd()
  say(`  ${paint('dim', line(columns))}`)
  for (const row of rows) say(`  ${line(row)}`)
}

const segments = new Intl.Segmenter()

const width = (text: string): number => [...segments.segment(text)].length

function pad(text: string, to: number): string {
  const letters = [...segments.segment(text)].map(({ segment }) => segment)
  return letters.length > to ? `${letters.slice(0, to - 1).join('')}…` : text + ' '.repeat(to - letters.length)
}

/** A size that people read at a glance. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} bytes`
  const units = ['KiB', 'MiB', 'GiB']
  let size = count
  let unit = -1
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit++
  }
  return `${size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`
}

/** Writes over the line that the cursor is in. */
export function rewrite(text: string): void {
  const columns = process.stdout.columns ?? 80
  process.stdout.write(`\r${text.length < columns ? text : `${text.slice(0, columns - 2)}…`}\u001b[K`)
}
