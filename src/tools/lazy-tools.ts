/**
 * `tools`: the tools of agents for programs that run models themselves. The first call loads what they need, so that a
 * program which only reads does not load it.
 */
import type { Conex } from '../client/conex.ts'
import type { Uniform } from '../client/connector-types.ts'
import type { BoundTool, ServiceToolOptions, SystemToolOptions } from './bound-tool.ts'

/** A few tools that reach every connector which this client of a service may use. */
export function tools(service: Conex, options?: ServiceToolOptions): Promise<BoundTool[]>
/** A few tools that reach everything in this connected system. */
export function tools<E extends string>(
  system: Uniform<E>,
  options?: SystemToolOptions<NoInfer<E>>,
): Promise<BoundTool[]>
export async function tools(reads: Conex | Uniform, options: ServiceToolOptions | SystemToolOptions = {}) {
  const { toolsOfService, toolsOfSystem } = await import('./bind.ts')
  return 'connectors' in reads ? toolsOfService(reads, options as ServiceToolOptions) : toolsOfSystem(reads, options)
}
