/** `conex connector test`: runs the conformance suite on a connector, against its simulated system. */
import type { Command } from 'commander'
import type { Check } from '../../conformance/check.ts'
import type { Failure } from '../../conformance/run-check.ts'
import { ConexError } from '../../errors.ts'
import { Ended } from '../exit-code.ts'
import { findOwnKind, type OwnKind } from '../find-own-kind.ts'
import type { CommandIo } from '../kinds.ts'
import { printJson } from '../output.ts'
import { manyLines } from '../terminal/safe-text.ts'
import { paintFor } from '../terminal/screen.ts'

interface Options {
  readonly only?: string
  readonly json?: true
}

export function addConnectorTestCommand(connector: Command, io: CommandIo): void {
  connector
    .command('test')
    .description('run everything that must hold for a connector, against its simulated system')
    .argument('[kind]', 'its name, or its folder; all connectors from outside of Conex if left out')
    .option('--only <text>', 'only the checks with this text in their names')
    .option('--json', 'print one JSON document for each check')
    .addHelpText(
      'after',
      `
A service and the simulated system run in this process, and nothing else is reached. Each operation is called hosted and
local: records as declared, pages, limits, chosen fields, wrong params, rules, failures of the system, copies and search.
The command needs conex-server. It exits with 1 if a check fails, and says what to mend. The same checks run as tests:

  import { conformance } from 'conex/kit/conformance'
  conformance(connector, simulator)

Examples:
  conex connector test
  conex connector test library
  conex connector test ./connectors/library --only "books list"`,
    )
    .action((name: string | undefined, options: Options) => test(name, options, io))
}

async function test(name: string | undefined, options: Options, io: CommandIo): Promise<void> {
  const kinds = name === undefined ? io.kinds.outside : [await findOwnKind(name, io)]
  if (kinds.length === 0)
    throw new ConexError(
      'invalid_request',
      'There is no connector from outside of Conex here; name one, for example ./connectors/library, or list it in conex.config.ts.',
    )
  let failed = 0
  for (const kind of kinds) failed += await testKind(kind, options, io)
  if (failed > 0) throw new Ended(1)
}

/** Returns how many checks failed. */
async function testKind(kind: OwnKind, { only, json }: Options, io: CommandIo): Promise<number> {
  const { connector } = kind
  const simulator = await kind.simulator()
  if (simulator === null) throw withoutSimulator(kind)
  // They run a server, and other commands start without it.
  const [{ checksOf }, { runCheck }, { startSubject }] = await Promise.all([
    import('../../conformance/checks.ts'),
    import('../../conformance/run-check.ts'),
    import('../../conformance/subject.ts'),
  ])
  const checks = checksOf(connector).filter((check) => only === undefined || check.name.includes(only))
  if (checks.length === 0)
    throw new ConexError('invalid_request', `No check of ${connector.kind} has ${JSON.stringify(only)} in its name.`)
  const signal = io.interruption()
  const printer = json ? jsonPrinter(connector.kind, io) : textPrinter(connector.kind, io)
  const startedAt = performance.now()
  const subject = await startSubject(connector, simulator)
  let failures = 0
  try {
    printer.begin(checks.length)
    for (const check of checks) {
      signal.throwIfAborted()
      const at = performance.now()
      const failure = await runCheck(check, subject)
      if (failure !== null) failures++
      printer.checked(check, failure, performance.now() - at)
    }
  } finally {
    await subject.close()
  }
  printer.end(checks.length, failures, performance.now() - startedAt)
  return failures
}

const withoutSimulator = ({ connector: { kind }, from }: OwnKind): ConexError => {
  const folder = from === null || !from.includes('/') ? from : from.replace(/\/[^/]*$/, '')
  const place = from !== null && /^[./]/.test(from) ? `${folder}/simulator/simulator.ts` : `${from}/simulator`
  return new ConexError(
    'invalid_request',
    `${kind} has no simulated system to test it against; add ${place}, as "conex connector new" writes it.`,
  )
}

interface Printer {
  begin(checks: number): void
  checked(check: Check, failure: Failure | null, milliseconds: number): void
  end(checks: number, failures: number, milliseconds: number): void
}

const jsonPrinter = (kind: string, { stdout }: CommandIo): Printer => ({
  begin() {},
  checked({ name }, failure, milliseconds) {
    const { reason, mend, lastRequest } = failure ?? {}
    const told = failure && { reason, mend, last_request: lastRequest }
    printJson(stdout, [{ connector: kind, check: name, ok: failure === null, ms: Math.round(milliseconds), ...told }])
  },
  end() {},
})

/** The lines of a failure that are shown; a difference between two large answers has thousands. */
const mostLines = 40

function textPrinter(kind: string, { stdout }: CommandIo): Printer {
  const paint = paintFor(stdout)
  const say = (line: string): void => void stdout.write(`${line}\n`)
  return {
    begin: (checks) => say(`${kind}: ${checks} checks against its simulated system`),
    checked({ name }, failure, milliseconds) {
      const time = milliseconds < 1000 ? '' : paint('dim', ` ${inSeconds(milliseconds)}`)
      say(`${failure === null ? paint('green', '✓') : paint('red', '✗')} ${manyLines(name)}${time}`)
      if (failure === null) return
      const lines = manyLines(failure.reason).split('\n')
      for (const line of lines.slice(0, mostLines)) say(`    ${line}`)
      if (lines.length > mostLines) say(`    … ${lines.length - mostLines} more lines`)
      if (failure.lastRequest !== null) say(`    last request: ${manyLines(failure.lastRequest)}`)
      say(`    ${paint('yellow', 'to mend:')} ${failure.mend}`)
    },
    end(checks, failures, milliseconds) {
      const passed = `${checks - failures} of ${checks} checks passed in ${inSeconds(milliseconds)}`
      say(failures === 0 ? paint('green', passed) : paint('red', `${passed}; ${failures} failed`))
    },
  }
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
