import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesFrom } from './changes.ts'
import { setting, settingsChange } from './settings.ts'

describe('settings of a simulated system', () => {
  const limits: { calls: number | null; quiet: boolean; without: readonly string[] } = {
    calls: 3,
    quiet: false,
    without: [],
  }
  const { change, changes } = changesFrom({
    settings: settingsChange(
      {
        calls_per_day: setting(limits, 'calls', { orNull: true }),
        quiet: setting(limits, 'quiet'),
        without: setting(limits, 'without'),
      },
      'Null lifts the limit.',
    ),
  })
  const set = (given: object) => change({ change: 'settings', ...given })

  it('are set by their names, and all of them are told', () => {
    assert.deepEqual(set({ quiet: true, without: ['b'] }), { calls_per_day: 3, quiet: true, without: ['b'] })
    assert.deepEqual(limits, { calls: 3, quiet: true, without: ['b'] })
    assert.equal(set({ calls_per_day: null }).calls_per_day, null)
    assert.equal(set({ calls_per_day: 7 }).calls_per_day, 7)
    assert.equal(changes[0]!.does, 'Sets calls_per_day, quiet, without. Null lifts the limit.')
    assert.deepEqual(changes[0]!.example, { change: 'settings', calls_per_day: 3, quiet: false, without: [] })
  })

  it('take values of their own type alone, and change together or not at all', () => {
    const before = structuredClone(limits)
    for (const [name, value] of [
      ['quiet', null],
      ['quiet', 'true'],
      ['calls_per_day', '3'],
      ['calls_per_day', []],
      ['without', 'b'],
      ['without', [1]],
    ] as const)
      assert.throws(() => set({ quiet: false, [name]: value }), new RegExp(`The setting "${name}" cannot be`))
    assert.throws(() => set({ quiet: false, nope: 1 }), /no setting "nope"; there are calls_per_day, quiet, without\./)
    assert.throws(() => set({ constructor: 1 }), /no setting "constructor"/)
    assert.deepEqual(limits, before)
  })
})
