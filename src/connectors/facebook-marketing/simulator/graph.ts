/** What the simulated Graph holds, and the functions that declare its routes. */
import { type Ask, routesOver } from '../../../kit/simulator.ts'
import type { ReportRuns } from './report-runs.ts'
import type { World } from './world.ts'

export interface Settings {
  /** The maximum of records times fields in one answer. */
  weight: number
  /** Pages contain only half of the requested number. */
  shortPages: boolean
}

export interface Graph extends World {
  readonly origin: string
  readonly runs: ReportRuns
  readonly settings: Settings
}

export interface Caller {
  readonly scopes: readonly string[]
  /** The headers that tell how much of the quota is used. */
  readonly usage: Readonly<Record<string, string>>
}

export const { route, list } = routesOver<Graph, Caller>()

export type AnyAsk = Ask<Graph, Caller>
