/** The kinds from outside of Conex that a program names. */
import type { Connector } from '../catalog/connector.ts'
import type { ConnectorKind } from './kinds.ts'

/**
 * For programs to add to, so that names of their own kinds are typed as those of Conex are:
 * `declare module 'conex' { interface LoadedKinds { jira: typeof jira } }`. `Connector` in place of `typeof jira` types
 * loosely where the declaration is not at hand.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs merge their kinds into it
export interface LoadedKinds {}

/** The name of a kind: one of Conex, or one that the program has declared. */
export type KindName = ConnectorKind | (keyof LoadedKinds & string)

/** The declaration of a kind from outside, by its name. */
export type LoadedKind<K> = K extends keyof LoadedKinds ? Extract<LoadedKinds[K], Connector> : never
