/** Identifiers of 19 digits: neighbours differ only in their last digits, which a double cannot distinguish. */
import { numberedIds } from '../../../kit/simulator.ts'

export const { idOf, read } = numberedIds(
  {
    ...{ call: '7782', user: '6843', workspace: '6234', scorecard: '6813', question: '5391', revision: '5392' },
    ...{ answered: '8230', tracker: '3098', folder: '3721', comment: '4453', party: '1987', speaker: '6432' },
    outcome: '2109',
  },
  { base: 342_274_025_937_895, step: 1 },
)

/** The index behind an id; undefined if it is of another kind. */
export function indexOf(space: Parameters<typeof idOf>[0], id: string): number | undefined {
  const found = read(id)
  return found?.space === space ? found.index : undefined
}

/** The id of the system itself in the place of a user. */
export const systemUser = '-1'
