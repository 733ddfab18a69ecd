/** The few tools that reach everything. */
import { describe } from './describe.ts'
import { execute } from './execute.ts'
import { getFile } from './get-file.ts'
import { listConnectors } from './list-connectors.ts'
import { operationTools } from './operation-tools.ts'
import { search } from './search.ts'
import type { Source } from './source.ts'
import { sql } from './sql.ts'
import type { Tool } from './tool.ts'

export const generalTools: readonly Tool[] = [listConnectors, describe, execute, search, sql, getFile]

/** Those of them that need no synchronized copy. */
export const withoutCopies = generalTools.filter((tool) => tool !== search && tool !== sql)

/** The tools that a client asked for: one for each operation of the entities that it named, or the general ones. */
export async function toolsOf(source: Source, named: string | undefined, hasCopies = true): Promise<readonly Tool[]> {
  if (named === undefined) return hasCopies ? generalTools : withoutCopies
  return operationTools(
    source,
    named.split(',').map((name) => name.trim()),
  )
}
