/** The few tools that reach everything. Others, such as one for SQL, get a file and a line here. */
import { describe } from './describe.ts'
import { execute } from './execute.ts'
import { getFile } from './get-file.ts'
import { listConnectors } from './list-connectors.ts'
import { search } from './search.ts'
import type { Tool } from './tool.ts'

export const generalTools: readonly Tool[] = [listConnectors, describe, execute, search, getFile]
