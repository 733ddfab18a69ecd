/** The one answer for a connector that is missing and for one that belongs to somebody else: nobody can tell them apart. */
import { ConexError } from '../errors.ts'

export const noSuchConnector = (): ConexError =>
  new ConexError('not_found', 'There is no such connector; check its id and that the token may see it.')
