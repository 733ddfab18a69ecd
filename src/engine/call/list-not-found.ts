/** What it means when a system says of a list that something is not there: never that the list is empty. */
import type { Connector } from '../../catalog/connector.ts'
import type { ListOperation } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { ConexError } from '../../errors.ts'

/** The error of a list whose system has no such record: about what the params name, or about nothing that can be told. */
export function listNotFound(
  { title }: Connector,
  { paging, select }: ListOperation,
  params: Params,
  { upstream, message }: ConexError,
): ConexError {
  const ownNames = new Set([...Object.keys(paging.params), select?.param])
  const names = Object.entries(params).some(([name, value]) => value !== undefined && !ownNames.has(name))
  const told = upstream === undefined ? {} : { upstream }
  const said = upstream?.message ? ` It said: ${upstream.message}` : ''
  return names
    ? new ConexError(
        'upstream_refused',
        `${title} has nothing to list by these params, or does not show it to these credentials; check the ids in them.${said || ` ${message}`}`,
        told,
      )
    : new ConexError(
        'upstream_invalid_response',
        `${title} says of this list that there is no such thing, which does not say that it is empty; check the base address of the system, or repeat the call later.${said}`,
        told,
      )
}
