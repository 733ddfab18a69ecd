/** Carries errors from one thread to another, which would otherwise lose their class. */
import { ConexError, type ErrorCode, type Issue } from '../../errors.ts'
import { LeaseLost } from '../leases.ts'

export type ThreadError =
  | {
      readonly kind: 'conex'
      readonly code: ErrorCode
      readonly detail: string
      readonly issues: readonly Issue[] | null
    }
  | { readonly kind: 'lease lost'; readonly connectorId: string }
  | { readonly kind: 'other'; readonly message: string; readonly code?: string; readonly stack: string | undefined }

export function packError(error: unknown): ThreadError {
  if (error instanceof ConexError)
    return { kind: 'conex', code: error.code, detail: error.message, issues: error.issues ?? null }
  if (error instanceof LeaseLost) return { kind: 'lease lost', connectorId: error.connectorId }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const { code } = error as { readonly code?: unknown }
  return { kind: 'other', message, ...(typeof code === 'string' && { code }), stack }
}

export function unpackError(error: ThreadError): Error {
  switch (error.kind) {
    case 'conex':
      return new ConexError(error.code, error.detail, error.issues === null ? {} : { issues: error.issues })
    case 'lease lost':
      return new LeaseLost(error.connectorId)
    case 'other': {
      const unpacked = Object.assign(new Error(error.message), error.code !== undefined && { code: error.code })
      if (error.stack !== undefined) unpacked.stack = error.stack
      return unpacked
    }
  }
}
