/**
 * Reports a Node that is too old to run Conex. Every entry point checks this first, in syntax that old versions can
 * read.
 */

/** The first supported version, as in `engines` of package.json. */
const first = [22, 19] as const

/** A sentence about a version that is too old; null for any other version, and for other runtimes. */
export function nodeFault(versions: Readonly<Record<string, string | undefined>> = process.versions): string | null {
  if (versions.node === undefined || versions.bun !== undefined || versions.deno !== undefined) return null
  const [major, minor] = versions.node.split('.').map(Number) as [number, number]
  if (major > first[0] || (major === first[0] && minor >= first[1])) return null
  return `Conex needs Node ${first.join('.')} or newer, and this is Node ${versions.node}.`
}
