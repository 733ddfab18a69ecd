/** Calls and people that tests and demonstrations look for: the first of their kind since the company's beginning. */
import type { Calls } from './calls.ts'
import { idOf } from './ids.ts'
import type { People } from './people.ts'
import { folders, scorecards, workspaces } from './setup.ts'

export function landmarksOf(calls: Calls, people: People) {
  const find = (fits: (call: ReturnType<Calls['facts']>) => boolean): string => {
    for (let index = calls.first(); ; index++) {
      const call = calls.facts(index)
      if (fits(call)) return call.id
    }
  }
  return {
    'meeting with video': find(({ kind, hasMedia }) => kind === 'meeting' && hasMedia),
    'call of half a minute': find(({ kind, hasMedia, duration }) => kind === 'meeting' && hasMedia && duration === 30),
    'call by telephone': find(({ kind, hasMedia }) => kind === 'telephone' && hasMedia),
    'imported call': find(({ kind }) => kind === 'imported'),
    'meeting without a recording': find(({ kind, hasMedia }) => kind === 'meeting' && !hasMedia),
    'private call': find(({ isPrivate }) => isPrivate),
    'reviewed call': find(({ index }) => index % 5 === 0),
    manager: idOf('user', people.managers[1] ?? 0),
    user: idOf('user', people.hosts[0] ?? 0),
    'sales workspace': workspaces[0].id,
    'success workspace': workspaces[1].id,
    scorecard: scorecards[0]!.id,
    'library folder': folders[1]!.id,
    'large library folder': folders[2]!.id,
    'empty library folder': folders[3]!.id,
  } as const
}
