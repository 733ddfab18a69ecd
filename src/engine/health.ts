/** Reports whether credentials work, by the call that tries them. */
import { ConexError, errorKinds } from '../errors.ts'
import type { Health } from '../wire.ts'

/** Healthy if the check succeeds. Its error says why not, unless the fault is in Conex or in the request. */
export async function healthOf(
  { entity, action }: { readonly entity: string; readonly action: string },
  check: () => Promise<unknown>,
): Promise<Health> {
  const checked = { entity, action }
  try {
    await check()
    return { status: 'healthy', checked }
  } catch (error) {
    if (!(error instanceof ConexError) || error.code === 'internal' || error.code === 'not_found') throw error
    const { code, message: detail, upstream } = error
    return {
      status: 'unhealthy',
      checked,
      error: { code, title: errorKinds[code].title, detail, ...(upstream && { upstream }) },
    }
  }
}
