/** A template for HTML that escapes every value, unless it is already HTML. */

export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Value = string | number | Html | null | readonly Value[]

/** Lists are joined, and null renders nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((before, part, index) => before + write(values[index - 1]!) + part))

function write(value: Value): string {
  if (value === null) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(write).join('')
  return String(value).replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
