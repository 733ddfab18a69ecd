/** The filters for the nodes of an edge, and for the ads that statistics cover: by status, and by `filtering`. */
import { param } from '../../../kit/simulator.ts'
import { invalidParameter, refuse } from './replies.ts'
import { isLevel, type Level, type Node, type NodeKind, statuses } from './world.ts'

export type Filter = (node: Node) => boolean

/** A list, which is JSON text in a query or a form. */
export const jsonList = () =>
  param.custom((given) => {
    const list = readJson(given)
    return Array.isArray(list) ? (list as readonly unknown[]) : undefined
  })

/** Undefined for text that is no JSON. */
export function readJson(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

export const filterParams = { filtering: jsonList(), effective_status: jsonList() }

interface Asked {
  readonly filtering?: readonly unknown[] | undefined
  readonly effective_status?: readonly unknown[] | undefined
}

/** Without a requested status, Graph leaves out archived and deleted nodes. */
export function edgeFilter(kind: NodeKind, { filtering = [], effective_status: asked }: Asked): Filter {
  // Graph has ignored filtering on videos since January 2023.
  const conditions = kind === 'video' ? [] : filtering.map((one) => readCondition(kind, one as Condition))
  const filters: Filter[] = conditions.map(({ filter }) => filter)
  if (isLevel(kind)) {
    if (asked !== undefined) {
      const known = knownStatuses(kind, asked)
      filters.push(({ status }) => known.includes(status))
    } else if (!conditions.some(({ name }) => name === 'effective_status'))
      filters.push(({ status }) => status !== 'ARCHIVED' && status !== 'DELETED')
  }
  return (node) => filters.every((filter) => filter(node))
}

/** The ads that statistics cover. */
export function insightsFilter({ filtering = [] }: Asked): Filter {
  const conditions = filtering.map((one) => readCondition('ad', one as Condition))
  return (ad) => conditions.every(({ filter }) => filter(ad))
}

function knownStatuses(kind: Level, asked: readonly unknown[]): readonly string[] {
  const known = statuses[kind]
  const foreign = asked.find((status) => !known.includes(String(status)))
  if (foreign === undefined) return asked.map(String)
  const userMessage = `The status ${String(foreign)} is not one of ${known.join(', ')}.`
  return refuse(invalidParameter('Invalid parameter', { subcode: 1487561, userTitle: 'Invalid status', userMessage }))
}

interface Condition {
  readonly field: string
  readonly operator: string
  readonly value: unknown
}

/** From the highest down. */
const levels: readonly string[] = ['campaign', 'adset', 'ad']

/** A condition may also be about a level above a node. */
function readCondition(kind: NodeKind, condition: Condition | null): { name: string; filter: Filter } {
  const { field, operator, value } = condition ?? { field: '', operator: '', value: null }
  const [name = '', level = kind] = String(field).split('.').reverse() as [string?, NodeKind?]
  const isReachable = level === kind || (levels.includes(level) && levels.indexOf(level) < levels.indexOf(kind))
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined
  if (!isReachable || read === undefined)
    refuse(invalidParameter(`Filtering field ${String(field)} with operation ${String(operator)} is not supported`))
  const compare = Object.hasOwn(operators, String(operator)) ? operators[String(operator)] : undefined
  if (compare === undefined) refuse(invalidParameter(`Filtering operator ${String(operator)} is not supported`))
  if (name === 'effective_status' && isLevel(level)) knownStatuses(level, Array.isArray(value) ? value : [value])
  return { name, filter: (node) => compare(read(node.above(level)!), value) }
}

const readers: Readonly<Record<string, (node: Node) => string | number>> = {
  id: ({ id }) => id,
  effective_status: ({ status }) => status,
  updated_time: ({ updatedAt }) => Math.floor(updatedAt / 1000),
  created_time: ({ createdAt }) => Math.floor(createdAt / 1000),
}

const operators: Readonly<Record<string, (found: string | number, wanted: unknown) => boolean>> = {
  EQUAL: (found, wanted) => String(found) === String(wanted),
  NOT_EQUAL: (found, wanted) => String(found) !== String(wanted),
  IN: (found, wanted) => Array.isArray(wanted) && wanted.map(String).includes(String(found)),
  NOT_IN: (found, wanted) => Array.isArray(wanted) && !wanted.map(String).includes(String(found)),
  GREATER_THAN: (found, wanted) => Number(found) > Number(wanted),
  GREATER_THAN_OR_EQUAL: (found, wanted) => Number(found) >= Number(wanted),
  LESS_THAN: (found, wanted) => Number(found) < Number(wanted),
  LESS_THAN_OR_EQUAL: (found, wanted) => Number(found) <= Number(wanted),
}
