/** The output streams of commands, and whether they are terminals. */
import { styleText } from 'node:util'

/** The parts of a stream that printing needs; tests have their own. */
export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** The width of the terminal. */
  readonly columns?: number
}

/** Colours if the stream is a terminal that wants them, respecting NO_COLOR and similar variables. */
export const paintFor =
  (screen: Screen) =>
  (style: Parameters<typeof styleText>[0], text: string): string =>
    screen.isTTY === true ? styleText(style, text, { stream: screen as NodeJS.WriteStream }) : text
