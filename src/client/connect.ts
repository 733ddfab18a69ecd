/** `connect` where both modes run: in Node and Bun. */
import { type Connect, connectWith } from './connect-with.ts'

export type { HostedOptions } from './connect-with.ts'
export type { LocalOptions } from './local-options.ts'

/** Local mode is loaded by the first call that needs it, so that importing this costs next to nothing. */
export const connect: Connect = connectWith(async (...local) => (await import('./local.ts')).localMode(...local))
