/** `conex search`: searches the copy that a hosted service keeps. */
import { type Command, InvalidArgumentError } from 'commander'
import { findAction } from '../../catalog/catalog.ts'
import type { FieldType } from '../../catalog/entity.ts'
import { valueOperators } from '../../catalog/search-operators.ts'
import { findKind } from '../find-kind.ts'
import type { Io } from '../io.ts'
import type { CommandIo } from '../kinds.ts'
import { type HostedOptions, openHosted, pagesOf, type TimeOptions, withHosted } from '../open-system.ts'
import { commaSeparated, type OutputOptions, withOutput } from '../output.ts'
import { seconds, wholeNumber } from '../parse-number.ts'
import { printAnswer, printAnswers } from '../print-answers.ts'
import { readObjectOption } from '../read-option-value.ts'
import { collect, readPairs, typedValues } from '../read-pairs.ts'

/** On the command line, contains alone looks for elements of lists. */
const { array_contains: _, ...operators } = valueOperators

type Operator = keyof typeof operators

interface Options extends OutputOptions, HostedOptions, TimeOptions, Partial<Record<Operator, readonly string[]>> {
  readonly in?: readonly string[]
  readonly filter?: string
  readonly sort?: readonly object[]
  readonly fields?: readonly string[]
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
}

export function addSearchCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('search')
    .description('find records in the copy that a hosted service keeps')
    .argument('<kind>', 'the connector type, for example asana')
    .argument('<entity>', 'for example tasks')
  for (const [operator, meaning] of Object.entries(operators))
    command.option(`--${operator} <field=value>`, meaning, collect)
  command
    .option('--in <field=values>', 'the field has one of these values, separated by commas', collect)
    .option('--filter <json>', 'any condition as JSON; "-" reads standard input, "@file" a file')
    .option('--sort <fields>', 'for example due_on,name:desc; by default the best hits come first', sortOrder)
    .option('--fields <fields>', 'only these fields, separated by commas', commaSeparated)
    .option('--limit <count>', 'maximum number of hits per page; 1000 by default', wholeNumber)
    .option('--cursor <cursor>', 'continue after a previous page')
    .option('--all', 'read all pages')
    .option('--timeout <seconds>', 'time limit of each call; 90 by default', seconds)
  withHosted(withOutput(command, 'with columns'))
    .addHelpText(
      'after',
      `
A hit meets all conditions. "conex catalog <kind> <entity>" lists the fields.

Examples:
  conex search asana tasks --keyword name=launch --user ann
  conex search asana tasks --eq completed=false --lt due_on=2026-01-01 --sort due_on --user ann
  conex search gong calls_extensive --filter @pricing.json --all --json --connector 0198c5d2-…`,
    )
    .action((kind: string, entity: string, options: Options) => search(kind, entity, options, io))
}

/** Converts `due_on,name:desc` to the sort of a query. */
function sortOrder(value: string): object[] {
  return commaSeparated(value).map((part) => {
    const [, field, direction = 'asc'] = /^([^:]+)(?::(asc|desc))?$/.exec(part) ?? []
    if (field === undefined)
      throw new InvalidArgumentError('Separate fields with commas; add :desc to a field to reverse its order.')
    return { [field]: direction }
  })
}

async function search(kind: string, entity: string, options: Options, io: CommandIo): Promise<void> {
  const connector = findKind(io.kinds.catalog, kind)
  findAction(connector, entity, 'search')
  const { sort, fields, limit, cursor } = options
  const filter = await filterOf(options, io, connector.entities[entity]!.searchable ?? {})
  const params = {
    query: { ...(filter && { filter }), ...(sort && { sort }) },
    ...(fields && { fields }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
  const signal = io.interruption()
  const system = await openHosted(connector, options, io)
  if (options.all) await printAnswers(pagesOf(system, entity, 'search')(params, { signal }), options, io)
  else printAnswer(await system.execute(entity, 'search', params, { signal }), options, io)
}

/** Combines all conditions; a hit meets every one. */
async function filterOf(options: Options, io: Io, types: Readonly<Record<string, FieldType>>): Promise<object | null> {
  const conditions: Record<string, object> = {}
  for (const operator of Object.keys(operators) as Operator[]) {
    const pairs = options[operator]
    if (pairs !== undefined) conditions[operator] = typedValues(types, readPairs(`--${operator}`, pairs))
  }
  if (options.in !== undefined)
    conditions.in = Object.fromEntries(
      Object.entries(readPairs('--in', options.in)).map(([field, values]) => [
        field,
        values.split(',').map((value) => typedValues(types, { [field]: value })[field]),
      ]),
    )
  const asked = Object.keys(conditions).length > 0 ? [conditions] : []
  const all = options.filter === undefined ? asked : [await readObjectOption('--filter', options.filter, io), ...asked]
  return all.length > 1 ? { and: all } : (all[0] ?? null)
}
