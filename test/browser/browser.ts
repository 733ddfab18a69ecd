/** A real browser for tests: Chromium, wherever the machine has it. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** Without a network of its own, and as root. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

export async function startBrowser(): Promise<Browser> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const executablePath = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync)
  if (executablePath === undefined)
    throw new Error(`This test needs a browser: put one of ${names.join(', ')} on the PATH (apt-get install chromium).`)
  return chromium.launch({ executablePath, args })
}
