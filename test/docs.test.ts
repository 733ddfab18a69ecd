import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'bench/**/*.md'], { cwd: root })
const read = (page: string): string => readFileSync(join(root, page), 'utf8')

describe('the documents', () => {
  it('that are printed from code are what the code prints', () => {
    const main = join(root, 'src/cli/docs/main.ts')
    const { status, stderr } = spawnSync(process.execPath, [main, '--check'], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.equal(status, 0)
  })

  it('lead to files and headings that are there', () => {
    const links = pages.flatMap((page) =>
      [...withoutCode(read(page)).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path, heading]) => ({
        page,
        target: path === '' ? page : join(dirname(page), path!),
        heading,
      })),
    )
    assert.ok(links.length > 100)
    const broken = links.filter(
      ({ target, heading }) =>
        !existsSync(join(root, target)) ||
        (heading !== undefined && target.endsWith('.md') && !headings(read(target)).includes(heading)),
    )
    assert.deepEqual(broken, [])
  })

  const decisions = pages.filter((page) => page.startsWith('docs/decisions/'))

  it('number each decision once, and say so in its heading', () => {
    const numbers = decisions.map((page) => Number(page.slice('docs/decisions/'.length).split('-')[0]))
    assert.equal(new Set(numbers).size, decisions.length)
    assert.deepEqual(
      decisions.filter((page, place) => !read(page).startsWith(`# ${numbers[place]}. `)),
      [],
    )
  })

  it('say of each decision that it is accepted, or which later one superseded it', () => {
    const later = (page: string): boolean => {
      const [, status] = /^# .*\n\n\*\*Status\.\*\* (.*(?:\n.+)*)\n\n/.exec(read(page)) ?? []
      const [, file] = /\bsuperseded by \[decision \d+\]\((\d{4}-[^)]+)\)/i.exec(status ?? '') ?? []
      return status?.startsWith('Accepted.') || (file !== undefined && file > basename(page))
    }
    assert.deepEqual(
      decisions.filter((page) => !later(page)),
      [],
      'Below its heading, write "**Status.** Accepted." or "**Status.** Superseded by [decision N](its file).".',
    )
  })

  it('are all within reach of the README', () => {
    const reached = new Set<string>()
    const open = ['README.md']
    for (let page = open.pop(); page !== undefined; page = open.pop()) {
      if (reached.has(page)) continue
      reached.add(page)
      for (const [, path] of withoutCode(read(page)).matchAll(/\]\((?!\w+:)([^)#\s]+\.md)/g))
        open.push(join(dirname(page), path!))
    }
    const docs = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'))
    assert.deepEqual(
      docs.filter((page) => !reached.has(page)),
      [],
    )
  })
})

const withoutCode = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')

/** The anchors that headings have. */
const headings = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
