/** The filters for the nodes of an edge, and for the ads that statistics cover: by status, and by `filtering`. */
import type { Params } from './params.ts'
import { invalidParameter, refuse } from './replies.ts'
import { effectiveStatus, statusesOf } from './statuses.ts'
import type { Node, NodeKind, World } from './world.ts'

export type Filter = (node: Node) => boolean

/** Without a requested status, Graph leaves out archived and deleted nodes. */
export function readFilter(kind: NodeKind, params: Params, world: World): Filter {
  // Graph has ignored filtering on videos since January 2023.
  const filters = kind === 'video' ? [] : conditions(kind, params, world)
  const asked = statuses(kind, params.json('effective_status'))
  if (asked !== undefined) filters.push((node) => asked.includes(effectiveStatus(world, node)))
  else if (hasStatus(kind) && !mentionsStatus(params)) {
    filters.push((node) => {
      const status = effectiveStatus(world, node)
      return status !== 'ARCHIVED' && status !== 'DELETED'
    })
  }
  return (node) => filters.every((filter) => filter(node))
}

/** The ads that statistics cover. */
export function readInsightsFilter(params: Params, world: World): Filter {
  const filters = conditions('ad', params, world)
  return (ad) => filters.every((filter) => filter(ad))
}

const hasStatus = (kind: NodeKind): kind is 'campaign' | 'adset' | 'ad' => Object.hasOwn(statusesOf, kind)

const mentionsStatus = (params: Params): boolean => params.get('filtering')?.includes('effective_status') ?? false

function statuses(kind: NodeKind, asked: unknown): readonly string[] | undefined {
  if (asked === undefined || !hasStatus(kind)) return undefined
  if (!Array.isArray(asked)) refuse(invalidParameter('Param effective_status must be an array.'))
  const known: readonly string[] = statusesOf[kind]
  const foreign = asked.find((status) => !known.includes(String(status)))
  if (foreign !== undefined)
    refuse(
      invalidParameter('Invalid parameter', {
        subcode: 1487561,
        userTitle: 'Invalid status',
        userMessage: `The status ${String(foreign)} is not one of ${known.join(', ')}.`,
      }),
    )
  return asked.map(String)
}

interface Condition {
  readonly field: string
  readonly operator: string
  readonly value: unknown
}

/** Levels above a node whose fields a filter can use too, each with the function that finds it. */
const levelsOf: Readonly<Record<string, Readonly<Record<string, (node: Node, world: World) => Node>>>> = {
  adset: { campaign: (node, world) => world.campaignOf(node) },
  ad: {
    adset: (node, world) => world.adsetOf(node),
    campaign: (node, world) => world.campaignOf(node),
  },
}

function conditions(kind: NodeKind, params: Params, world: World): Filter[] {
  const filtering = params.json('filtering')
  if (filtering === undefined) return []
  if (!Array.isArray(filtering)) refuse(invalidParameter('Param filtering must be an array.'))
  return (filtering as Condition[]).map(({ field, operator, value }) => {
    const [name, level = kind] = String(field).split('.').reverse() as [string, NodeKind?]
    const find = level === kind ? (node: Node) => node : levelsOf[kind]?.[level]
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (find === undefined || read === undefined)
      refuse(invalidParameter(`Filtering field ${String(field)} with operation ${String(operator)} is not supported`))
    const compare = Object.hasOwn(operators, String(operator)) ? operators[String(operator)] : undefined
    if (compare === undefined) refuse(invalidParameter(`Filtering operator ${String(operator)} is not supported`))
    if (name === 'effective_status') statuses(level, Array.isArray(value) ? value : [value])
    return (node) => compare(read(find(node, world), world), value)
  })
}

const readers: Readonly<Record<string, (node: Node, world: World) => string | number>> = {
  id: ({ id }) => id,
  effective_status: (node, world) => effectiveStatus(world, node),
  updated_time: (node, world) => Math.floor(world.updatedAt(node) / 1000),
  created_time: (node, world) => Math.floor(world.createdAt(node) / 1000),
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
