/** What answers are made from. */
import type { Ask as AskOf } from '../../../kit/simulator.ts'
import type { Events } from './events.ts'
import type { User } from './records.ts'
import type { World } from './world.ts'

export interface Caller {
  readonly person: User
  /** Whether an application acts for the person. */
  readonly oauth: boolean
}

export interface System extends World {
  readonly baseUrl: string
  readonly filesOrigin: string
  readonly events: Events
}

export type Ask<Args = Readonly<Record<string, unknown>>> = AskOf<System, Caller, Args>

/** Everything besides the record that an answer may depend on. */
export type View = Pick<Ask, 'world' | 'caller' | 'now'>
