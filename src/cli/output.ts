/** The output of commands: a table for people, JSON lines for programs. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { stringifyJson } from '../json.ts'
import type { Io } from './io.ts'
import { oneLine, safeJson } from './terminal/safe-text.ts'
import { paintFor, type Screen } from './terminal/screen.ts'
import { createTable, printRecord, type Row } from './terminal/table.ts'
import { cut } from './terminal/width.ts'

export interface OutputOptions {
  readonly json?: true
  readonly table?: true
  readonly columns?: readonly string[]
}

export interface Output {
  /** Whether a person reads the output. */
  readonly forPeople: boolean
  /** Prints the next records of a list. In a table, the first records choose the columns, unless they are given. */
  rows(rows: readonly object[], columns?: readonly string[]): void
  /** Prints a single record. */
  record(record: object): void
  /** Prints a sentence, only for people. */
  say(sentence: string): void
  /** Ends the output, and says which columns did not fit. */
  end(): void
}

/** Adds `--json` and `--table`, and `--columns` if the records have fields to choose from. */
export function withOutput(command: Command, choice?: 'with columns'): Command {
  command
    .addOption(
      new Option('--json', 'print JSON, one record per line; the default if standard output is not a terminal'),
    )
    .addOption(new Option('--table', 'print a table; the default on a terminal').conflicts('json'))
  if (choice !== undefined)
    command.addOption(
      new Option('--columns <names>', 'the columns of the table, for example gid,name,assignee.name')
        .argParser(commaSeparated)
        .conflicts('json'),
    )
  return command
}

/** Names separated by commas; for commander. */
export function commaSeparated(value: string): string[] {
  const names = value.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('Separate the names with commas.')
  return names
}

export function createOutput(
  options: OutputOptions,
  { stdout: screen, stderr }: Pick<Io, 'stdout' | 'stderr'>,
): Output {
  const forPeople =
    options.table === true || options.columns !== undefined || (options.json !== true && screen.isTTY === true)
  let table = options.columns && createTable(screen, options.columns)
  return {
    forPeople,
    rows(rows, columns) {
      table ??= createTable(screen, columns)
      if (forPeople) table.print(rows as readonly Row[])
      else printJson(screen, rows)
    },
    record(record) {
      if (!forPeople) printJson(screen, [record])
      else if (table === undefined) printRecord(screen, record as Row)
      else table.print([record as Row])
    },
    say(sentence) {
      if (forPeople) screen.write(`${sentence}\n`)
    },
    end() {
      const left = table?.left ?? []
      if (left.length > 0 && screen.isTTY === true)
        stderr.write(`${paintFor(stderr)('dim', notShown(left, screen.columns))}\n`)
    },
  }
}

/** One JSON document per line. */
export function printJson(screen: Screen, rows: readonly object[]): void {
  for (const row of rows) screen.write(`${safeJson(stringifyJson(row))}\n`)
}

/** How many fields did not fit, and the first of them. */
function notShown(left: readonly string[], columns = 80): string {
  const hint = '; --columns selects them, --json prints all'
  return (
    cut(`no room for ${left.length} fields: ${left.map(oneLine).join(', ')}`, Math.max(30, columns - hint.length)) +
    hint
  )
}
