#!/usr/bin/env node
/** `conex` in a clone: runs the sources, on the Node in node_modules, which npx and npm put first. */
if (!process.features.typescript) {
  process.stderr.write(
    `error In a clone, write npx conex: it brings its own Node, and this is Node ${process.versions.node}.\n`,
  )
  process.exit(1)
}
await import('../../src/cli/main.ts')
