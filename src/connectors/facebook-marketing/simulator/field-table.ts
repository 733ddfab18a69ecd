/** How the fields of a node type are declared: a function for each, and references to other nodes. */
import { pick } from '../../../kit/simulator.ts'
import type { Account } from './accounts.ts'
import type { Node, World } from './world.ts'

/** Returns a field's value; undefined leaves it out, as Graph does with empty ones. */
export type FieldTable<T> = Readonly<Record<string, (node: T, world: World) => unknown>>

/** Another node in a field: its id, or the fields selected inside. */
export class Reference {
  readonly to: Node | Account
  constructor(to: Node | Account) {
    this.to = to
  }
}

/** Other nodes in a field, as a page. */
export class Connection {
  readonly nodes: (limit: number) => readonly Node[]
  constructor(nodes: (limit: number) => readonly Node[]) {
    this.nodes = nodes
  }
}

/** Known to Graph, empty here. */
export const empty = (): undefined => undefined

/** One of the values, drawn for a purpose and a node. */
export const drawn = <T>(world: World, purpose: string, node: Node, values: readonly T[]): T =>
  pick(values, world.draw(purpose, node))

/** True for about one node in this many. */
export const oneIn = (world: World, purpose: string, node: Node, many: number): boolean =>
  world.draw(purpose, node) % many === 0
