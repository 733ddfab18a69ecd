/** The same answer for a missing connector and for another tenant's, so that callers cannot distinguish them. */
import { ConexError } from '../errors.ts'

export const noSuchConnector = (): ConexError =>
  new ConexError('not_found', 'There is no such connector; check its id, and that the token gives access to it.')
