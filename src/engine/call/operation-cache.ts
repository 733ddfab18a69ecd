/** What is worked out once per operation, on its first use: how its requests are built and its records read. */
import type { GetOperation, ListOperation, Operation } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { compileRequest, type SystemRequest } from '../request/request.ts'
import type { Conversation } from './call-context.ts'
import { compileCoercion } from './coerce.ts'

function perOperation<O extends Operation, T>(make: (operation: O) => T): (operation: O) => T {
  const made = new WeakMap<O, T>()
  return (operation) => {
    const known = made.get(operation)
    if (known !== undefined) return known
    const fresh = make(operation)
    made.set(operation, fresh)
    return fresh
  }
}

const requestOf = perOperation(compileRequest)

/** The request for these params, without the fields that the system refused. */
export const requestFor = (
  { settings }: Conversation,
  operation: Operation,
  params: Params,
  without?: ReadonlySet<string>,
): SystemRequest => requestOf(operation)(params, settings.clock.now(), without)

/** The field that tells a record from others, where the type declares one. */
export const identityOf = ({ properties }: ListOperation['record']): string | undefined =>
  Object.entries(properties).find(([, field]) => 'x-identifier' in field)?.[0]

/** Gives the records of an operation the types that they are declared with. */
export const coercionOf = perOperation(({ record }: ListOperation | GetOperation) =>
  compileCoercion(record, identityOf(record)),
)
