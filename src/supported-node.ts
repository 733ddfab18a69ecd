/** Tells whoever starts Conex on a Node that cannot run it. Doors ask here first, in words that old versions can read. */

/** The first version that runs it, as `engines` in package.json says. */
const first = [22, 19] as const

/** One sentence about a version that is too old; null for any other, and for runtimes that only resemble a Node. */
export function nodeFault(versions: Readonly<Record<string, string | undefined>> = process.versions): string | null {
  if (versions.node === undefined || versions.bun !== undefined || versions.deno !== undefined) return null
  const [major, minor] = versions.node.split('.').map(Number) as [number, number]
  if (major > first[0] || (major === first[0] && minor >= first[1])) return null
  return `Conex needs Node ${first.join('.')} or newer, and this is Node ${versions.node}.`
}
