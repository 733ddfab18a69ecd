/** The streams that commands write to, and whether somebody sits in front of them. */
import { styleText } from 'node:util'

/** As much of a stream as printing needs; the tests have one of their own. */
export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** How wide a terminal is. */
  readonly columns?: number
}

/** Colour where the stream is a terminal that wants it: NO_COLOR and its like are respected. */
export const paintFor =
  (screen: Screen) =>
  (style: Parameters<typeof styleText>[0], text: string): string =>
    screen.isTTY === true ? styleText(style, text, { stream: screen as NodeJS.WriteStream }) : text
