/** Judges that what was refused did not reach the system. */
import assert from 'node:assert/strict'
import type { Subject } from './subject.ts'

export const nothingSent = (subject: Subject): void =>
  assert.equal(subject.received().length, 0, 'something was sent to the system')
