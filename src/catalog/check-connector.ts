/** Checks the declaration of a connector that comes from outside: every fault with its place, in words for its author. */
import type { Issue } from '../errors.ts'
import { actionNames } from './catalog.ts'
import { checkParams } from './check.ts'
import { operationFaults, schemaFaults } from './check-operation.ts'
import type { Connector } from './connector.ts'
import { authMethodShape, authorizationShapes, connectorShape, entityShape, streamShape } from './connector-shape.ts'
import type { Entity, FieldType } from './entity.ts'
import { fault, inside, namesOf, ownValue, shapeFaults } from './shape-faults.ts'
import type { Stream } from './stream.ts'

/** Names that the client of a system, or every object, has for something else. */
const takenNames = [
  'mode',
  'execute',
  'pages',
  'download',
  'request',
  'check',
  'describe',
  'close',
  'constructor',
  'then',
]

/** Kind and entity together name tools for language models, which take no more than 64 characters. */
const longestNames = 54

const fieldTypes: readonly FieldType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array']

/** Every fault, with its place, for example `entities.tasks.list.paging.cursor`; an empty list if there is none. */
export function connectorFaults(declared: unknown): Issue[] {
  const faults = shapeFaults(connectorShape, declared, '')
  if (faults.length > 0) return faults
  const connector = declared as Connector
  const found = [
    ...addressFaults(connector),
    ...authMethodsFaults(connector),
    ...(connector.replicationConfig === null
      ? []
      : schemaFaults(connector.replicationConfig, 'replicationConfig', 'objectOf()')),
    ...nameFaults(connector),
    ...Object.entries(connector.entities).flatMap(([name, entity]) => entityFaults(connector, name, entity)),
  ]
  return found.length > 0 ? found : checkFaults(connector)
}

function addressFaults({ baseUrl }: Connector): Issue[] {
  const url = URL.parse(baseUrl)
  const fits = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === ''
  return fits ? [] : [fault('baseUrl', 'must be the address of the system, as https://api.example.com/v1')]
}

const authMethodsFaults = ({ authMethods }: Connector): Issue[] => [
  ...authMethods.flatMap((method, index) => authFaults(method, `authMethods.${index}`)),
  ...twice(
    authMethods.map(({ name }) => name),
    'authMethods',
    'the auth method',
  ),
]

function authFaults(method: unknown, place: string): Issue[] {
  const faults = shapeFaults(authMethodShape, method, place)
  if (faults.length > 0) return faults
  const { credentials, authorization } = method as Connector['authMethods'][number]
  const at = inside(place, 'authorization')
  const { style } = (authorization ?? {}) as { style?: unknown }
  const shape = ownValue(authorizationShapes, style)
  if (shape === undefined) return [fault(inside(at, 'style'), `must be one of ${namesOf(authorizationShapes)}`)]
  const wrong = [
    ...shapeFaults(shape, authorization, at),
    ...schemaFaults(credentials, inside(place, 'credentials'), 'authMethod()'),
  ]
  if (wrong.length > 0) return wrong
  const named = authorization as unknown as Readonly<Record<string, string>>
  return ['token', 'user', 'password']
    .filter((part) => typeof named[part] === 'string' && !Object.hasOwn(credentials.properties, named[part]))
    .map((part) =>
      fault(inside(at, part), `names the credential field "${named[part]}", which the credentials do not have`),
    )
}

/** Names that callers, tools and tables could not tell apart, or that mean something else already. */
function nameFaults({ kind, entities }: Connector): Issue[] {
  const names = Object.keys(entities)
  const wrong = names.flatMap((name) => {
    const place = `entities.${name}`
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      return [fault(place, 'must have a name of small letters, digits and "_", for example project_tasks')]
    if (takenNames.includes(name)) return [fault(place, 'needs another name: clients use this one for something else')]
    if (kind.length + name.length > longestNames)
      return [fault(place, `must have a shorter name: kind and entity together take ${longestNames} characters`)]
    return []
  })
  return [...wrong, ...twice(names, 'entities', 'the entity')]
}

/** A fault for each name that another one equals, but for capitals, `_` and `-`. */
function twice(names: readonly string[], place: string, what: string): Issue[] {
  const seen = new Map<string, string>()
  return names.flatMap((name) => {
    const folded = name.toLowerCase().replaceAll(/[_-]/g, '')
    const other = seen.get(folded)
    seen.set(folded, name)
    return other === undefined ? [] : [fault(place, `has ${what} "${name}" twice (as "${other}"); rename one`)]
  })
}

function entityFaults(connector: Connector, name: string, entity: Entity): Issue[] {
  const place = `entities.${name}`
  const faults = shapeFaults(entityShape, entity, place)
  if (faults.length > 0) return faults
  const { list, get, download, alias, searchable, indexed = [], sync } = entity
  if (!list && !get && !download && !searchable)
    return [fault(place, 'has no action; give it a list, a get or a download')]
  return [
    ...(['list', 'get', 'download'] as const).flatMap((action) =>
      entity[action] === undefined ? [] : operationFaults(action, entity[action], inside(place, action)),
    ),
    ...(alias === undefined ? [] : aliasFaults(connector, entity, inside(place, 'alias'))),
    ...(searchable === undefined ? [] : searchableFaults(searchable, inside(place, 'searchable'))),
    ...indexed.flatMap((path, index) => indexedFaults(searchable, path, inside(place, `indexed.${index}`))),
    ...((searchable === undefined) === (sync === undefined)
      ? []
      : [
          fault(
            place,
            searchable === undefined ? 'has sync, but no searchable fields' : 'has searchable fields, but no sync',
          ),
        ]),
    ...(sync === undefined ? [] : streamFaults(connector, name, sync, inside(place, 'sync'))),
  ]
}

function aliasFaults({ entities }: Connector, { list, alias }: Entity, place: string): Issue[] {
  const { entity, action } = alias!
  if (list === undefined) return [fault(place, 'is the name of a list, which this entity does not have')]
  if (!Object.hasOwn(entities, entity)) return [fault(inside(place, 'entity'), `names "${entity}", which is no entity`)]
  return (actionNames as readonly string[]).includes(action)
    ? [fault(inside(place, 'action'), `must differ from ${actionNames.join(', ')}`)]
    : []
}

/** Each becomes a column of a table, whose own columns begin with `_`; a database may ignore capitals. */
function searchableFaults(searchable: Readonly<Record<string, unknown>>, place: string): Issue[] {
  const names = Object.keys(searchable)
  const lower = names.map((name) => name.toLowerCase())
  if (names.length === 0) return [fault(place, 'must name a field')]
  return names.flatMap((name, index) => {
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
      return [fault(inside(place, name), 'must begin with a letter, and have only letters, digits and "_"')]
    if (lower.indexOf(lower[index]!) !== index)
      return [fault(inside(place, name), 'differs from another field only in its capitals')]
    return fieldTypes.includes(searchable[name] as FieldType)
      ? []
      : [fault(inside(place, name), `must be one of ${fieldTypes.join(', ')}`)]
  })
}

function indexedFaults(searchable: Entity['searchable'] = {}, path: string, place: string): Issue[] {
  const [field, ...keys] = path.split('.')
  return ownValue(searchable, field!) === 'object' && keys.length > 0 && !keys.includes('')
    ? []
    : [fault(place, 'must be a path with dots into a searchable object, such as assignee.id')]
}

function streamFaults({ entities }: Connector, name: string, sync: Stream, place: string): Issue[] {
  const faults = shapeFaults(streamShape, sync, place)
  if (faults.length > 0) return faults
  if (sync.listings.length === 0) return [fault(inside(place, 'listings'), 'must name a list')]
  return [
    ...sync.listings.flatMap((listing, index) => {
      const at = inside(place, `listings.${index}`)
      const wrong = operationFaults('list', listing.list, inside(at, 'list'))
      if (wrong.length > 0) return wrong
      const { over, below, params = {} } = listing
      const parent = over && ownValue(entities, over.entity)
      if (over !== undefined && parent?.sync === undefined)
        return [fault(inside(at, 'over.entity'), `must be an entity with sync, and "${over.entity}" is none`)]
      if (over !== undefined && waitsFor(entities, over.entity, name))
        return [fault(inside(at, 'over.entity'), `makes ${name} and ${over.entity} wait for each other`)]
      const { required = [] } = listing.list.params as { readonly required?: readonly string[] }
      const missing = required.find((param) => !Object.hasOwn(params, param))
      // What repeats a list also gives its params.
      if (missing !== undefined && over === undefined && listing.windows === undefined && listing.since === undefined)
        return [fault(inside(at, 'params'), `must give "${missing}", which the list requires`)]
      return [
        ...(listing.since?.list ? operationFaults('list', listing.since.list, inside(at, 'since.list')) : []),
        ...(below === undefined ? [] : operationFaults('list', below.list, inside(at, 'below.list'))),
      ]
    }),
    ...(sync.confirm === undefined ? [] : operationFaults('get', sync.confirm.get, inside(place, 'confirm.get'))),
  ]
}

/** Whether one entity's copy is read for each record of the other's, directly or through others. */
function waitsFor(
  entities: Connector['entities'],
  entity: string,
  other: string,
  seen: readonly string[] = [],
): boolean {
  if (entity === other) return true
  if (seen.includes(entity)) return false
  const listings = ownValue(entities, entity)?.sync?.listings ?? []
  return listings.some(({ over }) => over && waitsFor(entities, over.entity, other, [...seen, entity]))
}

function checkFaults({ check, entities }: Connector): Issue[] {
  const operation = check.operation ?? ownValue(entities, check.entity)?.[check.action]
  if (operation === undefined)
    return [fault('check', `names ${check.entity}.${check.action}, which the entities do not have`)]
  const faults = check.operation === undefined ? [] : operationFaults('get', operation, 'check.operation')
  if (faults.length > 0) return faults
  return checkParams(operation.params, operation.rules, check.params, '').map(({ path, message }) =>
    fault(`check.params${path.replaceAll('/', '.')}`, message),
  )
}
