/** Runs one check, and says in words why it failed. */
import { AssertionError } from 'node:assert'
import { ConexError } from '../errors.ts'
import type { Check } from './check.ts'
import type { Subject } from './subject.ts'

export interface Failure {
  /** What is wrong, on one or several lines. */
  readonly reason: string
  /** A sentence that says where to look. */
  readonly mend: string
  /** The last request that reached the simulated system during the check, with its status; null if there was none. */
  readonly lastRequest: string | null
}

/** Null if it holds. */
export async function runCheck(check: Check, subject: Subject): Promise<Failure | null> {
  subject.calm()
  try {
    await check.run(subject)
  } catch (error) {
    return failed(check, subject, error)
  }
  return subject.defects().length === 0 ? null : failed(check, subject, new Error('the service had a defect'))
}

function failed({ mend }: Check, subject: Subject, error: unknown): Failure {
  const defect = subject.defects().toSorted((one, other) => other.length - one.length)[0]
  const last = subject.received().at(-1)
  return {
    reason: defect === undefined ? reasonOf(error) : `something threw: ${defect}`,
    mend,
    lastRequest:
      last === undefined
        ? null
        : `${last.method} ${last.path}${last.query === '' ? '' : `?${last.query}`} → ${last.status ?? 'no answer'}`,
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AssertionError) return error.message
  if (error instanceof ConexError) return `${error.code}: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
