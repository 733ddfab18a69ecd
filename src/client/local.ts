/** Local mode: this process runs the operations, with the given credentials. */
import type { Credentials } from '../catalog/authorization.ts'
import { checkCredentials } from '../catalog/check-credentials.ts'
import { type ConnectorType, describeConnector } from '../catalog/describe.ts'
import type { Call } from '../engine/call/call.ts'
import { createEngine } from '../engine/engine.ts'
import { healthOf } from '../engine/health.ts'
import { proxiesOf } from '../engine/http/proxies.ts'
import { withoutCustomerAddress } from '../engine/oauth/authorize.ts'
import { environment } from '../environment.ts'
import { findKind } from './find-kind.ts'
import type { KindOrConnector } from './kind-or-connector.ts'
import { LocalCredentials } from './local-credentials.ts'
import type { LocalOptions } from './local-options.ts'
import type { Download, Mode, Operation, Signal } from './mode.ts'
import { webStream } from './web-stream.ts'

/** Throws `invalid_credentials` if the fields fit none of the kind's auth methods. Sends nothing. */
export async function localMode(kind: KindOrConnector, options: LocalOptions): Promise<Mode> {
  const connector = typeof kind === 'string' ? await findKind(kind) : kind
  const given = checkCredentials(connector, withoutCustomerAddress(connector, options.credentials)).credentials
  const engine = createEngine({
    proxies: proxiesOf(environment),
    ...options.engine,
    ...(options.timeout === undefined ? {} : { deadline: options.timeout }),
    ...(options.allowPrivateNetwork === undefined ? {} : { allowPrivateNetwork: options.allowPrivateNetwork }),
  })
  const credentials = new LocalCredentials(
    engine,
    connector,
    options.baseUrl,
    { ...(options.credentials as Credentials), ...given },
    options.onCredentialsRenewed as ((renewed: Credentials) => void) | undefined,
    options.engine?.clock?.now,
  )
  const reach = { connector, baseUrl: options.baseUrl, credentials }
  const call = (operation: Operation, signal: Signal): Call => ({ ...reach, ...operation, signal })
  let described: ConnectorType | undefined

  return {
    mode: 'local',
    execute: (operation, signal) => engine.execute(call(operation, signal)),
    pages: (operation, signal) => engine.pages(call(operation, signal)),
    download: async (operation, signal) => {
      const { status, headers, body } = await engine.download(call(operation, signal))
      return new Response(webStream(body), { status, headers }) as Download
    },
    request: async (request, signal) => {
      const { status, type, body } = await engine.request({ ...reach, signal }, request)
      const hasNoBody = status === 204 || status === 205
      return new Response(hasNoBody ? null : (body as Uint8Array<ArrayBuffer>), {
        status,
        headers: { 'content-type': type },
      })
    },
    check: (signal) => healthOf(connector.check, () => engine.check({ ...reach, signal })),
    describe: async () => (described ??= describeConnector(connector)),
    close: () => engine.close(),
  }
}
