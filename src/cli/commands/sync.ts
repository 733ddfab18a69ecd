/** `conex sync`: starts the sync of a connector's copy, shows its state, and waits for it. */
import type { Command } from 'commander'
import type { Conex } from '../../client/conex.ts'
import { type ErrorCode, errorKinds } from '../../errors.ts'
import type { EntitySync, SyncRecord } from '../../wire.ts'
import { codeOf, Ended } from '../exit-code.ts'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { commaSeparated, createOutput, type OutputOptions, withOutput } from '../output.ts'
import { seconds } from '../parse-number.ts'
import { createProgress } from '../terminal/progress.ts'
import { oneLine } from '../terminal/safe-text.ts'
import { paintFor } from '../terminal/screen.ts'

interface Options extends OutputOptions, ServiceOptions {
  readonly timeout?: number
}

interface StartOptions extends Options {
  readonly entities?: readonly string[]
  readonly full?: true
  readonly wait?: true
}

const columns = ['entity', 'status', 'records', 'complete', 'synced_at', 'next_due_at', 'last_error.detail']

export function addSyncCommand(program: Command, io: Io): void {
  const sync = program
    .command('sync')
    .description('start a sync, show its state, and wait for it')
    .addHelpText(
      'after',
      `
Examples:
  conex sync start 0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90 --wait
  conex sync state 0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90 --json | jq '.entities[] | select(.last_error)'`,
    )
  const hosted = (command: Command): Command => withService(withOutput(command.argument('<connector_id>')))

  hosted(
    sync
      .command('start')
      .description('start a sync now, or show the one that already runs or waits')
      .option('--entities <names>', 'only these, separated by commas', commaSeparated)
      .option('--full', 'read everything, even if reading changes would be enough')
      .option('--wait', 'wait for its end')
      .option('--timeout <seconds>', 'maximum time to wait', seconds),
  ).action((id: string, options: StartOptions) => start(id, options, io))

  hosted(sync.command('state').description('show the state of the copy, entity by entity')).action(
    async (id: string, options: Options) => {
      const service = await openService(options, io)
      print(await service.sync.state(id, { signal: io.interruption() }), options, io)
    },
  )

  hosted(
    sync
      .command('wait')
      .description('wait until no sync is running; the exit code reports the result')
      .option('--timeout <seconds>', 'maximum time to wait', seconds),
  ).action(async (id: string, options: Options) => waitFor(await openService(options, io), id, options, io))
}

async function start(id: string, options: StartOptions, io: Io): Promise<void> {
  const { entities, full } = options
  const service = await openService(options, io)
  const request = { ...(entities && { entities }), ...(full && { full }) }
  const run = await service.sync.start(id, request, { signal: io.interruption() })
  if (options.wait) await waitFor(service, id, options, io)
  else createOutput(options, io).record(run)
}

async function waitFor(service: Conex, id: string, options: StartOptions, io: Io): Promise<void> {
  const progress = createProgress(io)
  const began = Date.now()
  let last: SyncRecord
  try {
    last = await service.sync.wait(id, {
      signal: io.interruption(),
      every: 500,
      ...(options.timeout !== undefined && { timeout: options.timeout * 1000 }),
      onProgress(state) {
        const { done, total, words } = progressOf(state, options.entities, began)
        progress.show(done, total, words)
      },
    })
  } finally {
    progress.end()
  }
  print(last, options, io)
  const failed = last.entities.filter(({ status }) => status === 'failed')
  for (const { entity, last_error } of failed)
    io.stderr.write(
      `${paintFor(io.stderr)('red', last_error?.code ?? 'failed')} ${entity}: ${oneLine(last_error?.detail ?? '')}\n`,
    )
  const code = failed[0]?.last_error?.code
  if (failed.length > 0) throw new Ended(code !== undefined && code in errorKinds ? codeOf(code as ErrorCode) : 5)
}

function print(state: SyncRecord, options: OutputOptions, io: Io): void {
  const output = createOutput(options, io)
  if (!output.forPeople) {
    output.record(state)
    return
  }
  output.rows(state.entities, columns)
  const { run, enabled, entities, next_due_at } = state
  if (entities.length === 0) output.say('Conex keeps no copy of this connector type.')
  else if (!enabled) output.say('Conex keeps no copy; "conex connectors update --sync" switches it on.')
  else if (run !== null) output.say(`A sync is ${run.status}.`)
  else if (next_due_at !== null) output.say(`The next sync is due at ${next_due_at}.`)
}

/** Counts the completed entities, plus the completed parts of the current one. */
function progressOf(
  { run, entities }: SyncRecord,
  wanted: readonly string[] | undefined,
  began: number,
): { done: number; total: number; words: string } {
  const since = run?.started_at ?? new Date(began).toISOString()
  const synced = entities.filter(({ entity }) => wanted?.includes(entity) ?? true)
  const done = synced.reduce((sum, entity) => sum + shareOf(entity, since), 0)
  const running = synced.find(({ status }) => status === 'running')
  const read =
    running === undefined ? '' : `: ${running.entity}, ${(running.progress?.records ?? 0).toLocaleString('en')} records`
  return { done: run === null ? synced.length : done, total: synced.length, words: `${run?.status ?? 'done'}${read}` }
}

function shareOf({ status, progress, last_finished_at, last_error }: EntitySync, since: string): number {
  if (status === 'running') return progress?.parts ? progress.parts_done / progress.parts : 0
  const at = status === 'failed' ? last_error?.at : last_finished_at
  return at != null && at >= since ? 1 : 0
}
