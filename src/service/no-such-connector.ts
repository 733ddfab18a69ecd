/** The same answer for a missing connector and for one of another tenant, so that callers cannot tell them apart. */
import { ConexError } from '../errors.ts'

export const noSuchConnector = (): ConexError =>
  new ConexError('not_found', 'There is no such connector; check its id, and that the token gives access to it.')
