/** Says what to install if something needs the server and only the client is installed. */
import manifest from 'conex/package.json' with { type: 'json' }

/** The message if a library of the server is missing; null for any other error. */
export function missingServer(error: unknown): Error | null {
  if ((error as { code?: unknown } | null)?.code !== 'ERR_MODULE_NOT_FOUND') return null
  const missing = /^Cannot find package '([^']+)'/.exec((error as Error).message)?.[1]
  if (missing === undefined || !Object.hasOwn(manifest.peerDependencies, missing)) return null
  return new Error(
    `This runs the server, which needs ${missing} and more; install all of it with: npm install conex-server`,
  )
}
