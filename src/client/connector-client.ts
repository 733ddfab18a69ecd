/** Creates the object that callers use: one property per entity, and the uniform interface. */
import type { RawRequest } from '../catalog/raw-request.ts'
import type { Answer } from '../engine/call/call.ts'
import { ConexError } from '../errors.ts'
import type { Mode, Operation } from './mode.ts'
import type { SqlOptions } from './sql-types.ts'
import { type CallOptions, eachWithTimeout, type ReadOptions, withTimeout } from './with-timeout.ts'

type Params = Operation['params']

/**
 * A client in this mode. The types list the entities, and the calls check them, so nothing about the system is loaded
 * in advance: every name that is not a method is an entity.
 */
export function connectorClient(mode: Mode): object {
  const run = (entity: string, action: string, params: Params = {}, { signal, timeout, ...fields }: ReadOptions = {}) =>
    withTimeout({ signal, timeout }, (ends) => mode.execute({ entity, action, params, fields }, ends))

  const follow = (
    entity: string,
    action: string,
    params: Params = {},
    { signal, timeout, ...fields }: ReadOptions = {},
  ) => eachWithTimeout({ signal, timeout }, (ends) => mode.pages({ entity, action, params, fields }, ends))

  const fetchFile = (entity: string, params: Params = {}, options: CallOptions = {}) =>
    withTimeout(options, (signal) => mode.download({ entity, action: 'download', params }, signal))

  /**
   * An action with pages: calling it returns one answer, `pages` iterates over all answers, and `all` over all items in
   * them.
   */
  function paged(entity: string, action: 'list' | 'search') {
    const pages = (params?: Params, options?: ReadOptions) => follow(entity, action, params, options)
    return Object.assign((params?: Params, options?: ReadOptions) => run(entity, action, params, options), {
      pages,
      all: (params?: Params, options?: ReadOptions) => itemsOf(pages(params, options)),
    })
  }

  const entities = new Map<string, object>()
  function entityOf(name: string): object {
    const known = entities.get(name)
    if (known !== undefined) return known
    const made = {
      list: paged(name, 'list'),
      get: (params?: Params, options?: ReadOptions) => run(name, 'get', params, options),
      search: paged(name, 'search'),
      download: (params?: Params, options?: CallOptions) => fetchFile(name, params, options),
    }
    entities.set(name, made)
    return made
  }

  const methods = {
    mode: mode.mode,
    async execute(entity: string, action: string, params?: Params, options?: ReadOptions): Promise<Answer> {
      if (action !== 'download') return run(entity, action, params, options)
      throw new ConexError('unknown_action', 'A download returns bytes, not a record; call download instead.')
    },
    pages: (entity: string, params?: Params, options?: ReadOptions) => follow(entity, 'list', params, options),
    download: fetchFile,
    request: (request: RawRequest, options: CallOptions = {}) =>
      withTimeout(options, (signal) => mode.request(request, signal)),
    sql: (sql: string, { limit, ...options }: SqlOptions = {}) =>
      run('*', 'sql', { sql, ...(limit !== undefined && { limit }) }, options),
    check: (options: CallOptions = {}) => withTimeout(options, mode.check),
    describe: (options: CallOptions = {}) => withTimeout(options, mode.describe),
    close: mode.close,
    [Symbol.asyncDispose]: mode.close,
  }
  return new Proxy(methods, {
    get: (target, name) =>
      typeof name === 'symbol' || Reflect.has(target, name) ? Reflect.get(target, name) : entityOf(name),
  })
}

/** The records of a list's answers, or the hits of a search's, one by one. */
async function* itemsOf(answers: AsyncGenerator<Answer>): AsyncGenerator<unknown, void, undefined> {
  for await (const { result } of answers) yield* Array.isArray(result) ? result : (result as { hits: unknown[] }).hits
}
