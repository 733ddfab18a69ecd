/** A hosted connector of a system whose every answer a test writes down. */
import type { TestContext } from 'node:test'
import { answerJson, startScriptedSystem } from '../../src/engine/scripted-system.suite.ts'
import { type HostedOptions, startHosted } from '../hosted.ts'
import { type CopiedKind, type Synced, syncedOn } from './synced.ts'

export interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

/** An answer with its status, or the body of a good one. */
export type Answering = (asked: Asked) => { readonly status: number; readonly body: unknown } | object

export interface ScriptedCopy {
  readonly on: Synced
  /** What was asked for since the last look. */
  asked(): readonly Asked[]
}

export async function startScripted(
  t: TestContext,
  kind: CopiedKind,
  answer: Answering,
  options: HostedOptions = {},
): Promise<ScriptedCopy> {
  let requests: Asked[] = []
  const system = await startScriptedSystem((_turn, { url, body }, response) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://system.example')
    requests.push({ path, query, body })
    const given = answer({ path, query, body })
    if ('status' in given) answerJson(response, (given as { body: unknown }).body, Number(given.status))
    else answerJson(response, given)
  })
  t.after(() => system.close())
  const hosted = await startHosted({
    ...options,
    settings: { ...options.settings, baseUrls: { [kind]: system.origin } },
    simulators: { scale: 1 },
  })
  t.after(() => hosted.close())
  const credentials = hosted.systems.describe()[kind]!.credentials[0]!
  const id = await hosted.connect(credentials, hosted.ann, kind)
  return {
    on: syncedOn(hosted, kind, id),
    asked() {
      const since = requests
      requests = []
      return since
    },
  }
}
