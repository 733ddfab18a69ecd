/** A page in a narrow window of one theme, of which a test may take pictures. */
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

export interface ThemedPage {
  readonly page: Page
  /** All that the page wrote to the console. */
  readonly complaints: readonly string[]
  /** Takes a picture of this name, if SCREENSHOTS names a folder for them. */
  shot(name: string): Promise<void>
  close(): Promise<void>
}

export async function openThemed(browser: Browser, colorScheme: 'light' | 'dark'): Promise<ThemedPage> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 390, height: 800 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  return {
    page,
    complaints,
    async shot(name) {
      const folder = process.env.SCREENSHOTS
      if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
    },
    close: () => context.close(),
  }
}
