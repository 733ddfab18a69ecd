/** Checks the declaration of an operation. */
import type { TSchema } from 'typebox'
import type { Issue } from '../errors.ts'
import { checkOf } from './check.ts'
import { operationShapes, pagingShapes } from './connector-shape.ts'
import type { ListOperation, Operation } from './operation.ts'
import type { Paging } from './paging.ts'
import { fault, inside, namesOf, ownValue, shapeFaults } from './shape-faults.ts'

type Fields = Readonly<Record<string, unknown>>

/** Every fault of an operation that should have this action. */
export function operationFaults(action: Operation['action'], operation: unknown, place: string): Issue[] {
  if ((operation as { action?: unknown }).action !== action) return [fault(place, `must be made with ${action}()`)]
  const faults = [
    ...fieldFaults((operation as Fields).params, inside(place, 'params')),
    ...(action === 'download' ? [] : fieldFaults((operation as Fields).record, inside(place, 'record'))),
  ]
  if (faults.length > 0) return faults
  const wrong = shapeFaults(operationShapes[action], operation, place)
  if (wrong.length > 0) return wrong
  const checked = operation as Operation
  return [
    ...(checked.action === 'list' ? pagingFaults(checked, inside(place, 'paging')) : []),
    ...schemaFaults(checked.params, inside(place, 'params'), `${action}()`),
    ...('record' in checked ? schemaFaults(checked.record, inside(place, 'record'), `${action}()`) : []),
    ...pathFaults(checked, place),
    ...sendFaults(checked, inside(place, 'send')),
  ]
}

/** A list of fields whose values are no fields, as when a type is written as a text. */
function fieldFaults(schema: unknown, place: string): Issue[] {
  const { properties } = (schema ?? {}) as { readonly properties?: unknown }
  if (!isObject(properties)) return [fault(place, 'must be an object with fields')]
  return Object.entries(properties)
    .filter(([, field]) => !isField(field))
    .map(([name]) => fault(inside(place, name), 'is not a field; write text(), id(), integer() or another of the kit'))
}

const isField = (field: unknown): boolean =>
  isObject(field) && ['type', 'anyOf', 'const', 'enum'].some((keyword) => Object.hasOwn(field, keyword))

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema that cannot be compiled, for example because a pattern is no regular expression. */
export function schemaFaults(schema: unknown, place: string, maker: string): Issue[] {
  if (!isObject((schema as Fields).properties)) return [fault(place, `must be made with ${maker}`)]
  try {
    checkOf(schema as TSchema, '')({})
    return []
  } catch (error) {
    return [fault(place, `cannot be used as a schema (${(error as Error).message})`)]
  }
}

function pathFaults({ path, params, prepare }: Operation, place: string): Issue[] {
  const at = inside(place, 'path')
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)
  if (/[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, ''))) return [fault(at, 'has a brace that belongs to no {param}')]
  const { properties, required = [] } = params as unknown as { properties: Fields; required?: readonly string[] }
  return names.flatMap((name) => {
    if (!Object.hasOwn(properties, name))
      return [fault(at, `needs the param "${name}", which nobody gives; declare it in params`)]
    return required.includes(name) || prepare !== undefined
      ? []
      : [fault(at, `needs the param "${name}", which callers may leave out; make it required`)]
  })
}

function sendFaults({ send = {}, params, method = 'GET', ...operation }: Operation, place: string): Issue[] {
  const walked = operation.action === 'list' && operation.paging.style === 'walk' ? [operation.paging.cursor] : []
  const known = [...Object.keys(params.properties), ...walked]
  return Object.entries(send).flatMap(([name, to]) => {
    if (!known.includes(name)) return [fault(inside(place, name), 'is no param of this operation')]
    if (!['query', 'body', 'form', 'nowhere'].includes(to?.in))
      return [fault(inside(place, name), 'must be query(), body(), form() or nowhere')]
    return (to.in === 'body' || to.in === 'form') && method === 'GET'
      ? [fault(inside(place, name), 'goes to a body, which a GET does not have; declare method: "POST"')]
      : []
  })
}

function pagingFaults({ paging, params }: ListOperation, place: string): Issue[] {
  const shape = ownValue(pagingShapes, paging.style)
  if (shape === undefined) return [fault(inside(place, 'style'), `must be one of ${namesOf(pagingShapes)}`)]
  const faults = shapeFaults(shape, paging, place)
  if (faults.length > 0) return faults
  return pagingParams(paging)
    .filter(([, param]) => !Object.hasOwn(params.properties, param))
    .map(([field, param]) =>
      fault(inside(place, field), `names the param "${param}", which nobody declares; add it to the paging's params`),
    )
}

/** The params that a style of paging names, by the field that names them. */
function pagingParams(paging: Paging): [field: string, param: string][] {
  switch (paging.style) {
    case 'cursor':
      return [
        ['cursor', paging.cursor],
        ...(paging.limit ? [['limit.param', paging.limit.param] as [string, string]] : []),
      ]
    case 'whole':
    case 'time':
      return [
        ['limit', paging.limit],
        ['offset', paging.offset],
      ]
    default:
      return []
  }
}
