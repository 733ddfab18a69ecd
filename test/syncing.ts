/** A server whose syncs run by themselves, at moments that the test chooses. */
import type { TestContext } from 'node:test'
import { openStore } from '../src/store/open.ts'
import { connectors, type Hosted, type HostedOptions, isFine, startHosted } from './hosted.ts'

export const hour = 3_600_000

export async function start(t: TestContext, options: HostedOptions = {}): Promise<Hosted> {
  const hosted = await startHosted({
    ...options,
    serve: { syncs: true, ...options.serve },
    simulators: { scale: 10, ...options.simulators },
  })
  t.after(() => hosted.close())
  return hosted
}

export const tokenOf = async (hosted: Hosted, user?: string): Promise<string> =>
  (await hosted.server.issueToken(user)).token

/** The state of a copy as a caller is told it. */
export async function stateOf(hosted: Hosted, id = hosted.connector) {
  return isFine(await hosted.call('GET', `${connectors}/${id}/sync`, { token: await tokenOf(hosted) }))
}

export async function pass(hosted: Hosted, milliseconds: number): Promise<void> {
  const { syncs } = hosted.server.service
  hosted.clock.advance(milliseconds)
  await syncs.look()
  await syncs.settled()
}

/** The connectors whose syncs began, in that order. */
export const begun = (hosted: Hosted): string[] =>
  [...hosted.log().matchAll(/"connector_id":"([^"]+)"[^\n]*"msg":"a sync starts"/g)].map(([, id]) => id!)

/** Opens a store whose syncs wait, before they write a page, until `before` has ended. */
export const openStoreWith =
  (before: () => void | Promise<void>): typeof openStore =>
  async (...args) => {
    const store = await openStore(...args)
    const { copies } = store
    const { commit } = copies
    Object.assign(copies, {
      async commit(...page: Parameters<typeof commit>) {
        await before()
        return commit(...page)
      },
    })
    return store
  }
