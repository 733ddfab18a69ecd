/** Proposals for the word at the cursor, from the same commands and catalog that the program runs with. */
import type { Command, Option } from 'commander'
import { actionsOf, type Catalog, findConnector } from '../../catalog/catalog.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Entity } from '../../catalog/entity.ts'
import { searchParams } from '../../catalog/search-params.ts'

export interface Candidate {
  readonly text: string
  readonly description: string
}

/** The words after `conex`. The last one, which may be empty, is being typed. */
export function candidates(program: Command, catalog: Catalog, words: readonly string[]): Candidate[] {
  const joined = joinedPairs(words)
  const current = joined.at(-1) ?? ''
  const line = { ...readLine(program, joined.slice(0, -1)), catalog }
  return proposals(line, current).filter(({ text }) => text.startsWith(current) && text !== current)
}

/** Bash splits `name=value` into three words. */
function joinedPairs(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const [index, word] of words.entries())
    if (joined.length > 0 && (word === '=' || words[index - 1] === '=')) joined.push(joined.pop()! + word)
    else joined.push(word)
  return joined
}

interface Line {
  readonly command: Command
  readonly args: readonly string[]
  /** The option that the next value belongs to. */
  readonly option: Option | null
  readonly catalog: Catalog
}

function readLine(program: Command, words: readonly string[]): Omit<Line, 'catalog'> {
  let command = program
  let option: Option | null = null
  const args: string[] = []
  for (const word of words) {
    if (option !== null) option = null
    else if (word.startsWith('-'))
      option =
        command.options.find((one) => (one.long === word || one.short === word) && (one.required || one.optional)) ??
        null
    else {
      const inner = args.length === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (inner === undefined) args.push(word)
      else command = inner
    }
  }
  return { command, args, option }
}

function proposals({ command, args, option, catalog }: Line, current: string): Candidate[] {
  if (option !== null) return option.argChoices?.map(plain) ?? valuesOf(option, command, args, catalog)
  if (current.startsWith('-'))
    return command
      .createHelp()
      .visibleOptions(command)
      .map(({ long, short, description }) => ({ text: long ?? short!, description }))
  const argument = command.registeredArguments[args.length]
  return [
    ...(args.length === 0 ? command.createHelp().visibleCommands(command) : []).map((one) => ({
      text: one.name(),
      description: one.description(),
    })),
    ...(argument?.argChoices?.map(plain) ?? wordsOf(argument?.name(), args, command, catalog)),
  ]
}

const plain = (text: string): Candidate => ({ text, description: '' })

/** Words of the catalog, by the name of a command's argument. */
function wordsOf(name: string | undefined, args: readonly string[], command: Command, catalog: Catalog): Candidate[] {
  if (name === 'kind') return Object.values(catalog).map(({ kind, title }) => ({ text: kind, description: title }))
  const { connector, entity } = named(args, catalog)
  if (name === 'entity' && connector !== null)
    return Object.entries(connector.entities)
      .filter(([, one]) => command.name() !== 'search' || one.searchable !== undefined)
      .map(([text, { description }]) => ({ text, description }))
  if (name === 'action' && entity !== undefined)
    return actionsOf(entity).map((action) => ({
      text: action,
      description: action === 'search' ? 'Search the copy.' : entity[action]!.description,
    }))
  return []
}

/** Proposals for the arguments: a kind, then an entity, then an action. */
function named(args: readonly string[], catalog: Catalog): { connector: Connector | null; entity: Entity | undefined } {
  const connector = args[0] === undefined ? null : findConnector(catalog, args[0])
  const name = args[1] ?? ''
  const known = connector !== null && Object.hasOwn(connector.entities, name)
  return { connector, entity: known ? connector.entities[name] : undefined }
}

/** Options that take `name=value` propose names; options that take fields propose fields. */
function valuesOf(option: Option, command: Command, args: readonly string[], catalog: Catalog): Candidate[] {
  if (option.long === '--kind') return wordsOf('kind', args, command, catalog)
  const { connector, entity } = named(args, catalog)
  if (connector === null) return []
  if (option.long === '--credential') return credentialFields(connector)
  if (entity === undefined) return []
  const action = args[2] as 'list' | undefined
  if (option.long === '--param')
    return propertiesOf(action === undefined || entity[action] === undefined ? searchParams : entity[action].params)
  const fields = Object.entries(entity.searchable ?? {}).map(([text, type]) => ({ text, description: type }))
  if (option.flags.includes('<field=')) return fields.map(withSign)
  return option.flags.includes('<field') ? fields : []
}

const credentialFields = ({ authMethods }: Connector): Candidate[] => {
  const all = authMethods.flatMap(({ credentials }) => propertiesOf(credentials))
  return [...new Map(all.map((one) => [one.text, one])).values()]
}

const propertiesOf = (schema: object): Candidate[] =>
  Object.entries((schema as { properties: Record<string, { description?: string }> }).properties).map(
    ([text, { description = '' }]) => withSign({ text, description }),
  )

const withSign = ({ text, description }: Candidate): Candidate => ({ text: `${text}=`, description })
