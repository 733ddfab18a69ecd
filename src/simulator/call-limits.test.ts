import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inFlight, perMinute } from './call-limits.ts'
import { createClock } from './clock.ts'

test('a minute lets so many calls through and says when to come back', () => {
  const clock = createClock(() => 1_000_000)
  const minute = perMinute(clock)
  for (let i = 0; i < 3; i++) assert.equal(minute.take('a', 3), null)
  assert.equal(minute.take('a', 3), 60)
  assert.equal(minute.take('b', 3), null)
})

test('a caller who comes back too early stays out longer, because refused calls count', () => {
  const clock = createClock(() => 0)
  const minute = perMinute(clock)
  assert.equal(minute.take('a', 1), null)
  clock.advance(30_000)
  assert.equal(minute.take('a', 1), 60)
  clock.advance(30_000)
  assert.equal(minute.take('a', 1), 60)
})

test('waiting as long as told is enough', () => {
  const clock = createClock(() => 0)
  const minute = perMinute(clock)
  minute.take('a', 2)
  clock.advance(10_000)
  minute.take('a', 2)
  clock.advance(5_000)
  const wait = minute.take('a', 2)
  assert.equal(wait, 55)
  clock.advance(55_000)
  assert.equal(minute.take('a', 2), null)
})

test('calls under way are counted until they end', () => {
  const flights = inFlight()
  const leave = flights.enter('a', 1)
  assert.equal(flights.enter('a', 1), null)
  leave?.()
  assert.notEqual(flights.enter('a', 1), null)
})
