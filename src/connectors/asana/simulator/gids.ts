/** Gids: each kind of record has a prefix of its own, and all of them lie above 2^53. */
import { numberedIds } from '../../../kit/simulator.ts'

export const {
  idOf: gidOf,
  read: readGid,
  indexOf,
} = numberedIds(
  {
    ...{ workspace: '9', user: '12', tag: '13', team: '120', enumOption: '1203', customField: '1204' },
    ...{ project: '1205', section: '1206', brief: '1207', status: '1208', task: '1209' },
    ...{ subtask: '1211', statusUpdate: '1212', file: '1214', like: '1215' },
  },
  { base: 100_000_000_000_000, step: 97_000_000 },
)

export type Space = Parameters<typeof gidOf>[0]

/** Indices from here on belong to records that are created while the simulator runs. */
export const firstMadeIndex = 8_300_000
