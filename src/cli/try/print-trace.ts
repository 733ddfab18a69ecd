/** Prints what a trace shows, for people or as JSON lines. */
import { STATUS_CODES } from 'node:http'
import type { Io } from '../io.ts'
import { printJson } from '../output.ts'
import { manyLines, oneLine } from '../terminal/safe-text.ts'
import { paintFor } from '../terminal/screen.ts'
import { size } from '../terminal/size.ts'
import type { Shown, ShownBody } from './trace.ts'

/** `mostText` is how many characters of a body are printed. */
export function tracePrinter({ stderr }: Io, json: boolean, mostText: number): (shown: Shown) => void {
  const paint = paintFor(stderr)
  const say = (line: string): void => void stderr.write(`${line}\n`)

  function sayMessage(headers: Readonly<Record<string, string>>, body: ShownBody | null): void {
    for (const [name, value] of Object.entries(headers)) say(`    ${paint('dim', `${name}:`)} ${oneLine(value)}`)
    if (body === null) return
    const { text, bytes } = body
    if (text === null) {
      say(`    ${paint('dim', bytes === null ? 'a file of unknown size' : `${size(bytes)} that are not shown`)}`)
      return
    }
    const part = text.slice(0, mostText)
    say(`\n${manyLines(part).replaceAll(/^/gm, '    ')}`)
    if (part.length < text.length)
      say(paint('dim', `    … ${mostText.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters`))
  }

  return (shown) => {
    if (json) {
      printJson(stderr, [cut(shown, mostText)])
      return
    }
    switch (shown.event) {
      case 'request': {
        const again = shown.again ? paint('yellow', ' (again)') : ''
        say(`${paint('cyan', `→ ${shown.number}`)} ${paint('bold', shown.method)} ${oneLine(shown.address)}${again}`)
        sayMessage(shown.headers, shown.body)
        break
      }
      case 'answer': {
        const { number, status, ms } = shown
        const colour = status < 400 ? 'green' : 'red'
        say(
          `${paint(colour, `← ${number}`)} ${paint('bold', `${status} ${STATUS_CODES[status] ?? ''}`.trim())} in ${ms} ms`,
        )
        sayMessage(shown.headers, shown.body)
        break
      }
      case 'failure':
        say(`${paint('red', `← ${shown.number}`)} no answer after ${shown.ms} ms: ${oneLine(shown.message)}`)
        break
      case 'wait':
        say(paint('yellow', `  waits ${(shown.ms / 1000).toFixed(1)} s`))
        break
      case 'note':
        say(paint('yellow', `  ${oneLine(shown.message)}`))
        break
    }
    if (shown.event === 'answer') say('')
  }
}

/** The same with no more text than is printed, beside its whole length. */
function cut(shown: Shown, mostText: number): object {
  if (!('body' in shown) || shown.body === null || shown.body.text === null) return shown
  const { text, bytes } = shown.body
  return { ...shown, body: { text: text.slice(0, mostText), characters: text.length, bytes } }
}
