/** Makes the file system of the image without a container engine: carries out what the Dockerfile says in plain folders. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, matchesGlob, relative } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'

export interface Image {
  /** The folder that stands for `/`. */
  readonly root: string
  /** What the container runs, with paths in the folder. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  remove(): void
}

const repository = join(import.meta.dirname, '..')
const text = readFileSync(join(repository, 'Dockerfile'), 'utf8')

/** The instructions, each with its keyword and the rest of it as written, on one line. */
const instructions = DockerfileParser.parse(text)
  .getInstructions()
  .map((instruction) => ({
    keyword: instruction.getKeyword(),
    rest: instruction
      .getTextContent()
      .replace(/^\w+\s+/, '')
      .replaceAll(/\\\n\s*/g, ''),
  }))

/** Every image that the file builds upon. */
export const bases = instructions.filter(({ keyword }) => keyword === 'FROM').map(({ rest }) => rest.split(' ')[0]!)

export const told = (keyword: string): string | undefined =>
  instructions.findLast((instruction) => instruction.keyword === keyword)?.rest

export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'conex-image-'))
  const stages = new Map<string, string>()
  const env: Record<string, string> = {}
  let root = folder
  let workdir = root
  for (const { keyword, rest } of instructions) {
    if (keyword === 'FROM') {
      root = join(folder, rest.split(/ as /i)[1] ?? 'final')
      stages.set(basename(root), root)
      mkdirSync(root)
      workdir = root
    } else if (keyword === 'WORKDIR') {
      workdir = join(root, rest)
      mkdirSync(workdir, { recursive: true })
    } else if (keyword === 'COPY') copy(rest.split(/\s+/))
    else if (keyword === 'RUN') run(rest)
    else if (keyword === 'ENV')
      for (const pair of rest.split(/\s+/)) {
        const [name, value] = pair.split('=')
        env[name!] = value!
      }
  }
  // The base image brings a Node that every user may start; ours may lie where nobody but root can enter.
  const node = join(root, 'usr/local/bin/node')
  cpSync(process.execPath, node)
  const program = JSON.parse(told('ENTRYPOINT')!) as string[]
  return {
    root,
    command: program.map((word) => (word === 'node' ? node : word.startsWith('/') ? join(root, word) : word)),
    env,
    remove() {
      execFileSync('chmod', ['-R', 'u+w', folder])
      rmSync(folder, { recursive: true })
    },
  }

  function copy(words: string[]): void {
    const from = words[0]!.startsWith('--from=') ? stages.get(words.shift()!.slice('--from='.length))! : null
    const to = words.pop()!
    const target = join(to.startsWith('/') ? root : workdir, to)
    for (const source of words) {
      const path = join(from ?? repository, source)
      if (from === null && isIgnored(source)) throw new Error(`${source} is not in what .dockerignore leaves.`)
      cpSync(path, words.length > 1 || to.endsWith('/') ? join(target, basename(source)) : target, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (one) => from !== null || !isIgnored(relative(repository, one)),
      })
    }
  }

  function run(line: string): void {
    // The checkout has what a whole installation gives; only what is left without the tools of development is new.
    if (line === 'npm ci') {
      symlinkSync(join(repository, 'node_modules'), join(workdir, 'node_modules'))
      return
    }
    // Who owns what is for root alone to say.
    const command = process.getuid?.() === 0 ? line : line.replaceAll(/chown \S+ \S+/g, 'true')
    execFileSync('/bin/sh', ['-ec', command], {
      cwd: workdir,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, npm_config_prefer_offline: 'true' },
    })
  }
}

const rules = readFileSync(join(repository, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Whether a file is left out of what the build sees: the last rule that fits it, or a folder above it, decides. */
function isIgnored(path: string): boolean {
  const paths = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  let ignored = false
  for (const rule of rules) {
    const pattern = rule.replace(/^!/, '')
    if (paths.some((one) => matchesGlob(one, pattern))) ignored = !rule.startsWith('!')
  }
  return ignored
}
