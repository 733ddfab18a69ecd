/** Starts the server with the connectors and the engine of Conex. */
import { catalog } from '../connectors/index.ts'
import { createEngine } from '../engine/engine.ts'
import { type RunningServer, type ServeOptions, serve } from './serve.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** Starts a server. Omitted settings have their defaults. */
export function startServer(settings: Partial<Settings> = {}, options: ServeOptions = {}): Promise<RunningServer> {
  return serve({ ...defaultSettings, ...settings }, catalog, createEngine, options)
}
