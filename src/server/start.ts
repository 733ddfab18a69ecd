/** Starts the server with the connectors and the engine of Conex. */
import type { Catalog } from '../catalog/catalog.ts'
import { catalog } from '../connectors/index.ts'
import { createEngine } from '../engine/engine.ts'
import { type RunningServer, type ServeOptions, serve } from './serve.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** Starts a server. Omitted settings have their defaults; it serves the built-in kinds, unless others are given. */
export function startServer(
  settings: Partial<Settings> = {},
  options: ServeOptions = {},
  kinds: Catalog = catalog,
): Promise<RunningServer> {
  return serve({ ...defaultSettings, ...settings }, kinds, createEngine, options)
}
