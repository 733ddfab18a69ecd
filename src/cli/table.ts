/** Prints rows for people, or as JSON lines for programs. */

/** The columns are the fields of the rows; what is null shows as a dash. */
export function printRows(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): void {
  const lines = [
    columns.map((column) => column.toUpperCase().replaceAll('_', ' ')),
    ...rows.map((row) => columns.map((column) => shown(row[column]))),
  ]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)))
  for (const line of lines)
    process.stdout.write(
      `${line
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join('  ')
        .trimEnd()}\n`,
    )
}

/** One JSON document a line. */
export function printJson(rows: readonly object[]): void {
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`)
}

// A name may hold anything, and must not move the cursor of whoever reads the table.
const shown = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '-'
    : String(value).replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, '?')
