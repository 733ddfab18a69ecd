/** For the engine's tests: an engine in front of a scripted system, ended after the tests, and the errors of its calls. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { authMethod } from '../catalog/authorization.ts'
import { text } from '../catalog/fields.ts'
import { ConexError, type ErrorCode } from '../errors.ts'
import { createEngine } from './engine.ts'
import { patientClock, type Script, startScriptedSystem } from './scripted-system.suite.ts'
import type { EngineSettings } from './settings.ts'

/** The method of a system that takes a token of one's own. */
export const tokenMethod = authMethod({
  name: 'token',
  title: 'Token',
  credentials: { token: text() },
  authorization: { style: 'bearer', token: 'token' },
})

const closings: (() => Promise<void>)[] = []
after(closeAll)

/** Ends what the tests of a file have left; called behind each file where several run in one process. */
export async function closeAll(): Promise<void> {
  for (const close of closings.splice(0)) await close()
}

/** Has something closed when the tests of the file are over. */
export const closeAfterTests = (close: () => Promise<void>): void => void closings.push(close)

/** A system that follows the script, and an engine that may ask it, whose waits take no time. */
export async function scriptedEngine(script: Script, settings: Partial<EngineSettings> = {}) {
  const system = await startScriptedSystem(script)
  const clock = patientClock()
  const engine = createEngine({ allowPrivateNetwork: true, clock, random: () => 0.5, ...settings })
  closeAfterTests(engine.close)
  closeAfterTests(system.close)
  return { system, clock, engine }
}

/** The ConexError that a promise ends with, of that code where one is given. */
export async function refusal(promise: Promise<unknown>, code?: ErrorCode): Promise<ConexError> {
  const error = await promise.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ConexError, String(error))
  if (code !== undefined) assert.equal(error.code, code, error.message)
  return error
}
