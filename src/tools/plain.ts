/** Plain JSON, for models and frameworks. */
import { ExactNumber, fitsDouble } from '../json.ts'

/** Converts numbers that a double cannot hold to text, which every framework can write as JSON. */
export const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, part: unknown) {
      // Do not descend into an exact number.
      const given = this[name]
      if (given instanceof ExactNumber) return fitsDouble(String(given)) ? given.valueOf() : String(given)
      return typeof part === 'bigint' ? String(part) : part
    }),
  )
