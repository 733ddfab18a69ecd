/** The version of the installed package. */
import manifest from 'conex/package.json' with { type: 'json' }

export const version: string = manifest.version
