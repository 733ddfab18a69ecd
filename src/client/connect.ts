/** `connect` for Node and Bun, where both modes work. */
import { type Connect, connectWith } from './connect-with.ts'

export type { HostedOptions } from './connect-with.ts'
export type { LocalOptions } from './local-options.ts'

/** The first call that needs local mode loads it, so that the import stays cheap. */
export const connect: Connect = connectWith(async (...local) => (await import('./local.ts')).localMode(...local))
